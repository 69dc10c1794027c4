// Package callfirst has calls that can be made before the lock is taken.
package callfirst

import (
	"database/sql"
	"net/http"
	"sync"
	"time"
)

type cache struct {
	mu     sync.Mutex
	rw     sync.RWMutex
	token  string
	code   int
	at     time.Time
	client *http.Client
	db     *sql.DB
	ready  chan struct{}
	in     chan string
}

func (c *cache) set(token string) {
	c.mu.Lock()
	c.token = token
	c.mu.Unlock()
}

func (c *cache) sleepGood() {
	c.mu.Lock()
	defer c.mu.Unlock()
	time.Sleep(time.Second) // want `across a sleep`
	c.code = 0
}

func (c *cache) fetchJudge(url string) error {
	c.mu.Lock()
	defer c.mu.Unlock()

	// The server may be slow.
	resp, err := c.client.Get(url) // want `across an outbound call`
	if err != nil {
		return err
	}
	c.code = resp.StatusCode
	return nil
}

func (c *cache) saveJudge(token string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.db.Exec("UPDATE t SET token = ?", token); err != nil { // want `across a database call`
		return err
	}
	c.token = token
	return nil
}

func (c *cache) compareGood(url string) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	resp, err := c.client.Get(url) // want `across an outbound call`
	if err != nil {
		return false, err
	}
	return resp.StatusCode == c.code, nil
}

func (c *cache) readGood() string {
	c.rw.RLock()
	<-c.ready // want `across a channel receive`
	t := c.token
	c.rw.RUnlock()
	return t
}

func (c *cache) receiveJudge() {
	c.mu.Lock()
	token := <-c.in // want `across a channel receive`
	c.token = token
	c.mu.Unlock()
}

func (c *cache) explicitErrorJudge(url string) error {
	c.mu.Lock()
	resp, err := c.client.Head(url) // want `across an outbound call`
	if err != nil {
		c.mu.Unlock()
		return err
	}
	c.code = resp.StatusCode
	c.at = time.Now()
	c.mu.Unlock()
	return nil
}

func (c *cache) sendJudge(s string) {
	c.mu.Lock()
	c.in <- s // want `across a channel send`
	c.code++
	c.mu.Unlock()
}
