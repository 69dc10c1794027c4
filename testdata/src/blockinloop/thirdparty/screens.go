// Package thirdparty has functions that a library runs on its own loop.
package thirdparty

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"time"

	"charm.land/bubbletea/v2"
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
	"gioui.org/app"
	tea1 "github.com/charmbracelet/bubbletea"
	"github.com/hajimehoshi/ebiten/v2"
)

// Update of a terminal program waits, directly and through what it calls.
type listBad struct {
	client *http.Client
	body   string
}

func (m listBad) Init() tea1.Cmd { return nil }

func (m listBad) Update(msg tea1.Msg) (tea1.Model, tea1.Cmd) {
	switch msg.(type) {
	case tea1.KeyMsg:
		m.body = m.load()       // want `^an outbound call \(\(\*http\.Client\)\.Get via listBad\.load\) in a function that runs on the bubbletea event loop: nothing else is handled there meanwhile \[blockinloop/callback\]$`
		time.Sleep(time.Second) // want `a sleep .* on the bubbletea event loop`
	}
	return m, nil
}

func (m listBad) View() string {
	out, _ := exec.Command("git", "status").Output() // want `a wait for another process .* on the bubbletea event loop`
	return m.body + string(out)
}

func (m listBad) load() string {
	resp, err := m.client.Get("http://peer.example/")
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return string(text)
}

// A command runs in a goroutine of its own.
type listOk struct {
	client *http.Client
	body   string
}

type loaded string

func (m listOk) Init() tea1.Cmd { return nil }

func (m listOk) Update(msg tea1.Msg) (tea1.Model, tea1.Cmd) {
	switch msg := msg.(type) {
	case tea1.KeyMsg:
		return m, m.load
	case loaded:
		m.body = string(msg)
		return m, func() tea1.Msg {
			time.Sleep(time.Second)
			return nil
		}
	}
	return m, nil
}

func (m listOk) View() string { return m.body }

func (m listOk) load() tea1.Msg {
	resp, err := m.client.Get("http://peer.example/")
	if err != nil {
		return loaded(err.Error())
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return loaded(text)
}

// The second version, with a pointer for a receiver.
type pageBad struct{ ready chan string }

func (m *pageBad) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	<-m.ready // want `a receive \(receive from m\.ready\) in a function that runs on the bubbletea event loop`
	return m, nil
}

func (m *pageBad) View() tea.View { return tea.NewView("") }

// Not a model: nobody runs it on the loop.
type notAModelOk struct{ ready chan string }

func (m *notAModelOk) Update(int) { <-m.ready }

// A game.
type gameBad struct{ scores *http.Client }

func (g *gameBad) Update() error {
	g.scores.Get("http://peer.example/scores") // want `an outbound call .* on the game loop`
	return nil
}

func (g *gameBad) Draw(*ebiten.Image) {}

func (g *gameBad) Layout(w, h int) (int, int) { return w, h }

type gameOk struct {
	scores *http.Client
	frame  int
}

func (g *gameOk) Update() error {
	if g.frame++; g.frame%600 == 0 {
		go g.scores.Get("http://peer.example/scores")
	}
	return nil
}

func (g *gameOk) Draw(*ebiten.Image) {
	os.ReadFile("sprites.png") // slow, and no wait for anybody
}

func (g *gameOk) Layout(w, h int) (int, int) { return w, h }

// A window of fyne.
func buttonBad(c *http.Client) *widget.Button {
	return widget.NewButton("load", func() {
		c.Get("http://peer.example/") // want `an outbound call .* on the fyne main goroutine`
	})
}

func fieldsBad(c *http.Client) (*widget.Button, *widget.Entry) {
	b := &widget.Button{OnTapped: func() {
		time.Sleep(time.Second) // want `a sleep .* on the fyne main goroutine`
	}}
	e := widget.NewEntry()
	e.OnSubmitted = search{c}.submitBad
	return b, e
}

type search struct{ c *http.Client }

func (s search) submitBad(text string) {
	s.c.Get("http://peer.example/?q=" + text) // want `an outbound call .* on the fyne main goroutine`
}

func doBad(c *http.Client) {
	fyne.Do(func() {
		c.Get("http://peer.example/") // want `an outbound call .* on the fyne main goroutine`
	})
}

func buttonOk(c *http.Client, label *widget.Entry) *widget.Button {
	return widget.NewButton("load", func() {
		go func() {
			c.Get("http://peer.example/")
			fyne.Do(func() { label.OnChanged("loaded") })
		}()
	})
}

// A window of gio.
func windowBad(w *app.Window, c *http.Client) error {
	for {
		switch e := w.Event().(type) {
		case app.DestroyEvent:
			return e.Err
		case app.FrameEvent:
			c.Get("http://peer.example/") // want `an outbound call .* on the gio window loop`
		}
	}
}

func windowOk(w *app.Window, c *http.Client) error {
	for {
		switch e := w.Event().(type) {
		case app.DestroyEvent:
			c.Get("http://peer.example/bye")
			return e.Err
		case app.FrameEvent:
			go c.Get("http://peer.example/")
		}
	}
}
