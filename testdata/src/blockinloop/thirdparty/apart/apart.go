// Package apart has told the library to run each handler in a goroutine.
package apart

import (
	"os"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/nats-io/nats.go"
)

func options() *mqtt.ClientOptions {
	opts := &mqtt.ClientOptions{}
	opts.SetOrderMatters(false)
	return opts
}

func handlersOk(c mqtt.Client) {
	options()
	c.Subscribe("a/#", 1, func(mqtt.Client, mqtt.Message) { time.Sleep(time.Second) })
	c.AddRoute("b/#", slowOk)
}

func slowOk(mqtt.Client, mqtt.Message) { time.Sleep(time.Second) }

// The process ends then.
func removedOk(nc *nats.Conn) {
	nc.Subscribe("removed", func(*nats.Msg) {
		time.Sleep(time.Second)
		os.Exit(0)
	})
}
