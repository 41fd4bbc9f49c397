package report

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// writeJSON writes the document as indented JSON, as encoding/json does. The elements
// of its long lists are encoded one at a time.
func (r Report) writeJSON(w io.Writer) error {
	j := &jsonWriter{w: w, whole: r.whole}
	j.value(reflect.ValueOf(r.Document), "")
	j.write("\n")
	return j.err
}

// jsonWriter writes values of which some are too large to encode at once.
type jsonWriter struct {
	w     io.Writer
	whole func(Response) (Response, error)
	b     bytes.Buffer
	err   error
}

func (j *jsonWriter) write(content string) {
	if j.err == nil {
		_, j.err = io.WriteString(j.w, content)
	}
}

// value writes a value whose lines after the first are indented.
func (j *jsonWriter) value(v reflect.Value, indent string) {
	switch x := v.Interface().(type) {
	case Document, Round:
		j.object(v, indent)
	case []Round, []Response, []Request, []Evidence:
		j.list(v, indent)
	case Response:
		j.response(x, indent)
	default:
		j.encode(x, indent)
	}
}

// encode writes a value as encoding/json does.
func (j *jsonWriter) encode(v any, indent string) {
	if j.err != nil {
		return
	}
	j.b.Reset()
	e := json.NewEncoder(&j.b)
	e.SetEscapeHTML(false)
	e.SetIndent(indent, "  ")
	if j.err = e.Encode(v); j.err == nil {
		_, j.err = j.w.Write(bytes.TrimSuffix(j.b.Bytes(), []byte("\n")))
	}
}

// response writes a response with its texts.
func (j *jsonWriter) response(x Response, indent string) {
	if j.err == nil {
		x, j.err = j.whole(x)
	}
	j.encode(x, indent)
}

// object writes the fields of a struct that embeds none.
func (j *jsonWriter) object(v reflect.Value, indent string) {
	j.write("{")
	separator := "\n"
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		field := v.Field(i)
		if options == "omitempty" && (field.IsZero() || field.Kind() == reflect.Slice && field.Len() == 0) {
			continue
		}
		j.write(separator + indent + "  \"" + name + "\": ")
		j.value(field, indent+"  ")
		separator = ",\n"
	}
	j.write("\n" + indent + "}")
}

// list writes the elements of a slice.
func (j *jsonWriter) list(v reflect.Value, indent string) {
	if v.Len() == 0 {
		j.encode(v.Interface(), indent)
		return
	}
	j.write("[")
	separator := "\n"
	for i := range v.Len() {
		j.write(separator + indent + "  ")
		j.value(v.Index(i), indent+"  ")
		separator = ",\n"
	}
	j.write("\n" + indent + "]")
}
