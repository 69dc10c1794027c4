// Package judge has fixes that change more than the finding.
package judge

import (
	"net/http"
	"os/exec"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

type server struct {
	client *http.Client
	jobs   chan string
	other  chan string
	n      int
}

func (s *server) publishJudge(add <-chan chan string) {
	subs := map[chan string]bool{}
	for {
		select {
		case ch := <-add:
			subs[ch] = true
		case j := <-s.jobs:
			for ch := range subs {
				ch <- j // want `a send .* in an event loop, which also serves add`
			}
		}
	}
}

func (s *server) callJudge() {
	for {
		select {
		case j := <-s.jobs:
			s.notify(j) // want `an outbound call .* in an event loop`
		case <-s.other:
			s.n++
		}
	}
}

func (s *server) notify(j string) { s.client.Get("http://peer.example/" + j) }

type modelJudge struct{ client *http.Client }

func (m modelJudge) Init() tea.Cmd { return nil }

func (m modelJudge) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case tea.KeyMsg:
		m.client.Get("http://peer.example/") // want `an outbound call .* on the bubbletea event loop`
		return m, nil
	}
	return m, nil
}

func (m modelJudge) View() string { return "" }

var _, _ = exec.Command, time.Sleep
