package app_test

import (
	"os"
	"testing"
	"time"

	"github.com/creack/pty"

	"roundtable/debate/ledger"
	"roundtable/internal/app"
	"roundtable/internal/testing/must"
)

// A person is who types at a terminal, with nothing that says that an assistant does.
func TestAnswerer_isAPersonAtATerminalAlone(t *testing.T) {
	controller, terminal, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal:", err)
	}
	defer controller.Close()
	defer terminal.Close()
	file := must.Get(os.Open(os.DevNull))(t)
	defer file.Close()
	person := ledger.ByPerson("command")
	command := ledger.Author{Kind: ledger.Command, Door: "command"}
	by := func(client string) ledger.Author {
		return ledger.Author{Kind: ledger.Command, Door: "command", Client: client}
	}
	for name, c := range map[string]struct {
		in, out  *os.File
		variable string
		want     ledger.Author
	}{
		"a terminal":        {terminal, terminal, "", person},
		"input from a file": {file, terminal, "", command},
		"output to a file":  {terminal, file, "", command},
		"Claude Code":       {file, file, "CLAUDECODE", by("claude-code")},
		"Codex":             {terminal, terminal, "CODEX_THREAD_ID", by("codex")},
		"Gemini's terminal": {terminal, terminal, "GEMINI_CLI", by("gemini-cli")},
		"Goose's terminal":  {terminal, terminal, "GOOSE_TERMINAL", by("goose")},
		"a seat":            {terminal, terminal, "ROUNDTABLE_SEAT", by("a seat")},
		"another assistant": {terminal, terminal, "AI_AGENT", by("devin")},
	} {
		set := func(name string) (string, bool) {
			return map[bool]string{true: "devin", false: "1"}[name == "AI_AGENT"], name == c.variable
		}
		a := &app.App{Process: app.Process{Stdin: c.in, Stdout: c.out, Env: set}}
		if got := a.Answerer("command"); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		began := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
		before, after := ledger.Request{Asked: began.Add(-time.Second)}, ledger.Request{Asked: began.Add(time.Second)}
		if got := a.AnswererOf(before, "command", began); got != c.want {
			t.Errorf("%s, asked before: %+v, want %+v", name, got, c.want)
		}
		late := c.want
		if late == person {
			late = command
		}
		if got := a.AnswererOf(after, "command", began); got != late {
			t.Errorf("%s, asked meanwhile: %+v, want %+v", name, got, late)
		}
	}
}
