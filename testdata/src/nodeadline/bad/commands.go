package bad

import "net/http"

// A command of a queue, or of a protocol, is no command of a command line.
type logCommand struct {
	url string
	run func(*logCommand) error
}

func applyBad(c *logCommand) error {
	resp, err := http.Get(c.url) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

var commands = map[string]logCommand{"apply": {run: applyBad}}

type cmdQueue struct{ usage func() int }

func (q *cmdQueue) serve(in <-chan *logCommand) {
	for c := range in {
		if err := c.run(c); err != nil {
			return
		}
	}
}
