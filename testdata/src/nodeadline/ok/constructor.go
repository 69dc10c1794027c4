package ok

import (
	"net/http"
	"time"
)

// The field is set in the constructor, which stands in another file than its use.
type remote struct{ client *http.Client }

func newRemote() *remote { return &remote{client: &http.Client{Timeout: time.Second}} }
