//go:build !cgo

package store

import (
	"context"
	"database/sql/driver"
)

// Connect implements driver.Connector. It fails, since SQLite needs cgo.
func (c connector) Connect(context.Context) (driver.Conn, error) { return nil, errNoCgo }

// Driver implements driver.Connector.
func (c connector) Driver() driver.Driver { return c }

// Open implements driver.Driver.
func (c connector) Open(string) (driver.Conn, error) { return nil, errNoCgo }

// asFault returns false: without SQLite there are no errors of it.
func asFault(error) (fault, bool) { return fault{}, false }
