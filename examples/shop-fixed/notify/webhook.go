package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

const (
	attempts   = 5
	firstPause = 200 * time.Millisecond
)

// Webhooks posts events to customers, a few at a time.
type Webhooks struct {
	slots chan struct{}
	http  *http.Client
}

// NewWebhooks returns a sender that has at most limit requests under way.
func NewWebhooks(limit int) *Webhooks {
	return &Webhooks{
		slots: make(chan struct{}, limit),
		http:  &http.Client{Timeout: 5 * time.Second},
	}
}

// Send posts an event to a customer and repeats it a few times if it fails.
func (w *Webhooks) Send(ctx context.Context, hook string, e Event) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	for attempt := range attempts {
		if attempt > 0 {
			if err := pause(ctx, attempt); err != nil {
				return err
			}
		}
		if err = w.post(ctx, hook, body); err == nil {
			return nil
		}
	}
	return fmt.Errorf("webhook %s: %w", hook, err)
}

// pause waits twice as long after every attempt.
func pause(ctx context.Context, attempt int) error {
	timer := time.NewTimer(firstPause << attempt)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// post makes one attempt, and holds a slot for that long.
func (w *Webhooks) post(ctx context.Context, hook string, body []byte) error {
	select {
	case w.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-w.slots }()

	req, err := http.NewRequestWithContext(ctx, http.MethodPost, hook, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := w.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("status %s", resp.Status)
	}
	return nil
}
