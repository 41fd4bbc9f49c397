package app

import (
	"cmp"
	"time"

	"roundtable/agents/acp"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// assistants are the variables that assistants set for the commands that they run, as of
// November 2026. The first one that is set names who runs this program.
var assistants = []struct{ variable, name string }{
	{acp.SeatVariable, "a seat"},
	{"CLAUDECODE", "claude-code"},
	{"CODEX_THREAD_ID", "codex"},
	{"CODEX_SANDBOX", "codex"},
	{"CODEX_CI", "codex"},
	{"GEMINI_CLI", "gemini-cli"},
	{"QWEN_CODE", "qwen-code"},
	{"COPILOT_CLI", "copilot"},
	{"CURSOR_AGENT", "cursor"},
	{"OPENCODE", "opencode"},
	{"GOOSE_TERMINAL", "goose"},
	{"CRUSH", "crush"},
	{"CLINE_ACTIVE", "cline"},
	{"PI_CODING_AGENT", "pi"},
	{"AI_AGENT", ""}, // it has the name itself
}

// Answerer returns the author of answers that a door other than the interface takes: a
// person if standard input and output are terminals and no assistant has started the
// program. A program in a pseudo-terminal that sets no such variable cannot be told apart.
func (a *App) Answerer(door string) ledger.Author {
	for _, one := range assistants {
		if value, ok := a.Env(one.variable); ok && value != "" {
			named := text.Clip(text.Label(value), 40)
			return ledger.Author{Kind: ledger.Command, Door: door, Client: cmp.Or(one.name, named, "an assistant")}
		}
	}
	if IsTerminal(a.Stdin) && IsTerminal(a.Stdout) {
		return ledger.ByPerson(door)
	}
	return ByCommand(door)
}

// AnswererOf returns the author of an answer that a command gives which began at a time. One that
// had begun before the question was asked cannot be a person's answer to it.
func (a *App) AnswererOf(r ledger.Request, door string, began time.Time) ledger.Author {
	by := a.Answerer(door)
	if by.Kind == ledger.Person && r.Asked.After(began) {
		return ByCommand(door)
	}
	return by
}

// ByCommand returns the author of answers of which nothing is known but the door.
func ByCommand(door string) ledger.Author { return ledger.Author{Kind: ledger.Command, Door: door} }
