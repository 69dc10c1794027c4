package bad

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"time"
)

func work([]byte) { time.Sleep(time.Second) }

func rangeBad(in <-chan []byte) {
	for msg := range in {
		go work(msg) // want `a goroutine is started for every value that is received from in and nothing limits how many there are at once: each sleeps .*go-per-item`
	}
}

func receiveBad(in <-chan []byte) {
	for {
		msg, ok := <-in
		if !ok {
			return
		}
		go work(msg) // want `received from in .*go-per-item`
	}
}

// What the case receives counts, not the other ones.
func selectBad(ctx context.Context, in <-chan []byte, tick *time.Ticker) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			go work(nil)
		case msg := <-in:
			go work(msg) // want `received from in .*go-per-item`
		}
	}
}

func packetBad(pc *net.UDPConn, handle func([]byte)) {
	for {
		buf := make([]byte, 512)
		n, _, err := pc.ReadFromUDP(buf)
		if err != nil {
			return
		}
		go handle(buf[:n]) // want `every message that is read from pc .*may take as long as it likes .*go-per-item`
	}
}

func lineBad(r io.Reader) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		url := lines.Text()
		go http.Get(url) // want `every message that is read from r .*makes an outbound call .*go-per-item`
	}
}

// A helper hands the messages out.
type reader struct{ pc net.PacketConn }

func (r *reader) next() ([]byte, error) {
	buf := make([]byte, 512)
	n, _, err := r.pc.ReadFrom(buf)
	return buf[:n], err
}

func (r *reader) helperBad() {
	for {
		msg, err := r.next()
		if err != nil {
			return
		}
		go work(msg) // want `every message that is read .*go-per-item`
	}
}

// A helper starts the goroutine.
func start(msg []byte) { go work(msg) }

func startedBad(in <-chan []byte) {
	for msg := range in {
		start(msg) // want `every value that is received from in \(go work via start\) .*go-per-item`
	}
}

// A helper starts what it is given.
func async(f func()) { go f() }

func givenBad(in <-chan []byte) {
	for msg := range in {
		async(func() { work(msg) }) // want `every value that is received from in .*go-per-item`
	}
}

// The outer loop is fed by the load, the inner one by its elements.
func nestedBad(in <-chan [][]byte) {
	for batch := range in {
		for _, msg := range batch {
			go work(msg) // want `received from in .*go-per-item`
		}
	}
}

func sliceBad(urls []string) {
	for _, url := range urls {
		go http.Get(url) // want `every element of urls .*outbound call .*go-per-item`
	}
}

func indexBad(names []string) {
	var wg sync.WaitGroup
	for i := 0; i < len(names); i++ {
		wg.Add(1)
		go func() { // want `every element of names .*runs another process .*go-per-item`
			defer wg.Done()
			exec.Command("convert", names[i]).Run()
		}()
	}
	wg.Wait()
}

func groupGoBad(urls []string) {
	var wg sync.WaitGroup
	for _, url := range urls {
		wg.Go(func() { http.Get(url) }) // want `every element of urls .*go-per-item`
	}
	wg.Wait()
}

// What is listed by a call is no more limited than what is passed.
func listed(list func() ([]string, error)) error {
	urls, err := list()
	if err != nil {
		return err
	}
	for _, url := range urls {
		go http.Get(url) // want `every element of urls .*go-per-item`
	}
	return nil
}

// A handler runs once a request: a process for each is too many.
func handlerBad(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	go exec.Command("convert", name).Run() // want `a goroutine is started for every request and nothing limits how many there are at once: each runs another process .*go-per-item`
}

// The token is taken outside the loop: it limits nothing.
func outsideBad(in <-chan []byte) {
	sem := make(chan struct{}, 1)
	sem <- struct{}{}
	for msg := range in {
		go work(msg) // want `go-per-item`
	}
	<-sem
}

// A condition on the message is no limit.
func conditionBad(in <-chan []byte, min int) {
	for msg := range in {
		if len(msg) > min {
			go work(msg) // want `go-per-item`
		}
	}
}

// A batch that is full is no limit on the goroutines.
func batchBad(in <-chan []byte, flush func([][]byte)) {
	var batch [][]byte
	for msg := range in {
		batch = append(batch, msg)
		if len(batch) >= 100 {
			go flush(batch) // want `go-per-item`
			batch = nil
		}
	}
}

// A look-up of the handler is no limit, either.
func routedBad(in <-chan string, handlers map[string]func(string)) {
	for msg := range in {
		h, ok := handlers[msg]
		if !ok {
			continue
		}
		go h(msg) // want `go-per-item`
	}
}
