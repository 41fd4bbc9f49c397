package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// document is a column that holds a value as JSON. V is the value to write, or a
// pointer to read into; a nil pointer is NULL.
type jsonColumn struct{ v any }

// Value encodes the document.
func (d jsonColumn) Value() (driver.Value, error) {
	if v := reflect.ValueOf(d.v); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, nil
	}
	raw, err := json.Marshal(d.v)
	return string(raw), err
}

// Scan decodes the document; NULL leaves the value as it is.
func (d jsonColumn) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(src), d.v)
	case []byte:
		return json.Unmarshal(src, d.v)
	default:
		return fmt.Errorf("a document cannot be read from %T", src)
	}
}

// stamp returns a time as it is stored; the zero time is NULL.
func timestamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

// moment reads a stored time.
type timeColumn struct{ t *time.Time }

// Scan reads nanoseconds; NULL is the zero time.
func (m timeColumn) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		*m.t = time.Time{}
	case int64:
		*m.t = time.Unix(0, src).UTC()
	default:
		return fmt.Errorf("a time cannot be read from %T", src)
	}
	return nil
}
