package store

import (
	"database/sql"
	"database/sql/driver"
	"net/url"
	"path/filepath"
	"runtime"
)

// maxValue is the size limit of a value or row, in bytes, so that a file from
// elsewhere cannot exhaust the memory.
const maxValue = 256 << 20

// busyTimeout is how long SQLite waits for a lock, in milliseconds.
const busyTimeout = "10000"

// dsn returns the data source name of a file. It is a URL, so that no character of
// the path has a special meaning.
func dsn(path string, options map[string]string) string {
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" {
		path = "/" + path
	}
	q := url.Values{"_busy_timeout": {busyTimeout}, "_foreign_keys": {"on"}}
	for k, v := range options {
		q.Set(k, v)
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}
	return u.String()
}

// pool returns a pool of at most size connections to a file.
func pool(path string, size int, options map[string]string) *sql.DB {
	return poolOf(connector{dsn(path, options)}, size)
}

// pool returns a pool of at most size connections to this very file.
func (f databaseFile) pool(size int, options map[string]string) *sql.DB {
	return poolOf(fileConnector{connector{dsn(f.path, options)}, f}, size)
}

func poolOf(c driver.Connector, size int) *sql.DB {
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db
}

// readers is the number of transactions that can read at the same time.
const readers = 4
