package acp

import (
	"fmt"
	"slices"
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
	after []message // what was said since the last one
	end   string    // of all that was said
	block bool      // a block of JSON was said at any time
}

type message struct{ id, text string }

func (d *denials) denied() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.some, d.after = true, nil
}

func (d *denials) any() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.some
}

func (d *denials) heard(id, words string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	end := d.end + words // a fence may come in parts
	d.block = d.block || strings.Contains(end, "```")
	d.end = end[max(0, len(end)-2):]
	if last := len(d.after) - 1; d.some && (last < 0 || d.after[last].id != id) {
		d.after = append(d.after, message{id, strings.TrimLeft(words, " \n")})
	} else if d.some && len(d.after[last].text) <= maxNotice { // a longer one is no notice
		d.after[last].text = strings.TrimLeft(d.after[last].text+words, " \n")
	}
}

// endedTurn reports whether nothing was said after the last denial but notices of the
// agent's own, and no block before it.
func (d *denials) endedTurn(lines notices) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	said := func(m message) bool { return m.text != "" && !lines.isNotice(m.text) }
	return d.some && !d.block && !slices.ContainsFunc(d.after, said)
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
		Kind: agents.KindTruncated, Usage: usage,
		Cause:  fmt.Sprintf("%s ended its turn when a call was denied, without a statement.", t.agent.seat.provider.name),
		Remedy: "Set the agent so that it does not offer that call, or allow the call when it asks.",
	}
	if !t.again {
		f.Err = agents.ErrAskAgain
	}
	return f
}
