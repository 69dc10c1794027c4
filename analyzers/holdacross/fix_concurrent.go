package holdacross

import (
	"go/types"
)

// manyUsers are the types whose values any number of goroutines may use at
// once, as their documentation says, so that no lock has to be held for it. A
// connection, a reader, a writer or an encoder is never among them: to
// serialise those is what many a lock is for.
var manyUsers = map[string]bool{
	"net/http.Client": true, "net/http.Transport": true, "net.Dialer": true, "net.Resolver": true, "net.Listener": true,
	"database/sql.DB": true, "database/sql.Stmt": true, "context.Context": true, "log.Logger": true, "log/slog.Logger": true,
	"regexp.Regexp": true, "time.Location": true, "reflect.Type": true, "sync.WaitGroup": true, "sync.Map": true, "sync.Pool": true,
	"net/rpc.Client": true, "text/template.Template": true, "html/template.Template": true,
	"sync/atomic.Bool": true, "sync/atomic.Int32": true, "sync/atomic.Int64": true, "sync/atomic.Uint32": true,
	"sync/atomic.Uint64": true, "sync/atomic.Value": true, "sync/atomic.Pointer": true,

	"github.com/jackc/pgx/v5/pgxpool.Pool": true, "github.com/jmoiron/sqlx.DB": true, "gorm.io/gorm.DB": true, "github.com/uptrace/bun.DB": true,
	"github.com/redis/go-redis/v9.Client": true, "github.com/redis/go-redis/v9.UniversalClient": true, "github.com/gomodule/redigo/redis.Pool": true,
	"google.golang.org/grpc.ClientConn": true, "go.etcd.io/etcd/client/v3.Client": true, "go.etcd.io/bbolt.DB": true,
	"go.mongodb.org/mongo-driver/v2/mongo.Client": true, "go.mongodb.org/mongo-driver/v2/mongo.Collection": true, "go.mongodb.org/mongo-driver/v2/mongo.Database": true,
	"github.com/nats-io/nats.go.Conn": true, "golang.org/x/sync/semaphore.Weighted": true,
	"go.uber.org/zap.Logger": true, "go.uber.org/zap.SugaredLogger": true, "github.com/sirupsen/logrus.Logger": true, "github.com/go-logr/logr.Logger": true,
}

// concurrent reports whether any number of goroutines may use a value of type t
// at once.
func concurrent(t types.Type) bool {
	if t == nil {
		return false
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	return manyUsers[named.Obj().Pkg().Path()+"."+named.Obj().Name()]
}

// harmless reports whether a value of type t that is never replaced can be read
// by anybody: it leads nowhere, or to what any number of goroutines may use, or
// to a struct of which every field is judged by itself.
func harmless(t types.Type) bool {
	if concurrent(t) || isError(t) {
		return true
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic, *types.Chan:
		return true
	case *types.Struct:
		return true
	case *types.Pointer:
		_, isStruct := types.Unalias(u.Elem()).Underlying().(*types.Struct)
		return isStruct
	}
	return false
}

// leads reports whether a copy of a value of type t shares something with the
// value. What any number of goroutines may use does not count.
func leads(t types.Type) bool { return leadsIn(t, 0) }

func leadsIn(t types.Type, depth int) bool {
	if t == nil || depth > 8 {
		return true
	}
	if concurrent(t) || isError(t) {
		return false
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time" {
		return false // Time, Duration
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return leadsIn(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if leadsIn(f.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}

// elem is the type of the elements of a slice or map, keys included.
func elem(t types.Type) types.Type {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Map:
		if leads(u.Key()) {
			return u.Key()
		}
		return u.Elem()
	}
	return t
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Pointer)
	return ok
}

func isError(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() == nil && named.Obj().Name() == "error"
}
