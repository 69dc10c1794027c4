package ok

import (
	"io"
	"time"

	"github.com/IBM/sarama"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/hashicorp/raft"
)

type screen struct{ prog *tea.Program }

func (s *screen) Init() tea.Cmd { return nil }

// In a command, or in a goroutine, Send waits for nothing of its own.
func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	go s.prog.Send(1)
	other := tea.NewProgram(s)
	other.Send(2)
	return s, func() tea.Msg {
		s.prog.Send(3)
		return nil
	}
}

func (s *screen) View() string { return "" }

func (s *screen) outside() { s.prog.Send(4) }

type fsm struct {
	raft *raft.Raft
	wake chan []byte
}

func (f *fsm) Apply(l *raft.Log) any {
	select {
	case f.wake <- l.Data:
	default:
	}
	f.raft.Apply(l.Data, time.Second) // its future is not waited for
	go f.propose(l.Data)
	return nil
}

func (f *fsm) Snapshot() (raft.FSMSnapshot, error) { return nil, nil }

func (f *fsm) Restore(io.ReadCloser) error { return nil }

func (f *fsm) propose(b []byte) error { return f.raft.Apply(b, time.Second).Error() }

type claims struct {
	group sarama.ConsumerGroup
	stop  func()
}

func (c *claims) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (c *claims) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c *claims) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for range claim.Messages() {
		time.Sleep(time.Second) // a claim may take its time
		go c.group.Close()
		c.stop()
		return nil
	}
	return nil
}

func (c *claims) close() error { return c.group.Close() }
