package verdict_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
)

// cell is what a seat does in a round: "yes", "no" or "neutral", "?" for a position
// without a side, "~" for prose alone, "-" for a failure.
type cell struct {
	what  string
	sure  int  // tenths; -1: not stated
	cites bool // the answer C1
}

func (c cell) String() string {
	text := c.what
	switch {
	case c.what == "-":
		return text
	case c.sure >= 0:
		text += fmt.Sprintf(" %.1f", float64(c.sure)/10)
	default:
		text += " ."
	}
	if c.cites {
		text += " as [C1] says"
	}
	return text
}

func (c cell) side() bool { return c.what == "yes" || c.what == "no" || c.what == "neutral" }

// scriptedPanel is a scripted debate: by round, then by seat.
type scriptedPanel struct {
	rounds  [][]cell
	stopped debate.StopReason
	failing int // chairs that fail, the configured one first
}

func randomPanel(r *rand.Rand) scriptedPanel {
	pick := func(all string) string { words := strings.Fields(all); return words[r.IntN(len(words))] }
	stops := []debate.StopReason{"", "", "", debate.StoppedByUser, debate.StoppedByBudget, debate.EndedByConvergence}
	p := scriptedPanel{rounds: make([][]cell, 1+r.IntN(4)), stopped: stops[r.IntN(len(stops))]}
	seats, failures := 2+r.IntN(7), r.IntN(3) == 0
	for i := range p.rounds {
		for range seats {
			c := cell{what: pick("yes yes yes no no neutral ?"), sure: r.IntN(12) - 1, cites: i > 0 && r.IntN(3) == 0}
			if failures && r.IntN(4) == 0 {
				c = cell{what: pick("- ~"), sure: -1}
			}
			p.rounds[i] = append(p.rounds[i], c)
		}
	}
	p.failing = []int{0, 0, 1, 1, 2, 99}[r.IntN(6)]
	return p
}

// play makes the session of a panel. Its first seat asks C1 in round 1 and has
// the answer from round 2 on.
func (p scriptedPanel) play(t *testing.T) debate.Session {
	line := func(cells []cell) string {
		words := make([]string, len(cells))
		for i, c := range cells {
			words[i] = c.String()
		}
		return strings.Join(words, "|")
	}
	s := scriptedSession(t, line(p.rounds[0]))
	s.Rounds = len(p.rounds)
	if len(p.rounds) > 1 {
		s = addAnswer(t, addQuestion(t, s, "ada", "How many?"), ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "12"})
	}
	for _, cells := range p.rounds[1:] {
		s = addRound(t, s, line(cells))
	}
	s.Stopped, s.Chair = p.stopped, &agents.Profile{ID: "zed", Name: "Zed", Provider: "p", Model: "z-9"}
	return s
}

// chairs are the chairs: as many as are failing fail.
func (p scriptedPanel) chairs(s debate.Session) chairProvider {
	c := chairProvider{}
	order := []string{"z-9"}
	for _, id := range p.chairCandidates(s) {
		seat, _ := s.Seat(id)
		order = append(order, seat.Model)
	}
	for i, model := range order {
		c[model] = "So."
		if i < p.failing {
			c[model] = errors.New("down")
		}
	}
	return c
}

// chairCandidates are the members who may write the verdict: those of the last round in
// which anybody answered.
func (p scriptedPanel) chairCandidates(s debate.Session) []agents.ID {
	for i := len(p.rounds) - 1; i >= 0; i-- {
		var out []agents.ID
		for k, c := range p.rounds[i] {
			if c.what != "-" {
				out = append(out, s.Seats[k].ID)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// describeVotes is what a round's votes come to, in words: the votes, who has the most of
// them, who has the most weight.
func describeVotes(cells []cell) string {
	votes, weights := map[string]int{}, map[string]int{}
	stated := 0
	for _, c := range cells {
		if !c.side() {
			continue
		}
		stated++
		votes[c.what]++
		if c.sure < 0 {
			weights[c.what] += 5
		} else {
			weights[c.what] += c.sure
		}
	}
	if stated == 0 || stated < len(cells)-stated {
		return "none"
	}
	first := func(of map[string]int) string {
		best, names := 0, []string{}
		for _, side := range []string{"yes", "no", "neutral"} {
			switch n := of[side]; {
			case n > best:
				best, names = n, []string{side}
			case n == best && n > 0:
				names = append(names, side)
			}
		}
		if len(names) != 1 {
			return "tie"
		}
		return names[0]
	}
	return fmt.Sprintf("%d %d %d %s %s", votes["yes"], votes["no"], votes["neutral"], first(votes), first(weights))
}

func describeTally(t debate.Tally) string {
	if t.None {
		return "none"
	}
	majority, weighted := string(t.Majority), string(t.Weighted)
	if t.Split {
		majority = "tie"
	}
	if weighted == "" {
		weighted = "tie"
	}
	return fmt.Sprintf("%d %d %d %s %s", t.Votes[debate.Yes], t.Votes[debate.No], t.Votes[debate.Neutral], majority, weighted)
}

// wantChanges is how a seat moved, a word a round.
func (p scriptedPanel) wantChanges(seat int) []debate.Change {
	var out []debate.Change
	last, cited := cell{what: "-"}, false
	for _, cells := range p.rounds {
		c := cells[seat]
		fresh := c.cites && !cited
		cited = cited || c.cites
		switch {
		case c.what == "-":
			out = append(out, debate.NoResponse)
			continue
		case !c.side():
			out = append(out, debate.Unstated)
			continue
		case last.what == "-":
			out = append(out, debate.Opening)
		case last.what != c.what && fresh:
			out = append(out, debate.Revised)
		case last.what != c.what:
			out = append(out, debate.Conformed)
		default:
			out = append(out, debate.Held)
		}
		last = c
	}
	return out
}

// wantHeadline begins as the verdict's has to.
func (p scriptedPanel) wantHeadline(s debate.Session) (begins string, claims bool) {
	absent := map[int]bool{}
	for _, cells := range p.rounds {
		for k, c := range cells {
			if c.what == "-" {
				absent[k] = true
			}
		}
	}
	silent := slices.ContainsFunc(p.rounds[len(p.rounds)-1], func(c cell) bool { return c.what == "~" })
	chair := p.failing <= len(p.chairCandidates(s))
	n := len(s.Seats)
	present := fmt.Sprintf("%d of %d members", n-len(absent), n)
	claims = len(absent) == 0 && !silent
	switch {
	case p.stopped == debate.StoppedByUser:
		return "Stopped by the user · " + present, claims
	case p.stopped == debate.StoppedByBudget:
		return "Stopped by budget · " + present, claims
	case !chair:
		return "No synthesis: Zed failed: The provider failed: down", claims
	case !claims:
		return "Degraded verdict · " + present, claims
	default:
		return "Full verdict · " + present + " in every round", claims
	}
}

func TestVerdict_isExactForEveryScriptedPanel(t *testing.T) {
	for seed := range uint64(250) {
		p := randomPanel(rand.New(rand.NewPCG(seed, 7)))
		s := p.play(t)
		v, err := p.chairs(s).judge().Conclude(t.Context(), s, ignoreEvents)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		last := p.rounds[len(p.rounds)-1]
		if got, want := describeTally(v.Baseline), describeVotes(p.rounds[0]); got != want {
			t.Errorf("seed %d: the baseline is %s, want %s\n%v", seed, got, want, p.rounds)
		}
		if got, want := describeTally(v.Final), describeVotes(last); got != want {
			t.Errorf("seed %d: the last count is %s, want %s\n%v", seed, got, want, p.rounds)
		}
		for k, seat := range s.Seats {
			var got []debate.Change
			for _, m := range v.Moves {
				if m.Agent == seat.ID {
					got = append(got, m.Change)
				}
			}
			if diff := cmp.Diff(p.wantChanges(k), got); diff != "" {
				t.Errorf("seed %d: the ledger of %s (-want +got):\n%s\n%v", seed, seat.Name, diff, p.rounds)
			}
		}
		writers := append([]agents.ID{"zed"}, p.chairCandidates(s)...)
		if writers = writers[min(p.failing, len(writers)):]; len(writers) > 0 && v.Chair != writers[0] ||
			len(writers) == 0 && v.Chair != "" {
			t.Errorf("seed %d: %q wrote it, want the first of %v", seed, v.Chair, writers)
		}
		begins, claims := p.wantHeadline(s)
		h := report.Headline(v, s)
		if !strings.HasPrefix(h, begins) || strings.Contains(h, "no consensus is claimed") == claims {
			t.Errorf("seed %d: the header is\n%s\nwant %q, a claim %v\n%v", seed, h, begins, claims, p.rounds)
		}
		if strings.Contains(h, "all agree") && (!claims || slices.ContainsFunc(last, func(c cell) bool { return c.what != last[0].what })) {
			t.Errorf("seed %d: not all agree: %s\n%v", seed, h, p.rounds)
		}
	}
}
