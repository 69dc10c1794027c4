package mono

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestNow(t *testing.T) {
	if Now() <= 0 {
		t.Errorf("it is %v", Now())
	}
	synctest.Test(t, func(t *testing.T) {
		start := Now()
		time.Sleep(time.Hour)
		if d := Now() - start; start <= 0 || d != time.Hour {
			t.Errorf("from %v an hour is %v", start, d)
		}
	})
}
