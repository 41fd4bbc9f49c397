package verdict

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

const quoteMarks = "\"'`“”„‘’‚«»‹›"

func trimLabel(label string) string {
	return strings.TrimFunc(strings.Join(strings.Fields(label), " "), func(r rune) bool {
		return unicode.IsSpace(r) || r == '.' || strings.ContainsRune(quoteMarks, r)
	})
}

// labelKey returns what is the same for all spellings of a label.
func labelKey(label string) string { return strings.ToLower(trimLabel(label)) }

// SameLabel reports whether two labels are spellings of one.
func SameLabel(a, b string) bool { return labelKey(a) == labelKey(b) }

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
	ranks  bool // it asks for rankings
	rounds []int
	voters []voter
}

type voter struct {
	id    agents.ID
	cells []cell // one for each of the rounds
	now   cell   // the newest with a statement
	at    int    // which of the cells that is; -1 for none
}

type cell struct {
	ballot
	response debate.Response
}

func (c cell) readable() bool { return c.state == debate.VoteRead || c.state == debate.VoteUndecided }

func (c cell) equals(o cell) bool {
	return c.state == o.state && c.side == o.side && c.value == o.value
}

func pollOf(s debate.Session) poll {
	p := poll{s: s}
	phase, ok := votingPhase(s.Mode)
	if !ok {
		return p
	}
	p.phase, p.ranks = phase.Name, phase.Asks == debate.AsksRanking
	none := cell{ballot: ballot{state: debate.VoteNone}}
	for _, id := range voters(s) {
		p.voters = append(p.voters, voter{id: id, now: none, at: -1})
	}
	for _, r := range s.History {
		if !slices.ContainsFunc(r.Latest(), func(x debate.Response) bool {
			return x.Phase == p.phase && (x.Finished() || !x.Began.IsZero())
		}) {
			continue
		}
		p.rounds = append(p.rounds, r.Number)
		for i := range p.voters {
			v, c := &p.voters[i], none
			if x, ok := saidIn(r, v.id, p.phase); ok {
				c, v.at = cell{readBallot(s, x.Statement), x}, len(v.cells)
			}
			v.cells = append(v.cells, c)
		}
	}
	if s.Question == debate.QuestionOpen {
		p.nameLabels()
	}
	for i, v := range p.voters {
		if v.at >= 0 {
			p.voters[i].now = v.cells[v.at]
		}
	}
	return p
}

// nameLabels spells sides as the first seat of the newest round in which they are held does.
func (p poll) nameLabels() {
	names := map[debate.Side]debate.Side{}
	for i := range slices.Backward(p.rounds) {
		for _, v := range p.voters {
			c := &v.cells[i]
			if _, known := names[c.side]; !known {
				names[c.side] = debate.Side(c.label)
			}
			if c.state == debate.VoteRead {
				c.side = names[c.side]
			}
		}
	}
}

// current returns the votes as they count, without those of some seats.
func (p poll) current(without []agents.ID) (out []cell) {
	for _, v := range p.voters {
		if !slices.Contains(without, v.id) {
			out = append(out, v.now)
		}
	}
	return out
}

func (p poll) votes() []debate.SeatVote {
	var out []debate.SeatVote
	for _, seat := range p.voters {
		before, last := -1, -1 // readable vote, arrow
		for i, c := range seat.cells {
			v := debate.SeatVote{Seat: seat.id, Round: p.rounds[i], State: c.state, Stale: i == seat.at && i < len(p.rounds)-1}
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
					v.Arrow = p.arrow(seat, before, i)
				}
				if v.Arrow == debate.ArrowMoved {
					last = len(out)
				}
				before = i
			}
			out = append(out, v)
		}
		if last >= 0 {
			out[last].By = p.movedBy(seat, slices.Index(p.rounds, out[last].Round))
		}
	}
	return out
}

// arrow returns how a vote differs from an earlier one. Two different labels do not prove a move.
func (p poll) arrow(v voter, before, now int) debate.Arrow {
	if p.s.Question == debate.QuestionOpen || v.cells[before].equals(v.cells[now]) {
		return ""
	}
	if _, other := p.s.ChangedModel(v.id, p.rounds[before], p.rounds[now]); other {
		return debate.ArrowModel
	}
	return debate.ArrowMoved
}

// movedBy returns what changed a vote, as its seat says, where that can be checked: an
// answer or lines that were released to it, a tool that it called, or a seat that held the
// new side in a statement it had read. It is "?" for all else, and "" where nothing is named.
func (p poll) movedBy(v voter, at int) string {
	now := v.cells[at]
	if now.response.Statement.ChangedBy == nil {
		return ""
	}
	word := strings.Trim(*now.response.Statement.ChangedBy, "[] ")
	turn := now.response.Turn
	q, asked := p.s.Request(strings.ToUpper(word))
	cited := cite.In("[" + word + "]").Evidence
	switch {
	case word == "":
		return ""
	case asked:
		for _, d := range slices.Backward(q.Delivered) {
			if a, _ := q.Revision(d.Revision); d.Round <= turn.Round && a.Outcome == ledger.Answered {
				return q.ID
			}
		}
		return "?"
	case len(cited) > 0:
		if cite.Resolve(cited[0], p.s, turn.Round).Problem == "" {
			return cited[0].String()
		}
		return "?"
	}
	before := at - 1
	for v.cells[before].state == debate.VoteNone {
		before--
	}
	for _, name := range toolsUsed(p.s, v.cells[before].response.Turn, turn) {
		if strings.EqualFold(name, word) {
			return name
		}
	}
	id := seatNamed(p.s, word)
	if id == "" || id == turn.Agent || now.state != debate.VoteRead {
		return "?"
	}
	for x := range p.s.Said() {
		b := readBallot(p.s, x.Statement)
		if x.Turn.Agent == id && slices.Contains(now.response.SeenResponses, x.ID()) && b.state == debate.VoteRead &&
			b.value == now.value && SameLabel(string(b.side), string(now.side)) {
			return string(id)
		}
	}
	return "?"
}

// NewestStatements returns the newest statement of each voting seat, without votes of each seat, by seat.
func NewestStatements(s debate.Session) []debate.Response {
	var out []debate.Response
	seats, phase := voters(s), s.Mode.Votes
	if len(seats) == 0 || !CountsSides(s) {
		seats, phase = s.SeatIDs(), ""
	}
	for _, id := range seats {
		for _, r := range slices.Backward(s.History) {
			if x, ok := saidIn(r, id, phase); ok {
				out = append(out, x)
				break
			}
		}
	}
	return out
}

// SpentAfterFirst returns what came after the first votes: later turns, and all that was not a turn.
func SpentAfterFirst(s debate.Session) debate.Spending {
	sum := debate.Spending{Cost: new(float64)}
	p := pollOf(s)
	if len(p.rounds) == 0 {
		return sum
	}
	first, step := p.rounds[0], 0
	for _, v := range p.voters {
		step = max(step, v.cells[0].response.Turn.Step)
	}
	for _, r := range s.History {
		for _, x := range r.Responses {
			if later := r.Number > first || r.Number == first && x.Turn.Step > step; later && !x.Inherited {
				sum = sum.Plus(x.Calls, x.Usage, x.Cost)
			}
		}
	}
	for _, a := range s.AuxiliarySpending {
		sum = sum.Plus(a.Calls, a.Usage, a.Cost)
	}
	return sum
}

// Labels returns the labels in the votes of an open question as they are counted, by first use.
func Labels(s debate.Session) (out []string) {
	p := pollOf(s)
	for i := range p.rounds {
		for _, v := range p.voters {
			c := v.cells[i]
			if label := string(c.side); s.Question == debate.QuestionOpen && c.state == debate.VoteRead && !slices.Contains(out, label) {
				out = append(out, label)
			}
		}
	}
	return out
}

func votingPhase(m debate.Mode) (debate.Phase, bool) {
	if m.Votes == debate.VotesNone {
		return debate.Phase{}, false
	}
	return m.Phase(m.Votes), true
}

// HasVote reports whether a seat speaks in the voting phase with a stance of its own. Where no phase
// is named for that, a seat whose role prescribes a stance has no vote.
func HasVote(s debate.Session, id agents.ID) bool {
	phase, ok := votingPhase(s.Mode)
	if !ok {
		return false
	}
	_, seat := s.Seat(id)
	role, _ := s.Mode.RoleOf(seat, len(s.Seats))
	if len(phase.Roles) > 0 && !slices.Contains(phase.Roles, role.Name) {
		return false
	}
	return phase.Name != "" || !role.Fixed && role.Stance != debate.NoStance
}

// CountsSides reports whether there are votes that are sides, and not ballots.
func CountsSides(s debate.Session) bool {
	phase, ok := votingPhase(s.Mode)
	return ok && phase.Asks != debate.AsksRanking
}

func votesHeld(s debate.Session, r debate.Round) bool {
	phase, ok := votingPhase(s.Mode)
	return ok && (phase.Name == "" || phase.Instructions(r.Number, r.Manifest.Rounds) != "")
}

func voters(s debate.Session) []agents.ID {
	return seatsWhere(s, func(id agents.ID) bool { return HasVote(s, id) })
}

// saidIn returns the statement of a seat in a phase of a round; false if it has none there.
func saidIn(r debate.Round, id agents.ID, phase string) (said debate.Response, ok bool) {
	for i := range r.Responses { // a copy of all would be slow
		x := &r.Responses[i]
		newest := i+1 == len(r.Responses) || !debate.SameTurn(x.Turn, r.Responses[i+1].Turn)
		if newest && x.Turn.Agent == id && x.Phase == phase && x.HasStatement() {
			said, ok = *x, true
		}
	}
	return said, ok
}

func responsesInPhase(s debate.Session, r debate.Round, phase string) (out []debate.Response) {
	for _, p := range s.Seats {
		if x, ok := saidIn(r, p.ID, phase); ok {
			out = append(out, x)
		}
	}
	return out
}

func toolsUsed(s debate.Session, after, upTo agents.Turn) []string {
	var out []string
	for _, r := range s.History[after.Round-1 : upTo.Round] {
		for _, x := range r.Said() {
			early := x.Turn.Round == after.Round && x.Turn.Step <= after.Step
			late := x.Turn.Round == upTo.Round && x.Turn.Step > upTo.Step
			if x.Turn.Agent != upTo.Agent || early || late {
				continue
			}
			for _, p := range x.Passages {
				for _, t := range p.Tools {
					if isSource(t) && !slices.Contains(out, t.Name) {
						out = append(out, t.Name)
					}
				}
			}
		}
	}
	return out
}

// isSource reports whether a tool call returned something from outside: no question, no statement of a member,
// and no list of names, which says nothing of what is in them.
func isSource(t debate.ToolRecord) bool {
	notSources := []string{agents.RequestContextName, "list_evidence", "list_dir", "find_files"}
	if t.Name == agents.ReadEvidenceName && agents.StatementID(t.Args) != "" {
		return false
	}
	return t.State == debate.ToolDone && t.Result.Status == agents.ToolOK && t.Result.Text != "" && !slices.Contains(notSources, t.Name)
}

// ReadBallot reads a ranking of the others' answers, and notes entries that do not count.
func ReadBallot(s debate.Session, x debate.Response, answers []agents.ID) (order []agents.ID, notes []string) {
	others := slices.DeleteFunc(slices.Clone(answers), func(id agents.ID) bool { return id == x.Turn.Agent })
	for _, entry := range x.Statement.Ranking {
		id := seatNamed(s, entry)
		if !slices.Contains(others, id) || slices.Contains(order, id) {
			notes = append(notes, fmt.Sprintf("%q in its ranking was not counted", text.Head(entry, maxQuotedLength)))
			continue
		}
		order = append(order, id)
	}
	if left := len(others) - len(order); left > 0 {
		notes = append(notes, fmt.Sprintf("its ranking leaves out %d of the answers", left))
	}
	return order, notes
}

// listNumber is a list number in front of an entry, such as "1." or "2)".
var listNumber = regexp.MustCompile(`^\s*\d+\s*[.):]\s+`)

// seatNamed returns the member named by label, name, id or number, or with its label first; "" for none.
func seatNamed(s debate.Session, entry string) agents.ID {
	word := text.Fold(strings.Trim(listNumber.ReplaceAllString(entry, ""), " \t#.:()[]*\"'`"))
	begins, behind := agents.ID(""), ""
	for i, p := range s.Seats {
		label := text.Fold(s.PromptName(p.ID))
		if slices.Contains([]string{label, text.Fold(p.Name), text.Fold(string(p.ID)), strconv.Itoa(i + 1)}, word) {
			return p.ID
		}
		if rest, ok := strings.CutPrefix(word, label); ok && s.Mode.Label != "" && strings.Trim(rest[:1], "0123456789") != "" {
			begins, behind = p.ID, rest
		}
	}
	if slices.ContainsFunc(s.Seats, func(p agents.Profile) bool { return strings.Contains(behind, text.Fold(s.PromptName(p.ID))) }) {
		return "" // it names two
	}
	return begins
}
