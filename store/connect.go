package store

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"runtime"
)

// maxValue is the size limit of a value or row, in bytes, so that a file from
// elsewhere cannot exhaust the memory.
const maxValue = 256 << 20

// busyTimeout is how long SQLite waits for another connection, in milliseconds.
const busyTimeout = "10000"

// dsn returns the address of a connection. It is a URL, in which no character
// of a path means anything else.
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

// pool opens connections to a file, all with the same options.
func pool(path string, most int, options map[string]string) *sql.DB {
	db := sql.OpenDB(connector{dsn(path, options)})
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db
}

// readers is how many transactions can read at once.
const readers = 4
