module github.com/concvet/concvet/examples/shop-fixed

go 1.26
