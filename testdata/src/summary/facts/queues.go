package facts

// A queue that leaves the lock and the limit to whoever has it.
type Queue struct{ items []int }

func (q *Queue) Push(v int) { q.items = append(q.items, v) } // want Push:`^queues\(enqueue on recv\)$`

func (q *Queue) Pop() int { // want Pop:`^queues\(enqueue on recv\)$`
	v := q.items[0]
	q.items = q.items[1:]
	return v
}

// With a limit nobody need be told.
type Bounded struct{ items []int }

func (b *Bounded) Push(v int) {
	if len(b.items) < 100 {
		b.items = append(b.items, v)
	}
}

func (b *Bounded) Pop() int {
	v := b.items[0]
	b.items = b.items[1:]
	return v
}

// A pool by hand.
type Spawner struct{ slots chan struct{} }

func NewSpawner() *Spawner { return &Spawner{make(chan struct{}, 8)} }

func (s *Spawner) Go(f func()) { // want Go:`task\(p0 on recv.slots waits\)`
	s.slots <- struct{}{}
	go func() {
		defer func() { <-s.slots }()
		f()
	}()
}

// For every element one, all at once.
func Each(list []int, f func(int)) { // want Each:`calls\(p1 async each p0\)`
	for _, v := range list {
		go f(v)
	}
}
