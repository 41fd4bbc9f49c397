package acp

import (
	"fmt"
	"strings"
	"sync"

	"roundtable/agents"
)

// writeStatement is what is added to the prompt of a turn that is made again since it ended
// on a denied call. The questions of that turn are withdrawn unless they are asked again.
const writeStatement = "Commands are denied in this turn. Do not call them. If you asked the user something, ask it again. " +
	"Then write your statement."

// denials knows whether a turn ended on a call that was denied. Some agents end their loop
// there, and what they said before is no statement.
type denials struct {
	mu    sync.Mutex
	some  bool
	after string // the beginning of what was said since the last one
	end   string // of all that was said
	block bool   // a block of JSON was said at any time
}

func (d *denials) denied() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.some, d.after = true, ""
}

func (d *denials) heard(words string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	end := d.end + words // a fence may come in parts
	d.block = d.block || strings.Contains(end, "```")
	d.end = end[max(0, len(end)-2):]
	if d.some && len(d.after) <= len(copilotNotice) {
		d.after = strings.TrimLeft(d.after+words, " \n")
	}
}

// copilotNotice is what Copilot CLI 1.0.102 says of its own after a denial.
const copilotNotice = "Info: Operation cancelled by user"

// endedTurn reports whether nothing was said after the last denial, and no block before it.
func (d *denials) endedTurn() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := strings.TrimSpace(d.after)
	return d.some && !d.block && (after == "" || after == copilotNotice)
}

// askOf returns a turn without the number of its attempt.
func askOf(id agents.Turn) agents.Turn {
	id.Attempt = 0
	return id
}

// endedOnDenial returns why a turn has no statement. It is asked for once more, in a new
// session.
func (t *turn) endedOnDenial(usage *agents.Usage) *agents.Failure {
	t.agent.seat.endedOnDenial = askOf(t.id)
	return &agents.Failure{
		Kind: agents.KindTruncated, Usage: usage, Again: !t.again,
		Cause:  fmt.Sprintf("%s ended its turn when a call was denied, without a statement.", t.agent.seat.provider.name),
		Remedy: "Set the agent so that it does not offer that call, or allow the call when it asks.",
	}
}
