// Package generic has pools with type parameters.
package generic

type Pool[T any] struct {
	in   chan T
	work func(T) []T
}

func (p *Pool[T]) loopBad() {
	for v := range p.in {
		for _, next := range p.work(v) {
			p.Submit(next) // want `send on p.in via .*Submit .*chan-worker`
		}
	}
}

func (p *Pool[T]) Submit(v T) { p.in <- v }

func drainBad[T any](c chan T, f func(T) []T) {
	for v := range c {
		for _, next := range f(v) {
			c <- next // want `send on c .*chan-worker`
		}
	}
}

func mapOk[T, U any](in <-chan T, out chan<- U, f func(T) U) {
	for v := range in {
		out <- f(v)
	}
}
