package cite_test

import (
	"strings"
	"testing"

	"roundtable/debate/cite"
)

func TestCitedIn_readsOneGroupsAndRanges(t *testing.T) {
	for text, want := range map[string]string{
		"as [C1] says":                        "C1",
		"[C1, C2] and [C2; C10]":              "C1 C2 C10",
		"[C1 and C3], [C4 & C5]":              "C1 C3 C4 C5",
		"[C2-C4], [C9 to C10]":                "",
		"[C1, C3 and C9]":                     "C1 C3 C9",
		"[ c01 ]":                             "C1",
		"[C3-C1], [C1-C900], [C0]":            "",
		"[C1, see above], [RFC 1], [Cx], C1":  "",
		"[C1](https://example.com) is a link": "C1",
		"[C1\n, C2]":                          "",
		"":                                    "",
	} {
		if got := strings.Join(cite.In(text).Requests, " "); got != want {
			t.Errorf("%q cites %q, want %q", text, got, want)
		}
	}
}
