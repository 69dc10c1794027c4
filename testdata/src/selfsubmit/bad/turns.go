package bad

import (
	"errors"
	"io"
	"time"

	"github.com/IBM/sarama"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/hashicorp/raft"
)

// What a library runs on a loop of its own waits for that loop.

type screen struct {
	prog *tea.Program
	done int
}

func (s *screen) Init() tea.Cmd { return nil }

func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	s.prog.Send(1)     // want `^Update runs on the bubbletea event loop and waits in \(\*tea\.Program\)\.Send until that comes to it, which it cannot before Update has returned: deadlock \[selfsubmit/self-wait\]$`
	s.prog.Println("") // want `Update runs on the bubbletea event loop .*Println.*self-wait`
	s.progress()       // want `Update runs on the bubbletea event loop and waits in \(\*tea\.Program\)\.Send via \(\*screen\)\.progress .*self-wait`
	func() {           // want `Update runs on the bubbletea event loop .*Quit.*self-wait`
		s.prog.Quit()
	}()
	return s, nil
}

func (s *screen) View() string { return "" }

func (s *screen) progress() {
	s.done++
	s.prog.Send(s.done)
}

// A model that is passed by value.
type page struct {
	prog *tea.Program
	n    int
}

func (p page) Init() tea.Cmd { return nil }

func (p page) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	p.n++
	p.prog.Send(p.n) // want `Update runs on the bubbletea event loop .*self-wait`
	return p, nil
}

func (p page) View() string { return "" }

var program *tea.Program

type dialog struct{}

func (dialog) Init() tea.Cmd { return nil }

func (d dialog) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	program.Send(msg) // want `Update runs on the bubbletea event loop .*self-wait`
	return d, nil
}

func (dialog) View() string { return "" }

type fsm struct{ raft *raft.Raft }

func (f *fsm) Restore(io.ReadCloser) error { return nil }

func (f *fsm) propose(b []byte) error { return f.raft.Apply(b, time.Second).Error() }

func (f *fsm) Apply(l *raft.Log) any {
	if err := f.propose(l.Data); err != nil { // want `Apply runs on the goroutine that applies the raft log and waits in \(raft\.Future\)\.Error via \(\*fsm\)\.propose .*self-wait`
		return err
	}
	future := f.raft.Barrier(0)
	return future.Error() // want `Apply runs on the goroutine that applies the raft log .*self-wait`
}

func (f *fsm) Snapshot() (raft.FSMSnapshot, error) {
	return nil, f.raft.Snapshot().Error() // want `Snapshot runs on the goroutine that applies the raft log .*self-wait`
}

var errPoison = errors.New("poison")

type claims struct {
	group sarama.ConsumerGroup
	apply func([]byte) error
}

func (c *claims) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (c *claims) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *claims) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for m := range claim.Messages() {
		if err := c.apply(m.Value); errors.Is(err, errPoison) {
			return c.group.Close() // want `ConsumeClaim runs on the session of the consumer group and waits in .*Close .*self-wait`
		}
	}
	return nil
}
