package thirdparty

import (
	"context"
	"time"

	"google.golang.org/grpc"
)

type ticket struct{ id string }

// What protoc-gen-go-grpc generates for a service.
type TicketsClient interface {
	Buy(ctx context.Context, in *ticket, opts ...grpc.CallOption) (*ticket, error)
}

type office struct{ tickets TicketsClient }

func (o *office) buyBad(t *ticket) (*ticket, error) {
	return o.tickets.Buy(context.Background(), t) // want `ctx-none`
}

// One's own interface over generated clients: its implementation may do more.
type peers interface {
	Gossip(ctx context.Context, addr string, in *ticket, opts ...grpc.CallOption) (*ticket, error)
}

type dialled struct {
	cc    TicketsClient
	limit time.Duration
}

func (d *dialled) Gossip(ctx context.Context, addr string, in *ticket, _ ...grpc.CallOption) (*ticket, error) {
	ctx, cancel := context.WithTimeout(ctx, d.limit)
	defer cancel()
	return d.cc.Buy(ctx, in)
}

func spreadOk(all peers, addrs []string, in *ticket) error {
	for _, a := range addrs {
		if _, err := all.Gossip(context.Background(), a, in); err != nil {
			return err
		}
	}
	return nil
}

// The same without a limit.
type friends interface {
	Tell(ctx context.Context, addr string, in *ticket, opts ...grpc.CallOption) (*ticket, error)
}

type open struct{ cc TicketsClient }

func (o *open) Tell(ctx context.Context, addr string, in *ticket, _ ...grpc.CallOption) (*ticket, error) {
	return o.cc.Buy(ctx, in)
}

func tellBad(all friends, in *ticket) error {
	_, err := all.Tell(context.Background(), "a", in) // want `ctx-none`
	return err
}
