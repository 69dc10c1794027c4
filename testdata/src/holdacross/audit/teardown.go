package audit

import (
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"
)

// What ends connections waits for one of them to close: nobody should get the
// lock before it has.
type connections struct {
	mu   sync.Mutex
	open map[string]*amqp.Channel
}

func (c *connections) CloseAll() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, ch := range c.open {
		if err := ch.Close(); err != nil { // want `c\.mu .* is held across .*holdacross/lock-blocking`
			return err
		}
		delete(c.open, name)
	}
	return nil
}

func (c *connections) get(name string) *amqp.Channel {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open[name]
}
