package report

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
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
	origin := fmt.Sprintf("%s, after round %d", d.Parent, *d.Fork)
	if took := d.ForkTook; took != nil {
		origin += fmt.Sprintf("; spent until then, and counted here: %s, %s, %s", text.Count(took.Calls, "call"), tokens(took.Usage), text.Cost(took.Cost))
	}
	return origin
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
	if len(r.Passed) > 0 {
		out = append(out, "Does not mention what it had asked for: "+strings.Join(r.Passed, ", ")+".")
	}
	for _, n := range r.Statement.Notes {
		out = append(out, text.Capitalize(n)+".")
	}
	if f := r.Fitting; f != nil && len(f.Copies) > 0 {
		out = append(out, fmt.Sprintf("Its prompt held %s shortened or left out, to fit the window.", text.Count(len(f.Copies), "earlier statement")))
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
	sentence := BaselineLine(v.Verdict)
	if e := v.Extra; e.Calls > 0 {
		sentence += fmt.Sprintf(" On top of round 1 alone it took %s, %s, %s.", text.Count(e.Calls, "call"), tokens(e.Usage), text.Cost(e.Cost))
	}
	return sentence
}

// Origin says who wrote the verdict, how sure that is, and why the debate ended.
func (v Verdict) Origin() string {
	text := "Written by " + v.ChairName
	switch {
	case v.ChairName == "":
		text = "Written by nobody"
	case v.ChairModel != "":
		text += ", " + v.ChairModel
	}
	if v.Member {
		text += ", a member"
	}
	text += ". Confidence: " + confidence(v.Confidence) + "."
	if v.Ended != "" {
		text += " The debate ended: " + v.Ended + "."
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
		what := "statement in"
		if a.Phase != "" {
			what = "word in the " + a.Phase + " of"
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s gave no %s round %d. %s", a.Name, what, a.Round, a.Cause)))
	}
	return out
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
		return ConsensusLine(*r.Consensus)
	case r.Ended == nil:
		return "not measured: the round has not ended"
	}
	return "not measured"
}
