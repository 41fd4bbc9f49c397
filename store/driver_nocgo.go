//go:build !cgo

package store

import (
	"context"
	"database/sql/driver"
)

// connector refuses: there is no SQLite in this build.
type connector struct{ dsn string }

// Connect says how to mend the build.
func (c connector) Connect(context.Context) (driver.Conn, error) { return nil, errNoCgo }

// Driver returns the driver of the connections.
func (c connector) Driver() driver.Driver { return c }

// Open says how to mend the build.
func (c connector) Open(string) (driver.Conn, error) { return nil, errNoCgo }

// asFault recognises nothing: there is no SQLite.
func asFault(error) (fault, bool) { return fault{}, false }
