package ok

import "net/http"

type question struct{ url string }

// What makes the list appends to it twice at most.
func questions(v4, v6 bool) []*question {
	var out []*question
	if v4 {
		out = append(out, &question{"http://a"})
	}
	if v6 {
		out = append(out, &question{"http://aaaa"})
	}
	return out
}

func askListedOk(v4, v6 bool) {
	for _, q := range questions(v4, v6) {
		go func() { http.Get(q.url) }()
	}
}

func askAppendedOk(more bool) {
	list := []string{"http://a", "http://b"}
	if more {
		list = append(list, "http://c")
	}
	for _, url := range list {
		go func() { http.Get(url) }()
	}
}

func listWithError(v4 bool) ([]string, error) {
	if !v4 {
		return nil, http.ErrNotSupported
	}
	return []string{"http://a"}, nil
}

func askCheckedOk(v4 bool) error {
	list, err := listWithError(v4)
	if err != nil {
		return err
	}
	for _, url := range list {
		go func() { http.Get(url) }()
	}
	return nil
}

// A pool gives away what has room in its channel, and no more.
func drainOk(idle <-chan *http.Client) {
	for {
		select {
		case c := <-idle:
			go c.Get("http://bye")
		default:
			return
		}
	}
}
