// Package thirdparty has pools and channels of libraries.
package thirdparty

import (
	"context"
	"net/http"

	"github.com/alitto/pond/v2"
	ws "github.com/coder/websocket"
	"github.com/eapache/channels"
	"github.com/gammazero/workerpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/panjf2000/ants/v2"
	"github.com/puzpuzpuz/xsync/v4"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
	"github.com/smallnest/chanx"
	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/pool"
	"golang.org/x/time/rate"
)

func get(url string) { http.Get(url) }

func pondBad(in <-chan string) {
	p := pond.NewPool(8) // want `the workers of the pool are limited, its queue is not: .*; here a task is submitted for every value that is received from in .*pool-default`
	for url := range in {
		p.Submit(func() { get(url) })
	}
}

func pondSizeOk(in <-chan string) {
	p := pond.NewPool(8, pond.WithQueueSize(1000))
	for url := range in {
		p.Submit(func() { get(url) })
	}
}

func pondListOk(urls []string) {
	p := pond.NewPool(8)
	for _, url := range urls {
		p.Submit(func() { get(url) })
	}
	p.StopAndWait()
}

type service struct{ wp *workerpool.WorkerPool }

func newServiceBad() *service {
	return &service{wp: workerpool.New(8)} // want `pool-default`
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	url := r.FormValue("url")
	s.wp.Submit(func() { get(url) })
}

func concBad(in <-chan string) {
	p := pool.New()
	for url := range in {
		p.Go(func() { get(url) }) // want `the pool starts a goroutine for every value that is received from in: it has no limit unless one is asked for.*pool-default`
	}
	p.Wait()
}

func concMaxOk(in <-chan string) {
	p := pool.New().WithMaxGoroutines(8)
	for url := range in {
		p.Go(func() { get(url) })
	}
	p.Wait()
}

func concGroupBad(urls []string) {
	var wg conc.WaitGroup
	for _, url := range urls {
		wg.Go(func() { get(url) }) // want `go-per-item`
	}
	wg.Wait()
}

func antsBad(in <-chan string) {
	for url := range in {
		ants.Submit(func() { get(url) }) // want `pool-default`
	}
}

func antsPoolOk(in <-chan string) {
	p, err := ants.NewPool(8)
	if err != nil {
		return
	}
	for url := range in {
		p.Submit(func() { get(url) })
	}
}

// A size that is not positive is none.
type mails struct{ p *ants.PoolWithFunc }

func newMailsBad() (*mails, error) {
	p, err := ants.NewPoolWithFunc(0, func(v any) { get(v.(string)) }) // want `the pool has no limit.*pool-default`
	return &mails{p}, err
}

func antsUnlimitedBad(in <-chan string) {
	p, err := ants.NewPool(-1) // want `the pool has no limit.*pool-default`
	if err != nil {
		return
	}
	for url := range in {
		p.Submit(func() { get(url) })
	}
}

func antsSizeOk(n int) {
	_, _ = ants.NewPool(n)
	_, _ = ants.NewPool(100)
}

func channelsBad(ctx context.Context) {
	_ = channels.NewInfiniteChannel()         // want `infinite-chan`
	_ = chanx.NewUnboundedChan[int](ctx, 100) // want `infinite-chan`
	_ = xsync.NewUMPSCQueue[int]()            // want `infinite-chan`
}

func kafkaBad(ctx context.Context, r *kafka.Reader, handle func(kafka.Message)) {
	for {
		m, err := r.ReadMessage(ctx)
		if err != nil {
			return
		}
		go handle(m) // want `every message that is read from r .*go-per-item`
	}
}

func natsBad(nc *nats.Conn) {
	nc.Subscribe("jobs", func(m *nats.Msg) {
		go get(string(m.Data)) // want `for every message .*go-per-item`
	})
}

func rateOk(ctx context.Context, in <-chan string) {
	l := rate.NewLimiter(100, 1)
	for url := range in {
		if l.Wait(ctx) != nil {
			return
		}
		go get(url)
	}
}

func deliver(d amqp.Delivery) {
	get(string(d.Body))
	d.Ack(false)
}

func deliveriesBad(ch *amqp.Channel) {
	in, _ := ch.Consume("q", "", false, false, false, false, nil)
	for d := range in {
		go deliver(d) // want `go-per-item`
	}
}

// No more than 32 are out before one is acknowledged.
func prefetchOk(ch *amqp.Channel) {
	ch.Qos(32, 0, false)
	in, _ := ch.Consume("q", "", false, false, false, false, nil)
	for d := range in {
		go deliver(d)
	}
}

func prefetchByHelperOk(ch *amqp.Channel, n int) {
	prefetch(ch, n)
	in, _ := ch.Consume("q", "", false, false, false, false, nil)
	for d := range in {
		go func() {
			get(string(d.Body))
			d.Ack(false)
		}()
	}
}

func prefetch(ch *amqp.Channel, n int) { ch.Qos(n, 0, false) }

type consumer struct{ ch *amqp.Channel }

func (c *consumer) open(conn *amqp.Connection) error {
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	c.ch = ch
	return ch.Qos(8, 0, false)
}

func (c *consumer) prefetchInFieldOk() {
	in, _ := c.ch.Consume("q", "", false, false, false, false, nil)
	for d := range in {
		go deliver(d)
	}
}

// A prefetch of zero is none.
func prefetchZeroBad(ch *amqp.Channel) {
	ch.Qos(0, 0, false)
	in, _ := ch.Consume("q", "", false, false, false, false, nil)
	for d := range in {
		go deliver(d) // want `go-per-item`
	}
}

// Without acknowledgements the broker does not wait for any.
func autoAckBad(ch *amqp.Channel) {
	ch.Qos(32, 0, false)
	in, _ := ch.Consume("q", "", true, false, false, false, nil)
	for d := range in {
		go get(string(d.Body)) // want `go-per-item`
	}
}

func acknowledgedByTheLoopBad(ch *amqp.Channel) {
	ch.Qos(32, 0, false)
	in, _ := ch.Consume("q", "", false, false, false, false, nil)
	for d := range in {
		go get(string(d.Body)) // want `go-per-item`
		d.Ack(false)
	}
}

func acknowledgedFirstBad(ch *amqp.Channel) {
	ch.Qos(32, 0, false)
	in, _ := ch.Consume("q", "", false, false, false, false, nil)
	for d := range in {
		go func() { // want `go-per-item`
			d.Ack(false)
			get(string(d.Body))
		}()
	}
}

func framesBad(ctx context.Context, c *ws.Conn) {
	for {
		_, frame, err := c.Read(ctx)
		if err != nil {
			return
		}
		go get(string(frame)) // want `go-per-item`
	}
}

type ingest struct{ workers pond.Pool }

func newIngestBad() *ingest { return &ingest{workers: pond.NewPool(8)} } // want `here a task is submitted for every message.*pool-default`

// The message is acknowledged as soon as it is queued.
func (i *ingest) enqueue(m jetstream.Msg) {
	i.workers.Submit(func() { get(m.Subject()) })
	m.Ack()
}

func (i *ingest) start(cons jetstream.Consumer) { cons.Consume(i.enqueue) }

// The server has a limit of messages that are not acknowledged.
type patient struct{ workers pond.Pool }

func newPatientOk() *patient { return &patient{workers: pond.NewPool(8)} }

func (i *patient) enqueue(m jetstream.Msg) {
	i.workers.Submit(func() {
		get(m.Subject())
		m.Ack()
	})
}

func perMessageOk(m jetstream.Msg) {
	go func() {
		get(m.Subject())
		m.Ack()
	}()
}

func perMessageBad(m jetstream.Msg) {
	go get(m.Subject()) // want `go-per-item`
	m.Ack()
}

type background interface{ Run(job func()) }

type poolBackground struct{ wp *workerpool.WorkerPool }

func newBackgroundBad() *poolBackground {
	return &poolBackground{wp: workerpool.New(4)} // want `here a task is submitted for every request.*pool-default`
}

func (b *poolBackground) Run(job func()) { b.wp.Submit(job) }

type transcoder struct{ bg background }

func newTranscoder() *transcoder { return &transcoder{bg: newBackgroundBad()} }

func (t *transcoder) upload(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	t.bg.Run(func() { get(id) })
}

// It asks how much is waiting before it adds to that.
type admitting struct {
	wp   *workerpool.WorkerPool
	most int
}

func newAdmittingOk(n int) *admitting { return &admitting{wp: workerpool.New(n), most: 4 * n} }

func (b *admitting) Try(job func()) bool {
	if b.wp.WaitingQueueSize() >= b.most {
		return false
	}
	b.wp.Submit(job)
	return true
}

type trying interface{ Try(job func()) bool }

type admittingTranscoder struct{ bg trying }

func newAdmittingTranscoder() *admittingTranscoder {
	return &admittingTranscoder{bg: newAdmittingOk(4)}
}

func (t *admittingTranscoder) upload(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	if !t.bg.Try(func() { get(id) }) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}
