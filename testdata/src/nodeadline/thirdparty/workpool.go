package thirdparty

import (
	"context"
	"time"

	"github.com/concvet/concvet/runtime/sizing"
	"github.com/concvet/concvet/runtime/workpool"
)

func work(context.Context)                 {}
func compute(context.Context) (int, error) { return 1, nil }

func poolSubmitBad(p *workpool.Pool) error {
	return p.Submit(context.Background(), work) // want `reaches \(\*workpool\.Pool\)\.Submit.*ctx-none`
}

func poolSubmitOk(ctx context.Context, p *workpool.Pool) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return p.Submit(ctx, work)
}

func poolTryOk(p *workpool.Pool) error { return p.TrySubmit(work) }

func poolGoBad(p *workpool.Pool) (*workpool.Future[int], error) {
	return workpool.Go(context.Background(), p, compute) // want `reaches workpool\.Go.*ctx-none`
}

func poolTryGoOk(p *workpool.Pool) (*workpool.Future[int], error) {
	return workpool.TryGo(context.Background(), p, compute)
}

func poolShutdownBad(p *workpool.Pool) error {
	return p.Shutdown(context.Background()) // want `waits for the last connection or task, however long that takes.*shutdown`
}

func poolShutdownOk(p *workpool.Pool) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return p.Shutdown(ctx)
}

func poolCloseOk(p *workpool.Pool) error { return p.Close() }

func poolOk() *workpool.Pool {
	return workpool.New(sizing.Workers(8, 600*time.Millisecond, 2*time.Second, 1), sizing.QueueCap(200*time.Millisecond, 200), workpool.WithName("photos"))
}
