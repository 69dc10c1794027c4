// Package wrap hands functions of its callers to libraries, which run them on
// their loops.
package wrap

import (
	"net/http"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/nats-io/nats.go"
	"github.com/tidwall/evio"
	"k8s.io/client-go/tools/cache"
)

// A Bus hides the library.
type Bus struct{ conn *nats.Conn }

func (b *Bus) On(subject string, f func(*nats.Msg)) { b.conn.Subscribe(subject, f) }

// OnData calls f in a function of its own.
func (b *Bus) OnData(subject string, f func([]byte)) {
	b.conn.Subscribe(subject, func(m *nats.Msg) {
		if len(m.Data) > 0 {
			f(m.Data)
		}
	})
}

// OnLater does not: the message is handled in a goroutine.
func (b *Bus) OnLater(subject string, f func([]byte)) {
	b.conn.Subscribe(subject, func(m *nats.Msg) { go f(m.Data) })
}

// Added puts f into a field.
func Added(inf cache.SharedIndexInformer, f func(any)) {
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: f})
}

// Changed puts f into a field of a function of its own, two calls away.
func Changed(inf cache.SharedIndexInformer, f func(any)) { changed(inf, f) }

func changed(inf cache.SharedIndexInformer, f func(any)) {
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, obj any) { f(obj) }})
}

func Topic(c mqtt.Client, topic string, f mqtt.MessageHandler) { c.Subscribe(topic, 1, f) }

func Button(text string, f func()) *widget.Button { return widget.NewButton(text, f) }

func Tapped(text string, f func()) *widget.Button { return &widget.Button{Text: text, OnTapped: f} }

func Do(f func()) { fyne.Do(func() { f() }) }

func Data(f func(in []byte) []byte) evio.Events {
	return evio.Events{Data: func(_ evio.Conn, in []byte) ([]byte, evio.Action) { return f(in), evio.None }}
}

// Fetch is what the methods of other packages call.
func Fetch(c *http.Client) { c.Get("http://peer.example/") }

// Base has methods for those that embed it.
type Base struct{ Client *http.Client }

func (b *Base) Reload() { Fetch(b.Client) }

func Pause() { time.Sleep(time.Second) }

// Handler makes what others give to the loop.
func Handler() func(*nats.Msg) { return func(*nats.Msg) { Pause() } }
