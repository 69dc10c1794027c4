module github.com/concvet/concvet/runtime

go 1.25
