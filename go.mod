module github.com/concvet/concvet

go 1.26.0

require (
	github.com/bluekeyes/go-gitdiff v0.9.0
	github.com/golangci/plugin-module-register v0.1.2
	go.lsp.dev/jsonrpc2 v1.0.1
	go.yaml.in/yaml/v3 v3.0.6
	golang.org/x/mod v0.43.0
	golang.org/x/tools v0.52.0
	honnef.co/go/tools v0.8.2
)

require (
	github.com/go-json-experiment/json v0.0.0-20260601182631-00ed12fed2a6 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

require (
	github.com/aymanbagabas/go-udiff v0.4.2
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/sync v0.24.0 // indirect
)
