package verdict

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
)

const quoteMarks = "\"'`“”„‘’‚«»‹›"

// trimLabel returns a label without white space, quotes and full stops around it.
func trimLabel(label string) string {
	return strings.TrimFunc(strings.Join(strings.Fields(label), " "), func(r rune) bool {
		return unicode.IsSpace(r) || r == '.' || strings.ContainsRune(quoteMarks, r)
	})
}

// labelKey returns what is the same for all spellings of a label.
func labelKey(label string) string { return strings.ToLower(trimLabel(label)) }

// SameLabel reports whether two labels are spellings of one.
func SameLabel(a, b string) bool { return labelKey(a) == labelKey(b) }

// maxLabel is how many characters a label of an open question has at most.
const maxLabel = 40

func isSide(label string) bool {
	key := labelKey(label)
	switch key {
	case "null", "none", "n/a", "unknown", "unsure", "neutral", "depends":
		return false
	}
	key = strings.ReplaceAll(key, "’", "'")
	return len([]rune(trimLabel(label))) <= maxLabel && !strings.HasPrefix(key, "i don't know") &&
		strings.ContainsFunc(key, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

type ballot struct {
	state debate.VoteState
	side  debate.Side // what is the same for all spellings, unless the session names it
	label string      // as it is written
	value float64
}

func readBallot(s debate.Session, st debate.Statement) ballot {
	word := st.Vote
	key := labelKey(word)
	b := ballot{state: debate.VoteRead, label: trimLabel(word)}
	if key == debate.UndecidedWord {
		b.state = debate.VoteUndecided
		return b
	}
	readable := false
	switch s.Question {
	case debate.QuestionChoice:
		i := slices.IndexFunc(s.Mode.Options, func(o string) bool { return labelKey(o) == key })
		if readable = i >= 0 && key != ""; readable {
			b.side = debate.Side(s.Mode.Options[i])
		}
	case debate.QuestionEstimate:
		b.value, readable = numberOf(key, s.Unit)
	case debate.QuestionOpen:
		readable, b.side = isSide(word), debate.Side(key)
	case debate.QuestionYesNo, debate.QuestionUnset:
		switch key {
		case "yes", "true":
			b.side = debate.SideYes
		case "no", "false":
			b.side = debate.SideNo
		}
		readable = b.side != debate.Undecided
	}
	if !readable {
		return ballot{state: debate.VoteUnreadable, label: word}
	}
	if s.Question != debate.QuestionOpen {
		b.label = string(b.side)
	}
	return b
}

// numberOf reads a number, which may have its unit before or behind it.
func numberOf(word, unit string) (float64, bool) {
	if unit = strings.ToLower(unit); unit != "" {
		for _, u := range []string{unit, strings.TrimSuffix(unit, "s")} {
			rest, behind := strings.CutSuffix(word, u)
			rest, before := strings.CutPrefix(rest, u)
			if behind != before {
				word = strings.TrimSpace(rest)
				break
			}
		}
	}
	v, err := strconv.ParseFloat(word, 64)
	return v, err == nil && v-v == 0 && !strings.ContainsAny(word, "xpni_")
}

// poll is the votes of each voting seat in each round in which its voting phase began.
type poll struct {
	s      debate.Session
	phase  string
	seats  []agents.ID // that vote
	rounds []int
	cells  map[agents.ID][]cell // by seat, one for each of rounds
}

type cell struct {
	ballot
	response debate.Response
}

func (c cell) readable() bool { return c.state == debate.VoteRead || c.state == debate.VoteUndecided }

func pollOf(s debate.Session) poll {
	p := poll{s: s, cells: map[agents.ID][]cell{}}
	phase, ok := votingPhase(s.Mode)
	if !ok {
		return p
	}
	p.phase, p.seats = phase.Name, voters(s)
	for _, r := range s.History {
		latest := r.Latest()
		began := func(x debate.Response) bool { return x.Phase == p.phase && (x.Finished() || !x.Began.IsZero()) }
		if !slices.ContainsFunc(latest, began) {
			continue
		}
		p.rounds = append(p.rounds, r.Number)
		for _, id := range p.seats {
			c := cell{ballot: ballot{state: debate.VoteNone}}
			for _, x := range latest {
				if x.Turn.Agent == id && x.Phase == p.phase && x.HasStatement() {
					c = cell{readBallot(s, x.Statement), x}
				}
			}
			p.cells[id] = append(p.cells[id][:len(p.rounds)-1], c)
		}
	}
	p.nameLabels()
	return p
}

// nameLabels sets the sides of an open question to how the first seat of the newest round
// in which they are held spells them.
func (p poll) nameLabels() {
	if p.s.Question != debate.QuestionOpen {
		return
	}
	names := map[debate.Side]debate.Side{}
	for i := range slices.Backward(p.rounds) {
		for _, id := range p.seats {
			c := p.cells[id][i]
			if _, known := names[c.side]; c.state == debate.VoteRead && !known {
				names[c.side] = debate.Side(c.label)
			}
		}
	}
	for _, id := range p.seats {
		for i, c := range p.cells[id] {
			if c.state == debate.VoteRead {
				p.cells[id][i].side = names[c.side]
			}
		}
	}
}

// newest returns the newest statement of a seat and which of the rounds it is in; -1 for none.
func (p poll) newest(id agents.ID) (cell, int) {
	for i, c := range slices.Backward(p.cells[id]) {
		if c.state != debate.VoteNone {
			return c, i
		}
	}
	return cell{ballot: ballot{state: debate.VoteNone}}, -1
}

func (p poll) current() []cell {
	var out []cell
	for _, id := range p.seats {
		c, _ := p.newest(id)
		out = append(out, c)
	}
	return out
}

func (p poll) votes() []debate.SeatVote {
	var out []debate.SeatVote
	for _, id := range p.seats {
		_, newest := p.newest(id)
		before, last := -1, -1 // readable vote, arrow
		for i, c := range p.cells[id] {
			v := debate.SeatVote{Seat: id, Round: p.rounds[i], State: c.state, Stale: i == newest && i < len(p.rounds)-1}
			if c.state != debate.VoteNone {
				v.Confidence, v.Label = c.response.Statement.Confidence, c.label
			}
			if c.state == debate.VoteRead {
				v.Side = c.side
				if p.s.Question == debate.QuestionEstimate {
					v.Label, v.Value = "", &c.value
				}
			}
			if c.readable() {
				if before >= 0 {
					v.Arrow = p.arrow(id, before, i)
				}
				if v.Arrow == debate.ArrowMoved {
					last = len(out)
				}
				before = i
			}
			out = append(out, v)
		}
		if last >= 0 {
			out[last].By = p.movedBy(id, slices.Index(p.rounds, out[last].Round))
		}
	}
	return out
}

// arrow returns how a vote differs from an earlier one. Two different labels do not prove a move.
func (p poll) arrow(id agents.ID, before, now int) debate.Arrow {
	if p.s.Question == debate.QuestionOpen || p.asksRanking() || p.cells[id][before].equals(p.cells[id][now]) {
		return ""
	}
	if _, other := p.s.ChangedModel(id, p.rounds[before], p.rounds[now]); other {
		return debate.ArrowModel
	}
	return debate.ArrowMoved
}

func (p poll) asksRanking() bool { return p.s.Mode.Phase(p.phase).Asks == debate.AsksRanking }

func (c cell) equals(o cell) bool {
	return c.state == o.state && c.side == o.side && c.value == o.value
}

// movedBy returns what changed a vote, as its seat says, where that can be checked: an
// answer or lines that were released to it, a tool that it called, or a seat that held the
// new side in a statement it had read. It is "?" for all else, and "" where nothing is
// named.
func (p poll) movedBy(id agents.ID, at int) string {
	now := p.cells[id][at]
	said := now.response.Statement.ChangedBy
	if said == nil || strings.Trim(*said, "[] ") == "" {
		return ""
	}
	word := strings.Trim(*said, "[] ")
	round := now.response.Turn.Round
	if q, ok := p.s.Request(strings.ToUpper(word)); ok {
		a, released := q.Revision(revision(p.s, q.ID, round))
		if released && a.Outcome == ledger.Answered {
			return q.ID
		}
		return "?"
	}
	if cited := cite.Evidence("[" + word + "]"); len(cited) > 0 {
		if cite.Resolve(cited[0], p.s, round).Problem == "" {
			return cited[0].String()
		}
		return "?"
	}
	turn, before := now.response.Turn, at-1
	for p.cells[id][before].state == debate.VoteNone {
		before--
	}
	for _, name := range toolsUsed(p.s, p.cells[id][before].response.Turn, turn) {
		if strings.EqualFold(name, word) {
			return name
		}
	}
	ids := namedSeats(p.s, word)
	if len(ids) != 1 || ids[0] == turn.Agent || ids[0] == "" || now.state != debate.VoteRead {
		return "?"
	}
	held := func(x debate.Response) bool {
		b := readBallot(p.s, x.Statement)
		return b.state == debate.VoteRead && b.value == now.value && labelKey(string(b.side)) == labelKey(string(now.side))
	}
	if !slices.ContainsFunc(seenBy(p.s, now.response, ids[0]), held) {
		return "?"
	}
	return string(ids[0])
}

// NewestStatements returns the newest statement of each voting seat, or in a mode without
// votes of each seat, by seat.
func NewestStatements(s debate.Session) []debate.Response {
	p := pollOf(s)
	var out []debate.Response
	if len(p.seats) == 0 || p.asksRanking() {
		p.seats, p.phase = s.SeatIDs(), ""
	}
	for _, id := range p.seats {
		for _, r := range slices.Backward(s.History) {
			latest := r.Latest()
			i := slices.IndexFunc(latest, func(x debate.Response) bool {
				return x.Turn.Agent == id && x.Phase == p.phase && x.HasStatement()
			})
			if i >= 0 {
				out = append(out, latest[i])
				break
			}
		}
	}
	return out
}

// SpentAfterFirst returns what came after the first votes: all later turns of the seats, and
// what the chair and the light model took.
func SpentAfterFirst(s debate.Session) debate.Spending {
	sum := debate.Spending{Cost: new(float64)}
	p := pollOf(s)
	if len(p.rounds) == 0 {
		return sum
	}
	first, step := p.rounds[0], 0
	for _, id := range p.seats {
		step = max(step, p.cells[id][0].response.Turn.Step)
	}
	for _, r := range s.History {
		for _, x := range r.Responses {
			if later := r.Number > first || r.Number == first && x.Turn.Step > step; later && !x.Inherited {
				sum = sum.Plus(x.Calls, x.Usage, x.Cost)
			}
		}
	}
	for _, a := range s.AuxiliarySpending {
		if a.Purpose != debate.ForFollowUp {
			sum = sum.Plus(a.Calls, a.Usage, a.Cost)
		}
	}
	return sum
}

// Labels returns the labels that are used in the votes of an open question, in the order of
// their first use, each as it is counted.
func Labels(s debate.Session) []string {
	p := pollOf(s)
	var out []string
	for i := range p.rounds {
		for _, id := range p.seats {
			c := p.cells[id][i]
			if label := string(c.side); s.Question == debate.QuestionOpen && c.state == debate.VoteRead && !slices.Contains(out, label) {
				out = append(out, label)
			}
		}
	}
	return out
}
