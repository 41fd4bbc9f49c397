package report

import (
	"reflect"
	"strings"

	"roundtable/internal/secret"
)

const mask = "[redacted]"

// redact changes no number of lines, so that citations name the same ones.
func redact(text string) string {
	return secret.Mask(text, func(found string) string { return mask + strings.Repeat("\n", strings.Count(found, "\n")) })
}

// scrub returns a deep copy with f applied to every string; by reflection, so that no field is left out.
func scrub[T any](v T, f func(string) string) T {
	var out T
	reflect.ValueOf(&out).Elem().Set(scrubbed(reflect.ValueOf(&v).Elem(), f))
	return out
}

func scrubbed(v reflect.Value, f func(string) string) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		out.SetString(f(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() { // skips the fields of time.Time
				out.Field(i).Set(scrubbed(v.Field(i), f))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(scrubbed(v.Elem(), f))
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(scrubbed(v.Elem(), f))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 { // bytes are text here
			out.SetBytes([]byte(f(string(v.Bytes()))))
		} else if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(scrubbed(v.Index(i), f))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for it := v.MapRange(); it.Next(); {
				out.SetMapIndex(scrubbed(it.Key(), f), scrubbed(it.Value(), f))
			}
		}
	default: // other kinds contain no text
	}
	return out
}
