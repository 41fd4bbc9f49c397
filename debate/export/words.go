package export

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Name returns what to call the debate: its title, or its topic.
func (d Document) Name() string {
	if d.Title != "" {
		return d.Title
	}
	return d.Topic
}

// Banner is the line at the top: what the debate came to. What is not whole
// begins with that word.
func (d Document) Banner() string {
	if d.Verdict == nil {
		return "Partial. " + d.State.Text
	}
	return d.State.Text
}

// Who names a seat or a chair.
func (d Document) Who(id agents.ID) string {
	for _, p := range d.Agents {
		if p.ID == id {
			return p.Name
		}
	}
	if d.Chair != nil && d.Chair.ID == id {
		return d.Chair.Name
	}
	return string(id)
}

// Names names seats.
func (d Document) Names(ids []agents.ID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = d.Who(id)
	}
	return strings.Join(names, ", ")
}

// Number returns the number of a seat, 0 for whoever has none.
func (d Document) Number(id agents.ID) int {
	for _, p := range d.Agents {
		if p.ID == id {
			return p.Seat
		}
	}
	return 0
}

// Played says how far the rounds have come.
func (d Document) Played() string {
	n := len(d.History)
	if n > 0 && d.History[n-1].Ended == nil {
		return fmt.Sprintf("%d of %d played, round %d not ended", n-1, d.Rounds, n)
	}
	return fmt.Sprintf("%d of %d played", n, d.Rounds)
}

// Origin says which session this one was forked from; "" for none.
func (d Document) Origin() string {
	switch {
	case d.Fork == nil:
		return ""
	case *d.Fork == 0:
		return d.Parent + ", started over"
	}
	return fmt.Sprintf("%s, after round %d", d.Parent, *d.Fork)
}

// Sign is the state of an attempt as a symbol and a word.
func (r Response) Sign() string {
	switch r.State {
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
	return "… under way"
}

// Done reports whether the attempt is a statement.
func (r Response) Done() bool { return r.State == debate.TurnDone }

// Trouble says why there is no statement, and what may help; "" for one that is done.
func (r Response) Trouble() string {
	if r.Done() {
		return ""
	}
	text := ""
	if f := r.Failure; f != nil {
		text = f.Cause
		if f.Tries > 1 {
			text += fmt.Sprintf(" %d tries.", f.Tries)
		}
		if next := agents.Next(f.Remedy, f.Retryable); next != "" {
			text += " " + next
		}
	}
	if text == "" {
		text = "No answer yet."
	}
	if r.Text != "" {
		text += " What had come is kept; nobody was shown it as a statement."
	}
	return text
}

// Body is the prose of a statement, without what Position says already.
func (r Response) Body() string {
	if r.Statement.Body == r.Statement.Position {
		return ""
	}
	return r.Statement.Body
}

// Standing is the side and confidence of a statement.
func (r Response) Standing() string { return standingOf(r.Statement.Stance, r.Statement.Confidence) }

func standingOf(side debate.Stance, sure *float64) string {
	text := "stance not stated"
	if side != "" {
		text = string(side)
	}
	if sure == nil {
		return text + " · confidence not stated"
	}
	return text + " · " + percent(*sure)
}

// Cited lists what a statement cites, each once.
func (r Response) Cited() []string {
	requests, others := r.Statement.Evidence()
	var out []string
	for _, ref := range append(slices.Clip(requests), others...) {
		if !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out
}

// Remarks are what a reader has to know of a statement.
func (r Response) Remarks() []string {
	var out []string
	if note := r.Finish.Note(); note != "" && r.Done() {
		out = append(out, note)
	}
	if broken := r.Statement.Breaks; broken != "" {
		out = append(out, "Breaks its role: "+broken+".")
	}
	for _, n := range r.Statement.Notes {
		out = append(out, upper(n)+".")
	}
	if f := r.Fitting; f != nil && len(f.Copies) > 0 {
		out = append(out, fmt.Sprintf("Its prompt held %s shortened or left out, to fit the window.", counted(len(f.Copies), "earlier statement")))
	}
	return out
}

// Tools counts the tool calls of the attempt.
func (r Response) Tools() int {
	n := 0
	for _, p := range r.Passages {
		n += len(p.Tools)
	}
	return n
}

// Early reports whether a passage is not the last one: its text is no statement.
func (r Response) Early(passage int) bool { return passage < len(r.Passages)-1 }

// Worked reports whether there is more to an attempt than its text.
func (r Response) Worked() bool {
	return len(r.Passages) > 1 || slices.ContainsFunc(r.Passages, func(p Passage) bool { return p.Reasoning != "" || len(p.Tools) > 0 })
}

// Outcome says how a tool call ended.
func (t Tool) Outcome() string {
	if t.Result == nil {
		return "not ended"
	}
	text := fmt.Sprintf("%s, %d ms", t.Result.Status, t.Duration)
	if t.Result.Summary != "" {
		text += ": " + t.Result.Summary
	}
	return text
}

// Standing says where a request stands.
func (r Request) Standing() string {
	switch r.State {
	case ledger.Pending:
		return "not answered yet"
	case ledger.Resolved:
		return "answered, not yet handed over"
	case ledger.Withdrawn:
		return "withdrawn"
	case ledger.Expired:
		return "never answered: the debate ended first"
	case ledger.Released:
	}
	text := "handed over"
	for i, d := range r.Released {
		sep := ", "
		if i == 0 {
			sep = " "
		}
		text += fmt.Sprintf("%sfor round %d", sep, d.Round)
		if len(r.Answers) > 1 {
			text += fmt.Sprintf(" (revision %d)", d.Revision)
		}
	}
	return text
}

// Why says when an agent asked and for what reason, and how it put the question
// where that differs.
func (a Ask) Why(r Request) string {
	text := fmt.Sprintf("round %d, %s", a.Round, a.Priority)
	if a.Withdrawn {
		text += ", withdrawn"
	}
	text += ". " + a.Reason
	if a.Query != r.Query {
		text += " In these words: " + a.Query
	}
	return text
}

// Label names a revision of an answer.
func (a Answer) Label() string {
	text := "Answer"
	if a.Outcome == ledger.Unavailable {
		text = "Unavailable"
	}
	if a.Revision > 1 || a.Correction {
		text += fmt.Sprintf(", revision %d", a.Revision)
	}
	if a.Correction {
		text += ", a correction after the release"
	}
	return text
}

// By lists who cites a source, with the rounds.
func (d Document) By(s Source) string {
	if len(s.CitedBy) == 0 {
		return "nobody"
	}
	var out []string
	for _, c := range s.CitedBy {
		out = append(out, d.Who(c.Agent)+" ("+rounds(c.Rounds)+")")
	}
	return strings.Join(out, ", ")
}

func rounds(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = fmt.Sprint(n)
	}
	if len(list) == 1 {
		return "round " + words[0]
	}
	return "rounds " + strings.Join(words, ", ")
}

// Audience says whom the user told something, and for which rounds.
func (d Document) Audience(t Told) string {
	text := "to all members"
	if t.Agent != "" {
		text = "to " + d.Who(t.Agent)
	}
	if len(t.Rounds) == 0 {
		return text + ", not handed over yet"
	}
	return text + ", for " + rounds(t.Rounds)
}

// changed says what a change means. One that has no words here is shown by its name.
func changed(c debate.Change) string {
	switch c {
	case debate.Opening:
		return "opens"
	case debate.Revised:
		return "revised, new evidence"
	case debate.Conformed:
		return "revised, no new evidence"
	case debate.Unstated:
		return "no side stated"
	case debate.NoResponse:
		return "no statement"
	case debate.Held, debate.Wavered:
	}
	return string(c)
}

// Compared says what the debate changed and took, against round 1 alone.
func (v Verdict) Compared() string {
	text := v.BaselineLine()
	if e := v.Extra; e.Calls > 0 {
		text += fmt.Sprintf(" The rounds after the first took +%s, +%s, +%s.", counted(e.Calls, "call"), tokens(e.Usage), dollars(e.Cost))
	}
	return text
}

// Author says who wrote the verdict; "" where no chair did.
func (v Verdict) Author() string {
	if v.ChairName == "" {
		return ""
	}
	text := v.ChairName
	if v.ChairModel != "" {
		text += ", " + v.ChairModel
	}
	if v.Member {
		text += ", a member"
	}
	return text
}

// Cautions are what to beware of in the verdict.
func (v Verdict) Cautions() []string {
	out := append([]string(nil), v.Warnings...)
	if len(v.Unknown) > 0 {
		out = append(out, "Cited, but nobody was told it: "+strings.Join(v.Unknown, ", ")+".")
	}
	for _, a := range v.Missing {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s gave no statement in round %d. %s", a.Name, a.Round, a.Cause)))
	}
	return out
}

// purpose names what calls were for.
func purpose(p debate.Purpose) string {
	switch p {
	case debate.ForMember:
		return "members"
	case debate.ForChair:
		return "chair"
	case debate.ForLight:
		return "light model"
	}
	return "in all"
}

// percent writes 0..1 in percent.
func percent(f float64) string { return fmt.Sprintf("%.0f %%", f*100) }

// tokens says how many were read and written; ≈ where somebody had to estimate.
func tokens(u agents.Usage) string { return amount(u.Input+u.Output, u) }

// dollars shows small sums as finely as they need.
func dollars(usd *float64) string {
	switch {
	case usd == nil:
		return "cost unknown"
	case *usd > 0 && *usd < 0.01:
		return fmt.Sprintf("$%.4f", *usd)
	}
	return fmt.Sprintf("$%.2f", *usd)
}

// when writes a moment of the debate.
func when(t time.Time) string { return t.Format("2006-01-02 15:04 UTC") }

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// stated writes what a model stated, or that it did not.
func stated(text string) string {
	if text == "" {
		return "not stated"
	}
	return text
}

func confidence(sure *float64) string {
	if sure == nil {
		return "not stated"
	}
	return percent(*sure)
}

// model names a speaker's provider and model.
func model(p agents.Profile) string { return p.Provider + " / " + p.Model }

// amount writes a number of tokens; ≈ where somebody had to estimate.
func amount(n int, u agents.Usage) string {
	text := fmt.Sprintf("%d tok", n)
	if n >= 10_000 {
		text = fmt.Sprintf("%.1fk tok", float64(n)/1000)
	}
	if u.Estimated {
		return "≈" + text
	}
	return text
}

// What says what a source is.
func (s Source) What() string {
	switch {
	case !s.Request:
		return "cited as it stands"
	case !s.Told:
		return "⚠ nobody had been told it"
	case s.Source != "":
		return s.Text + " (" + s.Source + ")"
	}
	return s.Text
}

// Point is a finding about a round, under its heading.
type Point struct{ Title, Text string }

// points lists what an analysis found.
func points(c *debate.Consensus) []Point {
	var out []Point
	add := func(title string, texts ...string) {
		for _, t := range texts {
			if t != "" {
				out = append(out, Point{title, t})
			}
		}
	}
	add("Warning", c.Warning)
	add("Common ground", c.CommonGround...)
	add("Disagreement", c.Disagreements...)
	add("Partial agreement", c.Partial...)
	add("Condition", c.Conditions...)
	add("Uncertainty", c.Uncertainties...)
	return out
}

// Agreement says how far the seats agreed after the round.
func (r Round) Agreement() string {
	switch {
	case r.Consensus != nil:
		return r.Consensus.Line()
	case r.Ended == nil:
		return "not measured: the round has not ended"
	}
	return "not measured"
}

// warned puts the sign of a warning before each text.
func warned(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = "⚠ " + t
	}
	return out
}

// texts are what notices say.
func texts(list []debate.Notice) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.Text)
	}
	return out
}
