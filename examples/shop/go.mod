module github.com/concvet/concvet/examples/shop

go 1.26
