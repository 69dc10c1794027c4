package audit

import "time"

// The loop ends with its timeout: that it is late by one pause hurts nobody.
func untilTimeout(limit, pause time.Duration, done func() bool) bool {
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	for {
		select {
		case <-timeout.C:
			return false
		default:
			if done() {
				return true
			}
			time.Sleep(pause) // want `a sleep .*ignores-stop`
		}
	}
}

// The helper polls at a pace that somebody has configured.
type delayed struct {
	stop  chan struct{}
	pause time.Duration
	work  func()
}

func (d *delayed) next() {
	time.Sleep(d.pause)
	d.work()
}

func (d *delayed) run() {
	for {
		select {
		case <-d.stop:
			return
		default:
			d.next() // want `a sleep .*ignores-stop`
		}
	}
}

// Three calls away: as a rule the pace of a retry that is rare.
type monitor struct {
	changes chan int
	entries chan int
	n       int
}

func (m *monitor) run() {
	for {
		select {
		case n := <-m.changes:
			m.n = n
		case e := <-m.entries:
			m.apply(e) // want `a sleep .* in an event loop`
		}
	}
}

func (m *monitor) apply(e int) {
	if e < 0 {
		m.catchUp()
	}
}

func (m *monitor) catchUp() { m.again() }

func (m *monitor) again() { time.Sleep(5 * time.Second) }

// The helper gives up after some attempts, or has a flag to look at.
type dialer struct {
	dial   func() error
	closed bool
	pause  time.Duration
}

func (d *dialer) fiveTimes() {
	for range 5 {
		if d.dial() == nil {
			return
		}
		time.Sleep(d.pause)
	}
}

func (d *dialer) untilClosed() {
	for {
		if d.closed {
			return
		}
		if err := d.dial(); err == nil {
			return
		}
		time.Sleep(d.pause)
	}
}

func (d *dialer) Run(stop <-chan struct{}, lost, other <-chan int) {
	for {
		select {
		case <-stop:
			return
		case <-lost:
			d.fiveTimes() // want `a sleep .*ignores-stop`
		case <-other:
			d.untilClosed() // want `a sleep .*ignores-stop`
		}
	}
}

// The way in which servers accept: it begins with 5 ms, and never comes to more
// than a second.
func Accepting(stop <-chan struct{}, accept func() error, serve func()) {
	var delay time.Duration
	for {
		if err := accept(); err != nil {
			select {
			case <-stop:
				return
			default:
			}
			if delay == 0 {
				delay = 5 * time.Millisecond
			} else {
				delay *= 2
			}
			if longest := 1 * time.Second; delay > longest {
				delay = longest
			}
			time.Sleep(delay) // want `a sleep .*ignores-stop`
			continue
		}
		delay = 0
		serve()
	}
}
