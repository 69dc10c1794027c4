// Package shop is a small order service: it takes orders, collects the money,
// tells customers, and settles its books with the payment provider.
//
// It has no main function, since a program also has to link a database driver.
package shop

import (
	"context"
	"errors"
	"fmt"

	"github.com/concvet/concvet/examples/shop-fixed/notify"
	"github.com/concvet/concvet/examples/shop-fixed/payment"
	"github.com/concvet/concvet/examples/shop-fixed/stock"
	"github.com/concvet/concvet/examples/shop-fixed/store"
)

// ErrSoldOut says that the warehouse has too few of an article.
var ErrSoldOut = errors.New("sold out")

// A Service is the shop.
type Service struct {
	store    *store.Store
	payments *payment.Client
	stock    *stock.Cache
	hub      *notify.Hub
	hooks    *notify.Webhooks
}

// New returns the service on top of its parts.
func New(st *store.Store, pay *payment.Client, levels *stock.Cache, hub *notify.Hub, hooks *notify.Webhooks) *Service {
	return &Service{store: st, payments: pay, stock: levels, hub: hub, hooks: hooks}
}

// Place takes an order and returns its number.
func (s *Service) Place(ctx context.Context, o store.Order) (int64, error) {
	left, err := s.stock.Level(ctx, o.SKU)
	if err != nil {
		return 0, err
	}
	if left < o.Quantity {
		return 0, fmt.Errorf("%s: %w", o.SKU, ErrSoldOut)
	}
	id, err := s.store.Create(ctx, o)
	if err != nil {
		return 0, err
	}
	s.stock.Take(o.SKU, o.Quantity)
	s.hub.Publish(notify.Event{Order: id, State: store.New})
	return id, nil
}

// Pay collects the money for an order. The state "paying" takes the place of a
// transaction: while it lasts nobody else changes the order, and an order that
// was left in it is paid by calling Pay again, since a charge can be repeated.
func (s *Service) Pay(ctx context.Context, id int64) error {
	order, err := s.store.StartPaying(ctx, id)
	if err != nil {
		return err
	}
	receipt, err := s.collect(ctx, order)
	if err != nil {
		return err
	}
	if err := s.store.FinishPaying(ctx, id, receipt); err != nil {
		return err
	}
	return s.tell(ctx, order, store.Paid)
}

// collect charges the customer, unless there is nothing to pay.
func (s *Service) collect(ctx context.Context, o store.Order) (receipt string, err error) {
	if o.Cents == 0 {
		return "free", nil
	}
	return s.payments.Charge(ctx, o.ID, o.Cents)
}

// Cancel calls an order off and pays the money back.
func (s *Service) Cancel(ctx context.Context, id int64) error {
	order, err := s.store.Cancel(ctx, id)
	if err != nil {
		return err
	}
	if order.State == store.Paid && order.Cents > 0 {
		if err := s.payments.Refund(ctx, order.Receipt); err != nil {
			return err
		}
	}
	return s.tell(ctx, order, store.Cancelled)
}

// tell lets everybody know of the new state of an order.
func (s *Service) tell(ctx context.Context, o store.Order, state string) error {
	e := notify.Event{Order: o.ID, State: state}
	s.hub.Publish(e)
	customer, err := s.store.Customer(ctx, o.Customer)
	if err != nil || customer.Hook == "" {
		return err
	}
	return s.hooks.Send(ctx, customer.Hook, e)
}

// Reconcile asks the provider for paid orders that are not settled yet, and
// returns how many of them are by now. It is run once an hour.
func (s *Service) Reconcile(ctx context.Context) (int, error) {
	settled, err := s.settled(ctx)
	if err != nil {
		return 0, err
	}
	for i, id := range settled {
		if err := s.store.Settle(ctx, id); err != nil {
			return i, err
		}
	}
	return len(settled), nil
}

// settled lists the orders whose money has arrived since the last time.
func (s *Service) settled(ctx context.Context) ([]int64, error) {
	orders, err := s.store.Unsettled(ctx, 500)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, o := range orders {
		done, err := s.payments.Settled(ctx, o.Receipt)
		if err != nil {
			return nil, err
		}
		if done {
			ids = append(ids, o.ID)
		}
	}
	return ids, nil
}
