package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/testing/must"
)

// validator returns the validation by a schema.
func validator(t *testing.T, raw []byte, o jsonschema.ResolveOptions) func(any) error {
	t.Helper()
	var s jsonschema.Schema
	must.Do(t, json.Unmarshal(raw, &s))
	return must.Get(s.Resolve(&o))(t).Validate
}

// document returns a session in a format of JSON, as a program reads it.
func document(t *testing.T, s debate.Session, f report.Format, o report.Options) (doc map[string]any) {
	t.Helper()
	must.Do(t, json.Unmarshal(export(t, s, f, o), &doc))
	return doc
}

func TestJSON_fitsThePublishedSchema(t *testing.T) {
	valid := validator(t, report.Schema(), jsonschema.ResolveOptions{ValidateDefaults: true})
	for name, s := range sessions() {
		for _, live := range []bool{false, true} {
			if err := valid(document(t, s, report.JSON, report.Options{Live: live})); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestSchema_refusesWhatIsNoExport(t *testing.T) {
	valid := validator(t, report.Schema(), jsonschema.ResolveOptions{ValidateDefaults: true})
	for name, spoil := range map[string]func(map[string]any){
		"another format":  func(d map[string]any) { d["format"] = "other" },
		"no state":        func(d map[string]any) { delete(d, "state") },
		"a nonce":         func(d map[string]any) { d["nonce"] = "x" },
		"rounds in words": func(d map[string]any) { d["rounds"] = "two" },
		"an agent without a model": func(d map[string]any) {
			delete(d["agents"].([]any)[0].(map[string]any), "model")
		},
		"a turn in no state": func(d map[string]any) {
			d["history"].([]any)[0].(map[string]any)["responses"].([]any)[0].(map[string]any)["state"] = "asleep"
		},
	} {
		doc := document(t, completed(), report.JSON, report.Options{})
		if spoil(doc); valid(doc) == nil {
			t.Errorf("%s passes", name)
		}
	}
}

// TestSchema_namesEveryMember goes through the types, so that what a session does not
// happen to hold is described too.
func TestSchema_namesEveryMember(t *testing.T) {
	raw := string(report.Schema())
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, typ.Kind()) {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] || typ == reflect.TypeFor[time.Time]() {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			f := typ.Field(i)
			if f.PkgPath != "" {
				continue
			}
			walk(f.Type)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			stored := typ == reflect.TypeFor[debate.Verdict]() && name == "brief" // for lists; exports leave it out
			if name != "" && name != "-" && !stored && !strings.Contains(raw, `"`+name+`":`) {
				t.Errorf("%s.%s: the schema does not describe %q", typ, f.Name, name)
			}
		}
	}
	seen[reflect.TypeFor[debate.ContextFit]()] = true // the schema says of it only that it is an object
	walk(reflect.TypeFor[report.Document]())
	walk(reflect.TypeFor[report.Listed]())
	if len(seen) < 30 {
		t.Errorf("only %d types were found", len(seen))
	}
}

// export returns a session in a format.
func export(t testing.TB, s debate.Session, f report.Format, o report.Options) []byte {
	t.Helper()
	return written(t, report.Of(s, o), f)
}

// written returns a report in a format. What checks several formats makes the report once.
func written(t testing.TB, r report.Report, f report.Format) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, r.Write(&b, f))
	return b.Bytes()
}

// refusing is a file on a full disk.
type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWrite_returnsTheErrorOfTheFile(t *testing.T) {
	for _, f := range report.Formats() {
		if err := report.Of(completed(), report.Options{}).Write(refusing{}, f); err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("%s: %v", f, err)
		}
	}
}
