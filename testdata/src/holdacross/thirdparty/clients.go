package thirdparty

import (
	"context"
	"net/http"
	"sync"
	"time"

	redigo "github.com/gomodule/redigo/redis"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// redigo: a connection of the pool is held from Get to Close.

func redigoBad(pool *redigo.Pool) {
	conn := pool.Get()
	defer conn.Close()
	time.Sleep(time.Second) // want `connection conn .* is held across a sleep of 1s.*holdacross/conn-outbound`
}

func redigoOutboundBad(pool *redigo.Pool) {
	conn := pool.Get()
	defer conn.Close()
	key, _ := redigo.String(conn.Do("GET", "key"))
	http.Get(key) // want `connection conn .* is held across an outbound call.*holdacross/conn-outbound`
}

func redigoOk(pool *redigo.Pool) {
	conn := pool.Get()
	conn.Do("GET", "key")
	conn.Close()
	http.Get(peer)
}

func redigoOwnWorkOk(pool *redigo.Pool) error {
	conn := pool.Get()
	defer conn.Close()
	_, err := conn.Do("GET", "key")
	return err
}

func redigoSamePoolBad(pool *redigo.Pool) {
	conn := pool.Get()
	defer conn.Close()
	other := pool.Get() // want `connection conn .* holds a connection of pool .*holdacross/same-pool`
	other.Close()
}

// go-redis: a client has a pool, so only what pins a connection counts, and a
// lock across a command.

func (c *cache) goRedisBad(ctx context.Context, rdb *redis.Client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	rdb.Get(ctx, "key") // want `c\.mu .* is held across an outbound call`
}

func (c *cache) goRedisPipelineOk(ctx context.Context, pipe redis.Pipeliner) {
	c.mu.Lock()
	defer c.mu.Unlock()
	pipe.Get(ctx, "key")
}

func (c *cache) goRedisOk(ctx context.Context, rdb *redis.Client) {
	v := rdb.Get(ctx, "key").Val()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values["key"] = v
}

func goRedisWatchBad(ctx context.Context, rdb *redis.Client) error {
	return rdb.Watch(ctx, func(tx *redis.Tx) error {
		http.Get(peer) // want `connection tx .* is held across an outbound call.*holdacross/conn-outbound`
		return nil
	}, "key")
}

func goRedisWatchOk(ctx context.Context, rdb *redis.Client) error {
	return rdb.Watch(ctx, func(tx *redis.Tx) error {
		return tx.Get(ctx, "key").Err()
	}, "key")
}

// errgroup: without a limit Go starts the goroutine at once.

func (c *cache) errgroupOk(list []string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	g, _ := errgroup.WithContext(context.Background())
	for _, s := range list {
		g.Go(func() error {
			_ = len(s)
			return nil
		})
	}
	return g.Wait()
}

func (c *cache) errgroupLimitedBad(g *errgroup.Group) {
	g.SetLimit(2)
	c.mu.Lock()
	defer c.mu.Unlock()
	g.Go(func() error { return nil }) // want `c\.mu .* is held across a wait for a free slot`
}

func (c *cache) errgroupWaitBad(g *errgroup.Group) {
	c.mu.Lock()
	defer c.mu.Unlock()
	g.Wait() // want `c\.mu .* is held across a wait for other goroutines`
}

// A semaphore.

func (c *cache) semaphoreBad(ctx context.Context, sem *semaphore.Weighted) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if sem.Acquire(ctx, 1) == nil { // want `c\.mu .* is held across a wait for a free slot`
		sem.Release(1)
	}
}

func (c *cache) semaphoreOk(ctx context.Context, sem *semaphore.Weighted) {
	if sem.Acquire(ctx, 1) != nil {
		return
	}
	defer sem.Release(1)
	c.mu.Lock()
	c.values["a"] = ""
	c.mu.Unlock()
	http.Get(peer)
}

var once sync.Once

func (c *cache) onceOk() {
	once.Do(func() { c.values = map[string]string{} })
}
