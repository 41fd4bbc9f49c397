package oracle

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const undecided = "undecided"

// debate is a panel with what is looked up again and again.
type debate struct {
	Panel
	main   *Phase // where votes, ballots, findings or texts are written
	free   []int  // the voting seats, or who rank, find and criticise
	newest int    // the newest round begun
	last   int    // the newest round in which the main phase began
}

// cell is what a seat wrote in the main phase of a round.
type cell struct {
	round int
	state string
	key   string // equal keys are equal votes
	side  string
	turn  *Turn
}

func newDebate(p Panel) *debate {
	d := &debate{Panel: p}
	for i, ph := range p.Mode.Phases {
		if ph.Votes || ph.Ranks || ph.Judges {
			d.main = &p.Mode.Phases[i]
		}
	}
	switch {
	case p.Mode.Kind == "critique":
		for i := range p.Seats {
			d.free = append(d.free, i)
		}
	case d.main != nil:
		for _, s := range d.main.Seats {
			if !d.main.Votes || p.Mode.Named || !p.Seats[s].Stance {
				d.free = append(d.free, s)
			}
		}
	}
	for _, t := range p.Turns {
		d.newest = max(d.newest, t.Round)
		if d.main != nil && t.Phase == d.main.Name {
			d.last = max(d.last, t.Round)
		}
	}
	return d
}

// counted tells whether votes are counted: the mode has some, and a seat to give them.
func (d *debate) counted() bool {
	return d.Mode.Kind == "vote" && d.main != nil && len(d.free) > 0
}

func (p *Phase) in(round int) bool { return p.Rounds != "odd" || round%2 == 1 }

func (d *debate) turn(round int, phase string, seat int) *Turn {
	for i := range d.Turns {
		if t := &d.Turns[i]; t.Round == round && t.Phase == phase && t.Seat == seat {
			return t
		}
	}
	return nil
}

// statement returns a turn that has one.
func (d *debate) statement(round int, phase string, seat int) *Turn {
	if t := d.turn(round, phase, seat); t != nil && t.State == "done" {
		return t
	}
	return nil
}

// trim takes white space, quotes and full stops from around a label.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`“”‘’„«».", r) })
}

func fold(s string) string { return strings.ToLower(trim(s)) }

// read says what a label is: a side's key and its spelling, undecided, or nothing.
func (q Question) read(label string) (key, side string) {
	key = fold(label)
	if key == undecided {
		return undecided, ""
	}
	for _, o := range q.sides() {
		if fold(o) == key {
			return key, o
		}
	}
	if q.Kind != "open" || noSide(key) || utf8.RuneCountInString(trim(label)) > 40 {
		return "", ""
	}
	return key, trim(label)
}

func (q Question) sides() []string {
	switch q.Kind {
	case "yes-no":
		return []string{"yes", "no"}
	case "choice":
		return q.Options
	}
	return nil
}

func noSide(key string) bool {
	if !strings.ContainsFunc(key, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return true
	}
	return slices.Contains([]string{"null", "none", "n/a", "unknown", "unsure", "neutral", "depends"}, key) ||
		strings.HasPrefix(strings.ReplaceAll(key, "’", "'"), "i don't know")
}

func (q Question) cell(t *Turn) cell {
	c := cell{round: t.Round, state: "unreadable", turn: t}
	if q.Kind == "estimate" && t.Value != nil {
		c.state, c.key = "read", strconv.FormatFloat(*t.Value, 'g', -1, 64)
		return c
	}
	if t.Vote == nil {
		return c
	}
	if c.key, c.side = q.read(*t.Vote); c.key == undecided {
		c.state = undecided
	} else if c.key != "" {
		c.state = "read"
	}
	return c
}

func (c cell) readable() bool { return c.state == "read" || c.state == undecided }

// cell returns the vote of a seat in a round.
func (d *debate) cell(seat, round int) cell {
	if t := d.statement(round, d.main.Name, seat); t != nil {
		return d.Question.cell(t)
	}
	return cell{round: round, state: "none"}
}

// vote returns the vote that counts: that of the seat's newest statement.
func (d *debate) vote(seat int) cell {
	for r := d.last; r > 0; r-- {
		if c := d.cell(seat, r); c.state != "none" {
			return c
		}
	}
	return cell{state: "none"}
}

func (d *debate) stale(c cell) bool { return c.state != "none" && c.round < d.last }

// rounds returns the rounds in which the main phase began.
func (d *debate) rounds() []int {
	var rounds []int
	for r := 1; r <= d.last; r++ {
		if slices.ContainsFunc(d.Turns, func(t Turn) bool { return t.Round == r && t.Phase == d.main.Name }) {
			rounds = append(rounds, r)
		}
	}
	return rounds
}

// table returns a row for each voting seat, a cell for each round with a vote.
func (d *debate) table() []Vote {
	votes := []Vote{}
	if !d.counted() {
		return votes
	}
	for _, s := range d.free {
		var before cell
		arrow := -1
		for _, r := range d.rounds() {
			c := d.cell(s, r)
			v := Vote{Seat: d.Seats[s].ID, Round: r, State: c.state, Side: c.side, Stale: d.stale(c) && c.round == d.vote(s).round}
			if c.turn != nil {
				v.Confidence = c.turn.Confidence
				if c.state == "read" {
					v.Value = c.turn.Value
				}
			}
			if c.readable() {
				v.Arrow = d.arrow(before, c)
				before = c
			}
			if votes = append(votes, v); v.Arrow == "moved" {
				arrow = len(votes) - 1
			}
		}
		if arrow >= 0 {
			votes[arrow].By = d.by(d.cell(s, votes[arrow].Round))
		}
	}
	return votes
}

func (d *debate) arrow(before, now cell) string {
	switch {
	case before.turn == nil || before.key == now.key || d.Question.Kind == "open":
		return ""
	case before.turn.Maker != now.turn.Maker || before.turn.Model != now.turn.Model:
		return "model"
	}
	return "moved"
}

// by says what moved a seat to a vote, as far as that can be checked.
func (d *debate) by(now cell) string {
	c := now.turn.ChangedBy
	switch {
	case c == nil || c.Fact == "" && c.Seat == nil && c.Tool == "" && c.Text == "":
		return ""
	case c.Fact != "" && d.known(c.Fact, now.round):
		return c.Fact
	case c.Tool != "" && slices.Contains(now.turn.Tools, c.Tool):
		return c.Tool
	case c.Seat != nil && now.state == "read":
		for _, r := range now.turn.Reads {
			for i := range d.Turns {
				t := &d.Turns[i]
				if t.Seat == *c.Seat && r == (Read{t.Seat, t.Round}) && t.State == "done" && d.Question.cell(t).key == now.key {
					return d.Seats[t.Seat].ID
				}
			}
		}
	}
	return "?"
}

// known tells whether an id names evidence, or an answer that was released to the round or before it.
func (d *debate) known(id string, round int) bool {
	if id == "F1" {
		return d.Evidence > 0
	}
	return slices.ContainsFunc(d.Requests, func(r Request) bool {
		return r.ID == id && slices.ContainsFunc(r.Answers, func(a Answer) bool {
			return a.Outcome == "answered" && a.Released > 0 && a.Released <= round
		})
	})
}
