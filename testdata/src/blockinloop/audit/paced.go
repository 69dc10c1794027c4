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
