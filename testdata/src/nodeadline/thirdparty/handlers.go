package thirdparty

import (
	"context"
	"database/sql"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"golang.org/x/sync/semaphore"
)

type renderer struct {
	sem *semaphore.Weighted
	db  *sql.DB
}

// A handler of a framework has the context of its request.
func (r *renderer) echoBad(c echo.Context) error {
	if err := r.place(context.Background(), 1); err != nil { // want `reaches \(\*semaphore\.Weighted\)\.Acquire.*ctx-none`
		return err
	}
	defer r.sem.Release(1)
	return c.NoContent(204)
}

func (r *renderer) echoOk(c echo.Context) error {
	if err := r.place(c.Request().Context(), 1); err != nil {
		return err
	}
	defer r.sem.Release(1)
	return c.NoContent(204)
}

func (r *renderer) ginBad(c *gin.Context) {
	if r.sem.Acquire(context.Background(), 2) != nil { // want `ctx-none`
		return
	}
	defer r.sem.Release(2)
	c.Status(204)
}

func (r *renderer) ginStatementBad(c *gin.Context) {
	r.db.Exec("update t set n = n + 1") // want `sql`
	c.Status(204)
}

func (r *renderer) place(ctx context.Context, n int64) error { return r.sem.Acquire(ctx, n) }
