package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/cite"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Who names a member or the chair.
func (r Report) Who(id agents.ID) string { return r.session.NameOf(id) }

// Origin says what a session is a fork of, and what it inherited; "" for other sessions.
func Origin(s debate.Session) string {
	line := ""
	if s.Verdict != nil {
		line = Line(s)
	}
	parts := []string{s.ForkLine(line)}
	if took := budget.InheritedSpending(s); s.ForkedFrom != "" && took.Calls > 0 {
		parts = append(parts, fmt.Sprintf("inherited, and not counted here: %s, %s", text.Count(took.Calls, "call"),
			Spent(took.Usage, took.Cost, s.Seats...)))
	}
	return text.Join("; ", parts...)
}

// Status returns the state of an attempt as a symbol and a word.
func (t Turn) Status() string {
	switch t.State {
	case debate.TurnDone:
		return "✓ done"
	case debate.TurnFailed:
		return "✗ failed"
	case debate.TurnCancelled:
		return "– cancelled"
	case debate.TurnInterrupted:
		return "! interrupted"
	case debate.TurnRunning:
	}
	return "… running"
}

// Done reports whether the attempt ended with a statement.
func (r Response) Done() bool { return r.State == debate.TurnDone }

// Problem says why there is no statement, and what may help; "" if there is one.
func (r Response) Problem() string {
	if r.Done() {
		return ""
	}
	return cmp.Or(r.Failure.Words(r.State), "No answer yet.")
}

// Partial heads the text of a turn in a state that is not done.
func Partial(s debate.TurnState) string {
	if s == debate.TurnRunning {
		return "Written so far:"
	}
	return "Partial text, not used:"
}

// Body returns the text of a statement, unless it only repeats the position.
func (r Response) Body() string {
	words := r.Statement.Words()
	if words == r.Statement.Position {
		return ""
	}
	return words
}

// Cites returns what a statement cites, each once.
func (r Response) Cites() []string { return cite.Of(r.Statement) }

// Remarks returns what a reader should know about a statement.
func (r Response) Remarks() []string {
	var out []string
	if note := r.Finish.Note(); note != "" && r.Done() {
		out = append(out, note)
	}
	if broken := r.Statement.RoleBreach; broken != "" {
		out = append(out, "Breaks its role: "+broken+".")
	}
	for _, n := range r.Statement.Notes {
		out = append(out, text.Capitalize(n)+".")
	}
	if f := r.Fitting; f != nil && len(f.Excerpts) > 0 {
		n := len(f.Excerpts)
		out = append(out, fmt.Sprintf("%s %s shortened or left out of its prompt to fit the context window.",
			text.Count(n, "earlier statement"), text.Inflect(n, "was", "were")))
	}
	return out
}

// Outcome says how a tool call ended and how long it took.
func (t Tool) Outcome() string {
	if t.Result == nil {
		return "not ended"
	}
	return text.Join(": ", fmt.Sprintf("%s, %d ms", t.Result.Status, t.Duration), t.Result.Summary)
}

// Answers says how the question is answered, with the options of a choice or the unit of an estimate.
func Answers(s debate.Session) string {
	if s.Mode.Votes == debate.VotesNone {
		return ""
	}
	said := s.Question.Description()
	if options := s.GivenOptions(); len(options) > 0 {
		said += " (" + text.Line(strings.Join(options, "; ")) + ")"
	}
	if s.Unit != "" {
		said += " (" + text.Line(s.Unit) + ")"
	}
	return said
}

func standing(s debate.Session, x debate.Response) string {
	line := verdict.Standing(s, x)
	if line != "" {
		line += " · "
	}
	if x.Statement.Confidence == nil {
		return line + "confidence not stated"
	}
	return line + text.Percent(*x.Statement.Confidence)
}

func timestamp(t time.Time) string { return t.Format("2006-01-02 15:04 UTC") }

func modelName(p agents.Profile) string { return p.Provider + " / " + p.Model }

func withWarningSign(texts []string) []string {
	return text.Each(texts, func(t string) string { return "⚠ " + t })
}

// Table is figures in rows. The first cell of a row names what it is about.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
	Notes []string // sentences below the table
}

func (t *Table) row(cells ...string) { t.Rows = append(t.Rows, cells) }

func (t Table) lines() [][]string {
	if len(t.Rows) == 0 {
		return nil
	}
	return append([][]string{t.Head}, t.Rows...)
}

func (r Report) participants() Table {
	t := Table{Head: []string{"Seat", "Name", "Provider / model", "Role"}}
	for _, p := range r.Agents {
		name := p.Name
		if p.Label != "" {
			name += ", called " + p.Label
		}
		t.row(fmt.Sprint(p.Seat), name, modelName(p.Profile), p.Role)
	}
	if r.Chair != nil {
		t.row("–", r.Chair.Name, modelName(*r.Chair), "chair")
	}
	if r.Light != nil {
		t.row("–", r.Light.Name, modelName(*r.Light), "light model")
	}
	for _, c := range r.session.ModelChanges() {
		t.Notes = append(t.Notes, c.String()+".")
	}
	return t
}

// purposes name what calls were for; "" is all of them.
var purposes = map[debate.Purpose]string{
	"": "total", debate.ForMember: "seats", debate.ForChair: "chair", debate.ForLight: "light model", debate.ForFollowUp: "follow-ups",
}

func (r Report) spending() Table {
	t := Table{Head: []string{"For", "Requests", "Read", "Written", "Cost"}}
	add := func(name string, s debate.Spending) {
		u := s.Usage
		t.row(name, fmt.Sprint(s.Calls), text.UsedTokens(u.Input, u.Estimated), text.UsedTokens(u.Output, u.Estimated),
			agents.CostText(text.Cost(s.Cost), s.Cost, r.session.SpeakersFor(s.Purpose)...))
	}
	for _, s := range r.Spent {
		add(purposes[s.Purpose], s)
	}
	if r.ForkTook != nil {
		add("inherited", *r.ForkTook)
	}
	return t
}
