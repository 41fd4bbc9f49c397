package headless

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

// verdict writes the conclusion of a debate.
func (l *TextReporter) verdict(v debate.Verdict) {
	c := report.Conclude(v, l.Session)
	l.line("%s.", text.Line(c.Headline))
	l.line("%s", text.Line(c.Byline()))
	l.block(c.Text)
	for _, caution := range c.Cautions() {
		l.line("! %s", text.Line(caution))
	}
	if len(l.notAddressed) > 0 {
		l.line("! Answers asked for but not used: %s.", strings.Join(l.notAddressed, "; "))
	}
	l.line("%s:", text.Line(c.Baseline.Title))
	for _, line := range c.Baseline.Lines() {
		l.line("  %s", text.Line(line))
	}
	for _, line := range append(c.Labels, c.ResultLines...) {
		l.line("%s", text.Line(line))
	}
	l.line("%s", c.Changes.Line)
	for _, x := range c.Views {
		l.opinion(text.Capitalize(x.Phase), x)
	}
	for _, x := range c.Dissent {
		l.opinion("Dissent", x)
	}
	l.cited(c)
	for _, s := range c.Sources {
		line := fmt.Sprintf("[%s] %s", s.ID, text.Line(s.Text))
		if s.Source != "" {
			line += ", " + text.Line(s.Source)
		}
		l.line("%s", line)
	}
}

// cited writes the lines that the report of a verdict cites. Wrong citations are among
// the cautions.
func (l *TextReporter) cited(c report.Conclusion) {
	for _, x := range c.Cited {
		if !x.InReport || x.Why() != "" {
			continue
		}
		l.line("%s", text.Line(x.Title()))
		if lines := x.Excerpt(); lines != "" {
			l.block(lines)
		}
	}
}

// opinion writes what a member holds, after a heading.
func (l *TextReporter) opinion(heading string, o report.Opinion) {
	who := text.Line(o.Name)
	if o.Role != "" {
		who += ", " + text.Line(o.Role)
	}
	position := cmp.Or(text.Line(o.Position), "no position stated")
	l.line("%s, %s, %s: %s", text.Line(heading), who, text.Line(o.Standing), position)
}

// End writes how the session was left and how to continue it.
func (l *TextReporter) End(e Result) {
	l.Session = e.Session
	switch e.Kind {
	case NeedsContext:
		l.openRequests(e.Session)
	case Completed, Stopped:
		if e.Session.Verdict == nil { // the budget allowed no call
			l.line("Stopped: %s.", text.Line(e.Reason))
		} else if !l.quiet {
			spent := budget.TotalSpending(e.Session)
			took := report.Spent(spent.Usage, spent.Cost, e.Session.Speakers()...)
			l.line("Done: %s. `roundtable show %s` prints the debate.", took, e.Session.ID)
		}
	case Paused:
		var open *debate.RoundFailedError
		if errors.As(e.Err, &open) {
			l.openRound(open)
			return
		}
		l.line("Paused: %s `roundtable continue %s` continues.", text.Line(e.Reason), e.Session.ID)
	case Failed: // the command prints the error
	}
}

// openRound writes why a round stays open, and the commands that help.
func (l *TextReporter) openRound(open *debate.RoundFailedError) {
	lines := openRoundLines(l.Session, open)
	l.line("Paused: %s", lines[0])
	for _, cause := range lines[1 : len(lines)-1] {
		l.line("  %s", cause)
	}
	l.line("%s", lines[len(lines)-1])
}

// openRequests writes the open requests and the commands that answer them.
func (l *TextReporter) openRequests(s debate.Session) {
	l.Session = s
	open := OpenRequests(s)
	required := len(s.Unanswered())
	l.line("Waiting for you: %d required, %d optional. Round %d is blocked.", required, len(open)-required, len(s.History)+1)
	for _, r := range open {
		l.Request(r)
	}
	blocking := slices.IndexFunc(open, ledger.Request.Blocks)
	if blocking < 0 {
		return
	}
	l.line("Answer: roundtable answer %s %s --text TEXT (or --unavailable REASON)", s.ID, open[blocking].ID)
	l.line("Then:   roundtable continue %s", s.ID)
}

// Request writes a request and who asks it.
func (l *TextReporter) Request(r ledger.Request) {
	var askers []string
	for _, id := range r.Askers() {
		name := l.seat(id)
		if p, n := l.Session.Seat(id); n > 0 {
			name = fmt.Sprintf("%d %s", n, Describe(p))
		}
		askers = append(askers, name)
	}
	l.line("%s, %s, asked by %s, round %d:", r.ID, r.Priority, strings.Join(askers, " and "), r.Round)
	l.block(r.Query)
	if twin, ok := (ledger.Ledger{Requests: l.Session.Requests}).Twin(r.ID); ok {
		l.line("  Looks like %s: `roundtable join %s %s %s` joins them.", twin.ID, l.Session.ID, r.ID, twin.ID)
	}
	said := map[agents.ID]bool{}
	for _, a := range r.Asks {
		if a.Withdrawn || said[a.Turn.Agent] {
			continue
		}
		said[a.Turn.Agent] = true
		if len(askers) > 1 {
			l.line("  Why, %s: %s", l.seat(a.Turn.Agent), text.Line(a.Reason))
		} else {
			l.line("  Why: %s", text.Line(a.Reason))
		}
	}
}
