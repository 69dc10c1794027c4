package knowledge

import (
	"go/types"
	"strings"
)

// drivers are the drivers of database/sql, by import path: true for one whose
// database is a file of the same machine, where a statement waits for the disk
// and for nobody else.
var drivers = map[string]bool{
	"crawshaw.io/sqlite":                   true,
	"github.com/glebarez/go-sqlite":        true,
	"github.com/glebarez/sqlite":           true,
	"github.com/mattn/go-sqlite3":          true,
	"github.com/ncruces/go-sqlite3/driver": true,
	"github.com/rqlite/go-sqlite3":         true,
	"modernc.org/sqlite":                   true,
	"zombiezen.com/go/sqlite":              true,
	"gorm.io/driver/sqlite":                true,

	"github.com/go-sql-driver/mysql":         false,
	"github.com/jackc/pgx/v4/stdlib":         false,
	"github.com/jackc/pgx/v5/stdlib":         false,
	"github.com/lib/pq":                      false,
	"github.com/microsoft/go-mssqldb":        false,
	"github.com/ClickHouse/clickhouse-go/v2": false,
	"gorm.io/driver/mysql":                   false,
	"gorm.io/driver/postgres":                false,
	"gorm.io/driver/sqlserver":               false,
}

// Databases reports what databases pkg uses, as far as its imports show: those that
// are a file, and those of a server.
func Databases(pkg *types.Package) (file, server bool) {
	seen := make(map[*types.Package]bool)
	queue := []*types.Package{pkg}
	for len(queue) > 0 && len(seen) < 4096 {
		p := queue[0]
		queue = queue[1:]
		if seen[p] {
			continue
		}
		seen[p] = true
		path := packagePath(p)
		isFile, known := drivers[path]
		file = file || known && isFile || namedSQLite(path)
		server = server || known && !isFile || strings.HasPrefix(path, "github.com/jackc/pgx/")
		queue = append(queue, p.Imports()...)
	}
	return file, server
}

// namedSQLite reports whether a package is called after SQLite, as the drivers of
// it are that nobody has listed, and the dialects of object mappers.
func namedSQLite(path string) bool {
	for elem := range strings.SplitSeq(path, "/") {
		switch elem {
		case "sqlite", "sqlite3", "go-sqlite", "go-sqlite3", "sqlitedriver":
			return true
		}
	}
	return false
}
