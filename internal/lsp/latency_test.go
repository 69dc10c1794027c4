package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// largePackage writes a package of about 5,000 lines in ten files: types with
// locks, HTTP calls, channels and helpers, of which each file has one mistake.
func largePackage(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	lines := 0
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		var b strings.Builder
		b.WriteString("package large\n\nimport (\n\t\"context\"\n\t\"net/http\"\n\t\"sync\"\n\t\"time\"\n)\n")
		for j := range 11 {
			fmt.Fprintf(&b, service, fmt.Sprintf("%d_%d", i, j))
		}
		fmt.Fprintf(&b, mistake, i)
		lines += strings.Count(b.String(), "\n")
		write(fmt.Sprintf("service%d.go", i), b.String())
	}
	write("go.mod", "module example.com/large\n\ngo 1.26\n")
	if lines < 4800 || lines > 5300 {
		t.Fatalf("the package has %d lines", lines)
	}
	return dir
}

const service = `
type Service%[1]s struct {
	mu     sync.Mutex
	client *http.Client
	cache  map[string]int
	jobs   chan string
	done   chan struct{}
}

func NewService%[1]s() *Service%[1]s {
	return &Service%[1]s{client: &http.Client{Timeout: time.Second}, cache: map[string]int{}, jobs: make(chan string, 8), done: make(chan struct{})}
}

func (s *Service%[1]s) Get(ctx context.Context, url string) (int, error) {
	s.mu.Lock()
	n, ok := s.cache[url]
	s.mu.Unlock()
	if ok {
		return n, nil
	}
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return 0, err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache[url] = resp.StatusCode
	return resp.StatusCode, nil
}

func (s *Service%[1]s) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			close(s.done)
			return
		case url := <-s.jobs:
			_, _ = s.Get(ctx, url)
		}
	}
}
`

const mistake = `
func Late%[1]d(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
	time.Sleep(time.Second)
}
`

// BenchmarkChange is the time from a change to its diagnostics, in a package of
// 5,000 lines: with nothing else to do, the time that nothing must be typed, 700
// ms, is part of it. docs/benchmarks.md has the figures.
func BenchmarkChange(b *testing.B) {
	dir := largePackage(b)
	c, _ := spawn(b, dir)
	c.initialize(full, `{}`)
	src := c.openFile("service3.go")
	if list := c.diagnostics("service3.go", 1); len(list) != 1 {
		b.Fatalf("published: %+v", list)
	}
	late := "\n" + `func More(mu *sync.Mutex) { mu.Lock(); time.Sleep(%d * time.Second); mu.Unlock() }` + "\n"
	var took []time.Duration
	version := 1
	for b.Loop() {
		version++
		start := time.Now()
		c.replace("service3.go", src+fmt.Sprintf(late, version), version)
		c.until("the new finding", func() bool {
			p := c.last("service3.go", version)
			return p != nil && len(p.Diagnostics) == 2
		})
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, "ms-median")
	b.ReportMetric(took[len(took)-1].Seconds()*1000, "ms-max")
}
