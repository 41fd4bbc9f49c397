//go:build cgo

package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"syscall"

	"github.com/mattn/go-sqlite3"
)

// Connect implements driver.Connector.
func (c connector) Connect(context.Context) (driver.Conn, error) {
	if err := c.file.check(); err != nil {
		return nil, err
	}
	return c.driver().Open(c.dsn)
}

// Driver implements driver.Connector.
func (c connector) Driver() driver.Driver { return c.driver() }

// driver returns a driver with settings that it has no options for.
func (c connector) driver() *sqlite3.SQLiteDriver {
	return &sqlite3.SQLiteDriver{ConnectHook: func(conn *sqlite3.SQLiteConn) error {
		conn.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, maxValue)
		_, err := conn.Exec("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA journal_size_limit=67108864", nil)
		return err
	}}
}

// asFault returns what an error of SQLite means, and whether err is one.
func asFault(err error) (fault, bool) {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return fault{}, false
	}
	f := fault{errno: e.SystemErrno, text: fmt.Sprintf("SQLite error %d", e.ExtendedCode)}
	switch e.Code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrProtocol:
		f.kind = faultBusy
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrTooBig:
		f.kind = faultDamaged
	case sqlite3.ErrInterrupt: // by the context
		return fault{}, false
	case sqlite3.ErrFull, sqlite3.ErrIoErr, sqlite3.ErrReadonly, sqlite3.ErrCantOpen, sqlite3.ErrPerm:
		f.kind = faultSave
	}
	if e.Code == sqlite3.ErrReadonly && f.errno == 0 {
		f.errno = syscall.EROFS
	}
	if e.Code == sqlite3.ErrFull {
		f.errno = syscall.ENOSPC
	}
	return f, true
}
