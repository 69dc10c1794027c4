package notify

import "log"

// A Mail is on its way to a customer.
type Mail struct {
	To, Text string

	tries int
}

const maxTries = 5

// Outbox sends mail, a few at a time.
type Outbox struct {
	queue chan Mail
	send  func(Mail) error
}

// NewOutbox returns an outbox with some workers and room for 100 mails.
func NewOutbox(workers int, send func(Mail) error) *Outbox {
	o := &Outbox{queue: make(chan Mail, 100), send: send}
	for range workers {
		go o.work()
	}
	return o
}

// Add puts a mail into the outbox.
func (o *Outbox) Add(m Mail) { o.queue <- m }

func (o *Outbox) work() {
	for m := range o.queue {
		if err := o.send(m); err != nil {
			o.failed(m, err)
		}
	}
}

// failed gives a mail another chance.
func (o *Outbox) failed(m Mail, err error) {
	if m.tries++; m.tries == maxTries {
		log.Printf("mail to %s: %v", m.To, err)
		return
	}
	o.Add(m)
}
