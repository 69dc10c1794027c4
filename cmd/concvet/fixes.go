package main

import (
	"context"
	"errors"
)

func (run *checkRun) applyFixes(ctx context.Context) (diff bool, err error) {
	return false, errors.New("-fix is not built yet")
}
