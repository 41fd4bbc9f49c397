package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Comparison is two debates side by side: in what they differ, and what each came to. It
// is made once and then only rendered; its JSON is what `roundtable diff --json` prints.
type Comparison struct {
	Debates  [2]Compared      `json:"debates"`
	Relation string           `json:"relation,omitempty"` // which one is a fork of the other
	Changed  []Difference     `json:"changed"`
	Seats    []SeatComparison `json:"seats"`
	Outcome  string           `json:"outcome"`              // what became of the headline, or why that is not known
	Missing  []string         `json:"incomplete,omitempty"` // sentences about what cannot be compared
}

// Compared is one of the two debates.
type Compared struct {
	ID         string        `json:"id"`
	Name       string        `json:"name"`
	Status     debate.Status `json:"status"`
	Progress   string        `json:"progress"`
	Headline   string        `json:"headline,omitempty"` // "": there is no verdict
	Votes      string        `json:"votes,omitempty"`    // the last ones
	Confidence *float64      `json:"confidence"`         // of the chair; null: not stated
	Agreement  string        `json:"agreement,omitempty"`
}

// Sure says how sure the chair is.
func (c Compared) Sure() string { return confidence(c.Confidence) }

// Difference is one thing that the debates do not share.
type Difference struct {
	What   string    `json:"what"`   // such as "mode" or "C1"
	About  string    `json:"about"`  // the question of a request; "" for other things
	Values [2]string `json:"values"` // "": there is none
}

// SeatComparison is what a member held at the end of each debate.
type SeatComparison struct {
	Agent      agents.ID      `json:"agent"`
	Name       string         `json:"name"`
	Sides      [2]debate.Side `json:"sides"` // "": none, or no statement
	Confidence [2]*float64    `json:"confidence"`
	Standing   [2]string      `json:"standing"` // in words
	Moved      bool           `json:"moved"`    // it takes a side in both, and not the same
}

// Compare returns the comparison of two debates, with all text made safe.
func Compare(a, b debate.Session) Comparison {
	pair := [2]debate.Session{scrub(a, text.Sanitize), scrub(b, text.Sanitize)}
	c := Comparison{Relation: relation(pair), Changed: differences(pair), Seats: compareSeats(pair)}
	for i, s := range pair {
		c.Debates[i] = compared(s)
		if s.Verdict == nil {
			c.Missing = append(c.Missing, fmt.Sprintf("%s has no verdict yet. %s", s.ID, incompleteLine(s, false)))
		}
	}
	c.Outcome = outcomeOf(c.Debates)
	return c
}

func compared(s debate.Session) Compared {
	c := Compared{ID: s.ID, Name: text.Line(s.Name()), Status: s.Status(), Progress: documentOf(s, Options{}).progress()}
	if s.Verdict != nil {
		x := conclude(*s.Verdict, s)
		c.Headline, c.Votes, c.Confidence = x.Headline, x.Baseline.Final, x.Confidence
	}
	if all := agreementOf(s); len(all) > 0 && all[len(all)-1].Level != nil {
		c.Agreement = fmt.Sprintf("%.2f", *all[len(all)-1].Level)
	}
	return c
}

func outcomeOf(pair [2]Compared) string {
	switch {
	case pair[0].Headline == "" && pair[1].Headline == "":
		return "Neither debate has a verdict yet."
	case pair[0].Headline == "" || pair[1].Headline == "":
		return "Only one of them has a verdict yet."
	case pair[0].Headline == pair[1].Headline:
		return "The headline is the same."
	}
	return "The headline changed."
}

// relation says which debate is a fork of the other, and what it changed.
func relation(pair [2]debate.Session) string {
	for i, s := range pair {
		if s.ForkedFrom != "" && s.ForkedFrom == pair[1-i].ID {
			return s.ID + " is a " + s.Origin().String() + "."
		}
	}
	if from := pair[0].ForkedFrom; from != "" && from == pair[1].ForkedFrom {
		return "Both are forks of " + from + "."
	}
	return ""
}

func differences(pair [2]debate.Session) []Difference {
	out := []Difference{}
	add := func(what, about string, of func(debate.Session) string) {
		values := [2]string{of(pair[0]), of(pair[1])}
		if values[0] != values[1] {
			out = append(out, Difference{what, about, values})
		}
	}
	add("topic", "", func(s debate.Session) string { return strings.TrimSpace(s.Topic) })
	add("question", "", Answers)
	add("mode", "", func(s debate.Session) string { return s.Mode.Name })
	add("rounds", "", func(s debate.Session) string { return fmt.Sprint(s.Rounds) })
	add("panel", "", func(s debate.Session) string { return strings.Join(s.NamesOf(s.SeatIDs()), ", ") })
	for _, p := range pair[0].Seats {
		if _, n := pair[1].Seat(p.ID); n > 0 {
			add("model of "+p.Name, "", func(s debate.Session) string { seat, _ := s.Seat(p.ID); return modelName(seat) })
		}
	}
	add("chair", "", func(s debate.Session) string { return helperName(s.Chair, "a seat") })
	add("light model", "", func(s debate.Session) string { return helperName(s.Light, "none") })
	add("evidence", "", evidenceNames)
	return append(out, answerDifferences(pair)...)
}

func helperName(p *agents.Profile, none string) string {
	if p == nil {
		return none
	}
	return modelName(*p)
}

func evidenceNames(s debate.Session) string {
	var names []string
	for _, e := range s.Evidence {
		names = append(names, e.ID+" "+e.Name)
	}
	return strings.Join(names, ", ")
}

// answerDifferences lists the requests that were answered otherwise, at another time, or
// in one of the debates alone. A request is the same if it asks the same.
func answerDifferences(pair [2]debate.Session) []Difference {
	var out []Difference
	for _, r := range pair[0].Requests {
		q, _ := requestLike(pair[1], r)
		out = append(out, answerDifference(r, q)...)
	}
	for _, q := range pair[1].Requests {
		if _, both := requestLike(pair[0], q); !both {
			out = append(out, answerDifference(ledger.Request{}, q)...)
		}
	}
	return out
}

func requestLike(s debate.Session, r ledger.Request) (ledger.Request, bool) {
	i := slices.IndexFunc(s.Requests, func(q ledger.Request) bool { return q.Key == r.Key })
	if i < 0 {
		return ledger.Request{}, false
	}
	return s.Requests[i], true
}

func answerDifference(r, q ledger.Request) []Difference {
	what := cmp.Or(r.ID, q.ID)
	if r.ID != "" && q.ID != "" && r.ID != q.ID {
		what = r.ID + " and " + q.ID
	}
	values := [2]string{answerWords(r), answerWords(q)}
	if values[0] == values[1] {
		values = [2]string{roundWords(r), roundWords(q)}
	}
	if values[0] == values[1] {
		return nil
	}
	return []Difference{{what, text.Line(cmp.Or(r.Query, q.Query)), values}}
}

// answerWords returns the answer that members know, or why it is missing.
func answerWords(r ledger.Request) string {
	a, ok := r.Sent()
	switch {
	case r.ID == "":
		return "not asked"
	case !ok:
		return "not answered"
	case a.Outcome == ledger.Unavailable:
		return "unavailable: " + a.Content
	}
	return a.Content
}

func roundWords(r ledger.Request) string {
	if n := r.FirstDelivery(); n > 0 {
		return fmt.Sprintf("known from round %d", n)
	}
	return ""
}

func compareSeats(pair [2]debate.Session) []SeatComparison {
	out := []SeatComparison{}
	for i, s := range pair {
		sides := verdict.SidesOf(s)
		for _, p := range s.Seats {
			at := slices.IndexFunc(out, func(x SeatComparison) bool { return x.Agent == p.ID })
			if at < 0 {
				at = len(out)
				out = append(out, SeatComparison{Agent: p.ID, Name: p.Name})
			}
			x, ok := lastStatement(s, p.ID)
			if !ok {
				continue
			}
			side := sides.Of(x.Statement)
			out[at].Sides[i], out[at].Confidence[i], out[at].Standing[i] = side, x.Statement.Confidence, standing(s, x, side)
			if x.Turn.Round < len(s.History) {
				out[at].Standing[i] += fmt.Sprintf(", in round %d", x.Turn.Round)
			}
		}
	}
	for i, x := range out {
		out[i].Moved = x.Sides[0] != debate.Undecided && x.Sides[1] != debate.Undecided && x.Sides[0] != x.Sides[1]
	}
	return out
}

func lastStatement(s debate.Session, id agents.ID) (debate.Response, bool) {
	for _, r := range slices.Backward(s.History) {
		for _, x := range slices.Backward(r.Latest()) {
			if x.Turn.Agent == id && x.HasStatement() {
				return x, true
			}
		}
	}
	return debate.Response{}, false
}

// Moved says in a sentence whose side is another one.
func (c Comparison) Moved() string {
	var names []string
	for _, x := range c.Seats {
		if x.Moved {
			names = append(names, fmt.Sprintf("%s (A %s, B %s)", x.Name, x.Sides[0], x.Sides[1]))
		}
	}
	if len(names) == 0 {
		return "Nobody ends on another side."
	}
	return fmt.Sprintf("%s on another side: %s.", text.Inflect(len(names), "One seat ends", fmt.Sprint(len(names), " seats end")),
		strings.Join(names, ", "))
}
