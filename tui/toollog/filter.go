package toollog

import (
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// filter says which calls are shown. Its zero value shows all.
type filter struct {
	seat  int    // 0: all
	round int    // 0: all
	tool  string // "": all
	state state  // anyState: all
}

// state is what has become of a call.
type state int

// The states, in the order in which the filter offers them.
const (
	anyState state = iota
	pending
	waiting
	running
	done
	failed
	denied
	aborted
	states int = iota
)

// String names the state.
func (s state) String() string {
	return [states]string{"all", "pending", "waits for you", "running", "done", "error", "denied", "aborted"}[s]
}

func (c *call) state() state {
	switch {
	case c.tool.State == debate.ToolPending:
		return pending
	case c.tool.State == debate.ToolRunning && c.waiting:
		return waiting
	case c.tool.State == debate.ToolRunning:
		return running
	}
	switch c.tool.Result.Status {
	case agents.ToolOK:
		return done
	case agents.ToolDenied:
		return denied
	case agents.ToolAborted:
		return aborted
	case agents.ToolError:
	}
	return failed
}

// matches returns the calls that the filter shows. What is typed is looked for in owner,
// tool, state and the short form of the arguments. Events come by the hundred in a frame,
// so they only mark what was found as stale.
func (sc *Screen) matches() []*call {
	if !sc.stale {
		return sc.shown
	}
	sc.stale = false
	words := strings.ToLower(strings.TrimSpace(sc.field.Value()))
	sc.shown = sc.shown[:0]
	for _, c := range sc.calls {
		f := sc.only
		if f.seat > 0 && c.seat != f.seat || f.round > 0 && c.turn.Round != f.round || f.tool != "" && c.tool.Name != f.tool ||
			f.state != anyState && c.state() != f.state {
			continue
		}
		if words == "" || strings.Contains(strings.ToLower(strings.Join(
			[]string{c.tool.Name, c.args(), sc.owner(c), c.state().String()}, " ")), words) {
			sc.shown = append(sc.shown, c)
		}
	}
	return sc.shown
}

// filtered reports whether some calls may be left out.
func (sc *Screen) filtered() bool { return sc.field.Value() != "" || sc.only != filter{} }

// narrow changes the filter and goes to the newest call.
func (sc *Screen) narrow(change func(*filter)) {
	change(&sc.only)
	sc.follow = true
	sc.stale = true
}

// nextSeat shows the calls of another seat only, or of all.
func (sc *Screen) nextSeat(n int) {
	k := len(sc.seats) + 1
	sc.narrow(func(f *filter) { f.seat = (f.seat + n + k) % k })
}

// nextRound shows the calls of another round only, or of all.
func (sc *Screen) nextRound(n int) {
	last := 0
	for _, c := range sc.calls {
		last = max(last, c.turn.Round)
	}
	sc.narrow(func(f *filter) { f.round = (f.round + n + last + 1) % (last + 1) })
}

// nextTool shows the calls of another tool only, or of all.
func (sc *Screen) nextTool(n int) {
	names := []string{""}
	for _, c := range sc.calls {
		names = append(names, c.tool.Name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	sc.narrow(func(f *filter) { f.tool = names[(slices.Index(names, f.tool)+n+len(names))%len(names)] })
}

// nextState shows the calls of another state only, or of all. States that no call has are
// left out.
func (sc *Screen) nextState(n int) {
	found := map[state]bool{anyState: true}
	for _, c := range sc.calls {
		found[c.state()] = true
	}
	sc.narrow(func(f *filter) {
		for f.state = (f.state + state(n+states)) % state(states); !found[f.state]; {
			f.state = (f.state + state(n+states)) % state(states)
		}
	})
}

// summary counts the calls that are shown for the top line.
func (sc *Screen) summary() string {
	count := map[state]int{}
	shown := sc.matches()
	for _, c := range shown {
		count[c.state()]++
	}
	words := []string{text.Count(len(sc.calls), "call")}
	if sc.filtered() {
		words[0] = text.Number(len(shown)) + " of " + words[0]
	}
	for _, s := range []state{denied, failed, waiting, running} {
		if n := count[s]; n > 0 {
			words = append(words, text.Number(n)+" "+map[state]string{
				denied: "denied", failed: "failed", waiting: "waiting for you", running: "running",
			}[s])
		}
	}
	return strings.Join(words, " · ")
}
