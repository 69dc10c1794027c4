package lsp

import "encoding/json"

// What is used of the Language Server Protocol 3.17, and no more: the existing
// Go packages for it are of an older version or bring dozens of modules.
type (
	position struct {
		Line      int `json:"line"`
		Character int `json:"character"`
	}
	textRange struct {
		Start position `json:"start"`
		End   position `json:"end"`
	}
	location struct {
		URI   string    `json:"uri"`
		Range textRange `json:"range"`
	}
	workspaceFolder struct {
		URI  string `json:"uri"`
		Name string `json:"name"`
	}

	initializeParams struct {
		RootURI          string             `json:"rootUri"`
		WorkspaceFolders []workspaceFolder  `json:"workspaceFolders"`
		Capabilities     clientCapabilities `json:"capabilities"`
		Options          json.RawMessage    `json:"initializationOptions"`
	}
	clientCapabilities struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Window struct {
			WorkDoneProgress bool `json:"workDoneProgress"`
		} `json:"window"`
		Workspace struct {
			Configuration bool `json:"configuration"`
			WorkspaceEdit struct {
				DocumentChanges bool `json:"documentChanges"`
			} `json:"workspaceEdit"`
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
		TextDocument struct {
			PublishDiagnostics struct {
				RelatedInformation     bool `json:"relatedInformation"`
				CodeDescriptionSupport bool `json:"codeDescriptionSupport"`
			} `json:"publishDiagnostics"`
			CodeAction struct {
				ResolveSupport struct {
					Properties []string `json:"properties"`
				} `json:"resolveSupport"`
				DataSupport bool `json:"dataSupport"`
			} `json:"codeAction"`
			Hover struct {
				ContentFormat []string `json:"contentFormat"`
			} `json:"hover"`
		} `json:"textDocument"`
	}
	initializeResult struct {
		Capabilities serverCapabilities `json:"capabilities"`
		ServerInfo   serverInfo         `json:"serverInfo"`
	}
	serverInfo struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	serverCapabilities struct {
		PositionEncoding   string             `json:"positionEncoding"`
		TextDocumentSync   syncOptions        `json:"textDocumentSync"`
		CodeActionProvider codeActionOptions  `json:"codeActionProvider"`
		HoverProvider      bool               `json:"hoverProvider"`
		Workspace          workspaceSupported `json:"workspace"`
	}
	syncOptions struct {
		OpenClose bool        `json:"openClose"`
		Change    int         `json:"change"`
		Save      saveOptions `json:"save"`
	}
	saveOptions struct {
		IncludeText bool `json:"includeText"`
	}
	codeActionOptions struct {
		CodeActionKinds []string `json:"codeActionKinds"`
		ResolveProvider bool     `json:"resolveProvider"`
	}
	workspaceSupported struct {
		WorkspaceFolders struct {
			Supported           bool `json:"supported"`
			ChangeNotifications bool `json:"changeNotifications"`
		} `json:"workspaceFolders"`
	}

	textDocumentItem struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	}
	documentID struct {
		URI     string `json:"uri"`
		Version *int   `json:"version,omitempty"`
	}
	didOpenParams struct {
		TextDocument textDocumentItem `json:"textDocument"`
	}
	didChangeParams struct {
		TextDocument   documentID      `json:"textDocument"`
		ContentChanges []contentChange `json:"contentChanges"`
	}
	contentChange struct {
		Range *textRange `json:"range"` // nil: the whole document
		Text  string     `json:"text"`
	}
	documentParams struct { // of didSave and didClose
		TextDocument documentID `json:"textDocument"`
	}
	foldersParams struct {
		Event struct {
			Added   []workspaceFolder `json:"added"`
			Removed []workspaceFolder `json:"removed"`
		} `json:"event"`
	}
	watchedParams struct {
		Changes []struct {
			URI string `json:"uri"`
		} `json:"changes"`
	}
	configurationParams struct {
		Settings struct {
			Concvet json.RawMessage `json:"concvet"`
		} `json:"settings"`
	}

	publishParams struct {
		URI         string       `json:"uri"`
		Version     *int         `json:"version,omitempty"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	diagnostic struct {
		Range           textRange           `json:"range"`
		Severity        int                 `json:"severity"`
		Code            string              `json:"code"`
		CodeDescription *codeDescription    `json:"codeDescription,omitempty"`
		Source          string              `json:"source"`
		Message         string              `json:"message"`
		Related         []related           `json:"relatedInformation,omitempty"`
		Data            *diagnosticIdentity `json:"data,omitempty"`
	}
	codeDescription struct {
		Href string `json:"href"`
	}
	related struct {
		Location location `json:"location"`
		Message  string   `json:"message"`
	}
	// A diagnosticIdentity finds the finding of a diagnostic that comes back:
	// some clients change its range (neovim/neovim 0.7 counts bytes).
	diagnosticIdentity struct {
		ID      string `json:"id"`
		Version int    `json:"version"`
	}

	codeActionParams struct {
		TextDocument documentID `json:"textDocument"`
		Range        textRange  `json:"range"`
		Context      struct {
			Diagnostics []returnedDiagnostic `json:"diagnostics"`
			Only        []string             `json:"only"`
		} `json:"context"`
	}
	// A returnedDiagnostic may be another server's, so that nothing is known of
	// its code and data.
	returnedDiagnostic struct {
		Range  textRange       `json:"range"`
		Code   json.RawMessage `json:"code"`
		Source string          `json:"source"`
		Data   json.RawMessage `json:"data"`
	}
	codeAction struct {
		Title       string         `json:"title"`
		Kind        string         `json:"kind"`
		Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
		IsPreferred bool           `json:"isPreferred,omitempty"`
		Edit        *workspaceEdit `json:"edit,omitempty"`
		Data        *actionData    `json:"data,omitempty"`
	}
	// An actionData says what an action is to do, for the request to resolve it.
	actionData struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		ID      string `json:"id,omitempty"`  // of the finding
		Fix     int    `json:"fix,omitempty"` // its place among the fixes
		What    string `json:"what"`          // "fix", "ignore" or "all"
	}
	workspaceEdit struct {
		Changes         map[string][]textEdit `json:"changes,omitempty"`
		DocumentChanges []documentEdit        `json:"documentChanges,omitempty"`
	}
	documentEdit struct {
		TextDocument versionedID `json:"textDocument"`
		Edits        []textEdit  `json:"edits"`
	}
	versionedID struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"` // null: not open
	}
	textEdit struct {
		Range   textRange `json:"range"`
		NewText string    `json:"newText"`
	}

	hoverParams struct {
		TextDocument documentID `json:"textDocument"`
		Position     position   `json:"position"`
	}
	hover struct {
		Contents markup     `json:"contents"`
		Range    *textRange `json:"range,omitempty"`
	}
	markup struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}

	messageParams struct {
		Type    int    `json:"type"`
		Message string `json:"message"`
	}
	registrationParams struct {
		Registrations []registration `json:"registrations"`
	}
	registration struct {
		ID      string `json:"id"`
		Method  string `json:"method"`
		Options any    `json:"registerOptions,omitempty"`
	}
	watchers struct {
		Watchers []watcher `json:"watchers"`
	}
	watcher struct {
		GlobPattern string `json:"globPattern"`
	}
	configurationRequest struct {
		Items []configurationItem `json:"items"`
	}
	configurationItem struct {
		Section string `json:"section"`
	}
	progressToken struct {
		Token string `json:"token"`
	}
	progressParams struct {
		Token string        `json:"token"`
		Value progressValue `json:"value"`
	}
	progressValue struct {
		Kind    string `json:"kind"`
		Title   string `json:"title,omitempty"`
		Message string `json:"message,omitempty"`
	}
)

const (
	incremental = 2 // of syncOptions.Change

	severityWarning = 2

	messageError   = 1
	messageWarning = 2
	messageInfo    = 3

	kindQuickFix = "quickfix"
	kindFixAll   = "source.fixAll.concvet"
)
