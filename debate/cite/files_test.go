package cite_test

import (
	"fmt"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
)

// What a command changed is told before its output, which cannot tell the same.
func TestRead_findsWhatACommandChanged(t *testing.T) {
	const hash = "de5a6f78116eca62d7fc5ce159d23ae6"
	line := fmt.Sprintf("%q was read before and is now SHA-256 %s.\n", "a.go", hash)
	for text, want := range map[string]string{
		line + "Exit code 0.\n":                                 "[{a.go 0 0 " + hash + "}]",
		"The user edited the command.\n" + line + "Exit code 0": "[{a.go 0 0 " + hash + "}]",
		"Exit code 0.\n5c72 output of the command\n" + line:     "[]",
		"\"b c.go\" was read before and is now gone.\nExit":     "[{b c.go 0 0 }]",
	} {
		call := debate.ToolRecord{Name: agents.RunCommandName, Result: agents.ToolResult{Status: agents.ToolOK, Text: text}}
		if got := fmt.Sprint(cite.Read([]debate.ToolRecord{call})); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestFiles_areReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]string{
		"as [src/main.go:12-40] says":        "[src/main.go:12-40]",
		"[./a.go:L3], [a.go : 3]":            "[a.go:3]",
		"[a.go:1-2, 7; b/c.go:3 and d.go:4]": "[a.go:1-2 a.go:7 b/c.go:3 d.go:4]",
		"[F1:3, src/and/x.go:9, C2]":         "[src/and/x.go:9]",
		"[Makefile:3]":                       "[Makefile:3]",
		"[12:30], [note:3], [see a.go:3], [http://x.y/z:3], [a.go], [a.go:x]": "[]",
	} {
		if got := fmt.Sprint(cite.Files(text)); got != want {
			t.Errorf("%q cites %s, want %s", text, got, want)
		}
	}
	if got := fmt.Sprint(cite.Evidence("[F1:3, src/x.go:9, F2]"), cite.Requests("[C1, src/x.go:9]")); got != "[F1:3 F2] [C1]" {
		t.Error(got)
	}
}
