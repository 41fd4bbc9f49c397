package report_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/debate/report"
)

// noModes knows no mode.
func noModes(string) (debate.Mode, bool) { return debate.Mode{}, false }

// valid returns a session of these tests with the whole mode that it names.
func valid(t *testing.T, s debate.Session) debate.Session {
	t.Helper()
	all, _, err := modes.Load("")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if m.Name == s.Mode.Name {
			s.Mode = m
		}
	}
	return s
}

// TestRead_isWhatWasExported reads every session of these tests back.
func TestRead_isWhatWasExported(t *testing.T) {
	all := sessions()
	fork := completed()
	fork.ForkedFrom, fork.ForkRound = "k7m2x9qd4t", 1
	fork.ForkChanges = []debate.ForkChange{{Kind: debate.ForkedAnswer, Target: "C1", Old: "A week.", New: "Two days."}}
	all["fork"] = fork
	for name, s := range all {
		s = valid(t, s)
		for _, redact := range []bool{false, true} {
			raw := export(t, s, report.JSON, report.Options{Redact: redact})
			read, err := report.Read(raw, noModes)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			again := export(t, read, report.JSON, report.Options{Redact: redact})
			if diff := cmp.Diff(document(t, raw), document(t, again)); diff != "" {
				t.Errorf("%s, redacted %t (-exported +again):\n%s", name, redact, diff)
			}
		}
	}
}

// document decodes an export without its origin, and without the hashes of a redacted text,
// which are those of the text before.
func document(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var d map[string]any
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	delete(d, "imported")
	if evidence, ok := d["evidence"].([]any); ok && d["redacted"] == true {
		for _, e := range evidence {
			delete(e.(map[string]any), "sha256")
			delete(e.(map[string]any), "size")
		}
	}
	return d
}

func TestRead_refuses(t *testing.T) {
	good := export(t, valid(t, completed()), report.JSON, report.Options{})
	change := func(do func(d map[string]any)) []byte {
		var d map[string]any
		if err := json.Unmarshal(good, &d); err != nil {
			t.Fatal(err)
		}
		do(d)
		raw, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	round := func(d map[string]any, n int) map[string]any { return d["history"].([]any)[n].(map[string]any) }
	turn := func(d map[string]any) map[string]any { return round(d, 0)["responses"].([]any)[0].(map[string]any) }
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"nothing":     {nil, "line 1, column 1: the JSON ends too early"},
		"broken JSON": {[]byte("{\n  \"format\": nope}"), "line 2, column 14: not valid JSON"},
		"half a file": {good[:len(good)/2], "the JSON ends too early"},
		"two files":   {append(bytes.Clone(good), '{'), "there is more after the end of the JSON"},
		"a list":      {[]byte("[]"), "line 1, column 1"},
		"other JSON":  {[]byte(`{"format": "other", "version": 1}`), `its "format" is "other"`},
		"a newer version": {
			change(func(d map[string]any) { d["version"] = 2 }),
			"version 2 of roundtable/session, and this Roundtable reads up to 1",
		},
		"a word for a number": {change(func(d map[string]any) { d["rounds"] = "two" }), "rounds is a JSON string"},
		"no topic":            {change(func(d map[string]any) { d["topic"] = " " }), "it has no topic"},
		"a single agent":      {change(func(d map[string]any) { d["agents"] = d["agents"].([]any)[:1] }), "it has 1 seat; "},
		"rounds out of order": {change(func(d map[string]any) { round(d, 0)["round"] = 7 }), "round 7 stands where round 1 is due"},
		"an unknown state":    {change(func(d map[string]any) { turn(d)["state"] = "due" }), `the state "due", which does not exist`},
		"a stranger's turn":   {change(func(d map[string]any) { turn(d)["agent"] = "eve" }), "eve speaks in round 1 and has no seat"},
		"a time of nobody":    {change(func(d map[string]any) { d["created"] = "9999-01-01T00:00:00Z" }), "is impossible"},
		"an unknown mode":     {change(func(d map[string]any) { delete(d, "setup") }), "which is not here"},
		"a mode that does not": {
			change(func(d map[string]any) { d["setup"].(map[string]any)["mode"].(map[string]any)["order"] = "x" }),
			"is not valid",
		},
	} {
		_, err := report.Read(c.raw, noModes)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestRead_isSafe reads a file whose texts attack a terminal and name a workspace.
func TestRead_isSafe(t *testing.T) {
	s := valid(t, completed())
	s.Workspace.Dir = "/etc"
	raw := bytes.ReplaceAll(export(t, s, report.JSON, report.Options{}), []byte(s.Topic), []byte(`\u001b]0;owned\u0007\u202eWhat?`))
	read, err := report.Read(raw, noModes)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(read.Topic, "\x1b\x07\u202e") {
		t.Errorf("the topic is %q", read.Topic)
	}
	if read.Workspace != (debate.Workspace{}) || read.Nonce != "" {
		t.Errorf("it has the workspace %v and the nonce %q", read.Workspace, read.Nonce)
	}
}

// TestRead_survivesAnyValue puts other values into an export, one at a time: it is refused,
// or what was read can be exported again.
func TestRead_survivesAnyValue(t *testing.T) {
	good := export(t, valid(t, completed()), report.JSON, report.Options{})
	var doc any
	if err := json.Unmarshal(good, &doc); err != nil {
		t.Fatal(err)
	}
	n := 0
	spoil(doc, func(set func(any), old any) {
		for _, v := range []any{nil, -1.0, 1e30, "x", []any{}, map[string]any{}} {
			n++
			if n%4 != 0 { // a sample
				continue
			}
			set(v)
			raw, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			if s, err := report.Read(raw, noModes); err == nil {
				report.Of(s, report.Options{})
				s.Due(s.Updated)
				s.Status()
			}
			set(old)
		}
	})
}

// spoil calls do for every value below v, in order, and once for a list.
func spoil(v any, do func(set func(any), old any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			old := v[k]
			do(func(to any) { v[k] = to }, old)
			spoil(old, do)
		}
	case []any:
		if len(v) > 0 {
			old := v[0]
			do(func(to any) { v[0] = to }, old)
			spoil(old, do)
		}
	}
}
