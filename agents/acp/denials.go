package acp

import (
	"fmt"
	"strings"
	"sync"

	"roundtable/agents"
)

// writeStatement is what is added to the prompt of a turn that is made again since it ended
// on a denied call.
const writeStatement = "Commands are denied in this turn. Do not call them; write your statement."

// denials knows whether a turn ended on a call that was denied. Some agents end their loop
// there, and what they said before is no statement.
type denials struct {
	mu    sync.Mutex
	some  bool
	after strings.Builder // what was said since the last one
	end   string          // of all that was said
	block bool            // a block of JSON was said at any time
}

func (d *denials) denied() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.some = true
	d.after.Reset()
}

func (d *denials) heard(words string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.after.WriteString(words)
	end := d.end + words // a fence may come in parts
	d.block = d.block || strings.Contains(end, "```")
	d.end = end[max(0, len(end)-2):]
}

// endedTurn reports whether nothing was said after the last denial but a notice of the
// agent's own, and no block before it.
func (d *denials) endedTurn() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := strings.TrimSpace(d.after.String())
	notice := !strings.Contains(last, "\n") && (strings.HasPrefix(last, "Info: ") || strings.HasPrefix(last, "Warning: "))
	return d.some && !d.block && (last == "" || notice)
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
	f := &agents.Failure{
		Kind: agents.KindTruncated, Retryable: true, Usage: usage,
		Cause:  fmt.Sprintf("%s ended its turn when a call was denied, without a statement.", t.agent.seat.provider.name),
		Remedy: "Set the agent so that it does not offer that call, or allow the call when it asks.",
	}
	if !t.again {
		f.Err = agents.ErrAskAgain
	}
	return f
}
