package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// jsonColumn reads or writes a column as JSON. V is the value to write or a pointer
// to read into; a nil pointer is NULL.
type jsonColumn struct{ v any }

// Value implements driver.Valuer.
func (d jsonColumn) Value() (driver.Value, error) {
	if v := reflect.ValueOf(d.v); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, nil
	}
	raw, err := json.Marshal(d.v)
	return string(raw), err
}

// Scan implements sql.Scanner. NULL leaves the value unchanged.
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

// timestamp returns a time as nanoseconds since 1970, or NULL for the zero time.
func timestamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

// timeColumn reads a column that timestamp wrote.
type timeColumn struct{ t *time.Time }

// Scan implements sql.Scanner. NULL is the zero time.
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
