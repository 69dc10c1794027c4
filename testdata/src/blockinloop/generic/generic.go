// Package generic has loops with type parameters.
package generic

import "net/http"

type bus[T any] struct {
	publish   chan T
	subscribe chan chan T
	subs      map[chan T]bool
}

func (b *bus[T]) runBad() {
	for {
		select {
		case ch := <-b.subscribe:
			b.subs[ch] = true
		case v := <-b.publish:
			for ch := range b.subs {
				ch <- v // want `a send .* in an event loop, which also serves b\.subscribe`
			}
		}
	}
}

func (b *bus[T]) runOk() {
	for {
		select {
		case ch := <-b.subscribe:
			b.subs[ch] = true
		case v := <-b.publish:
			for ch := range b.subs {
				select {
				case ch <- v:
				default:
					delete(b.subs, ch)
				}
			}
		}
	}
}

func serveBad[K comparable, V any](set <-chan map[K]V, get <-chan K, load func(K) V) {
	all := map[K]V{}
	for {
		select {
		case m := <-set:
			for k, v := range m {
				all[k] = v
			}
		case k := <-get:
			fetch(k) // want `an outbound call \(http\.Get via fetch\) in an event loop, which also serves set`
		}
	}
}

func fetch[K comparable](K) { http.Get("http://peer.example/") }
