package cite_test

import (
	"fmt"
	"testing"

	"roundtable/debate/cite"
)

func TestFiles_areReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]string{
		"as [src/main.go:12-40] says":        "[src/main.go:12-40]",
		"[./a.go:L3], [a.go : 3]":            "[a.go:3]",
		"[a.go:1-2, 7; b/c.go:3 and d.go:4]": "[a.go:1-2 a.go:7 b/c.go:3 d.go:4]",
		"[F1:3, src/and/x.go:9, C2]":         "[src/and/x.go:9]",
		"[Makefile:3]":                       "[Makefile:3]",
		"[12:30], [note:3], [see a.go:3], [http://x.y/z:3], [a.go], [a.go:x]": "[]",
	} {
		if got := fmt.Sprint(cite.In(text).Files); got != want {
			t.Errorf("%q cites %s, want %s", text, got, want)
		}
	}
	if got := fmt.Sprint(cite.In("[F1:3, src/x.go:9, F2]").Evidence, cite.In("[C1, src/x.go:9]").Requests); got != "[F1:3 F2] [C1]" {
		t.Error(got)
	}
}
