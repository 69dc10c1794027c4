// Package thirdparty has contexts that never end in calls of libraries.
package thirdparty

import (
	"context"
	"time"

	"github.com/gorilla/websocket"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	clientv3 "go.etcd.io/etcd/client/v3"
	"golang.org/x/crypto/ssh"
	"golang.org/x/sync/semaphore"
)

func acquireBad(p *pgxpool.Pool) (*pgxpool.Conn, error) {
	return p.Acquire(context.Background()) // want `reaches \(\*pgxpool\.Pool\)\.Acquire.*ctx-none`
}

func acquireOk(ctx context.Context, p *pgxpool.Pool) (*pgxpool.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return p.Acquire(ctx)
}

func putBad(c *clientv3.Client) error {
	_, err := c.KV.Put(context.Background(), "k", "v") // want `ctx-none`
	return err
}

func weightBad(s *semaphore.Weighted) error {
	return s.Acquire(context.Background(), 1) // want `reaches \(\*semaphore\.Weighted\)\.Acquire.*ctx-none`
}

// By default its commands end by themselves.
func redisOk(c *redis.Client) error { return c.Get(context.Background(), "k").Err() }

func redisBlockBad(c *redis.Client) error {
	return c.BLPop(context.Background(), 0, "k").Err() // want `ctx-none`
}

func sshBad(addr string, conf *ssh.ClientConfig) (*ssh.Client, error) {
	return ssh.Dial("tcp", addr, &ssh.ClientConfig{User: conf.User}) // want `dial`
}

func sshOk(addr string) (*ssh.Client, error) {
	return ssh.Dial("tcp", addr, &ssh.ClientConfig{Timeout: time.Second})
}

// A parameter may have one.
func sshGivenOk(addr string, conf *ssh.ClientConfig) (*ssh.Client, error) {
	return ssh.Dial("tcp", addr, conf)
}

func websocketBad(url string) (*websocket.Conn, error) {
	c, _, err := (&websocket.Dialer{}).Dial(url, nil) // want `dial`
	return c, err
}

func websocketOk(url string) (*websocket.Conn, error) {
	c, _, err := websocket.DefaultDialer.Dial(url, nil)
	return c, err
}
