package headless

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

// verdict writes the conclusion of the debate.
func (l *Linear) verdict(v debate.Verdict) {
	c := report.Conclude(v, l.Session)
	l.say("%s.", safetext.Line(c.Headline))
	if c.Ended != "" {
		l.say("Ended: %s.", safetext.Line(c.Ended))
	}
	if c.Author.Name != "" {
		l.say("Written by %s, %s.", safetext.Line(c.Author.Name), safetext.Line(c.Author.Model))
	}
	l.body(c.Text)
	for _, caution := range c.Cautions() {
		l.say("! %s", safetext.Line(caution))
	}
	if len(l.passed) > 0 {
		l.say("! Asked for, answered and not addressed: %s.", strings.Join(l.passed, "; "))
	}
	if c.Baseline.Votes != "" {
		l.say("Votes in round 1: %s.", c.Baseline.Votes)
	}
	l.say("%s", c.Comparison())
	for _, line := range c.ResultLines {
		l.say("%s", safetext.Line(line))
	}
	l.say("%s", c.Changes.Line)
	for _, x := range c.Views {
		l.opinion(text.Capitalize(x.Phase), x)
	}
	for _, x := range c.Dissent {
		l.opinion("Dissent", x)
	}
	for _, s := range c.Sources {
		line := fmt.Sprintf("[%s] %s", s.ID, safetext.Line(s.Text))
		if s.Source != "" {
			line += ", " + safetext.Line(s.Source)
		}
		l.say("%s", line)
	}
}

// opinion writes what a member holds, below a heading.
func (l *Linear) opinion(heading string, o report.Opinion) {
	who := safetext.Line(o.Name)
	if o.Role != "" {
		who += ", " + safetext.Line(o.Role)
	}
	position := cmp.Or(safetext.Line(o.Position), "no position stated")
	l.say("%s, %s%s: %s", safetext.Line(heading), who, standing(o.Stance, o.Confidence), position)
}

// End writes where the session stands now.
func (l *Linear) End(e Ending) {
	l.Session = e.Session
	switch e.Kind {
	case EndNeedsContext:
		l.waiting(e.Session)
	case EndCompleted, EndStopped:
		if e.Session.Verdict == nil { // nothing could be called
			l.say("Stopped: %s.", safetext.Line(e.Reason))
		} else if !l.quiet {
			spent := e.Session.Spent()
			l.say("Done: %s. `roundtable show %s` prints it all.", report.Spent(spent.Usage, spent.Cost), e.Session.ID)
		}
	case EndPaused:
		l.say("Paused: %s `roundtable continue %s` goes on.", safetext.Line(e.Reason), e.Session.ID)
	case EndFailed: // told on standard error
	}
}

// waiting lists what is open, and how to go on.
func (l *Linear) waiting(s debate.Session) {
	l.Session = s
	open := OpenRequests(s)
	required := len(s.Unanswered())
	l.say("Waiting for you: %d required, %d optional. Round %d is blocked.", required, len(open)-required, len(s.History)+1)
	for _, r := range open {
		l.Request(r)
	}
	blocking := slices.IndexFunc(open, ledger.Request.Blocks)
	if blocking < 0 {
		return
	}
	l.say("Answer: roundtable answer %s %s --text TEXT (or --unavailable REASON)", s.ID, open[blocking].ID)
	l.say("Then:   roundtable continue %s", s.ID)
}

// Request writes a question with all who ask it.
func (l *Linear) Request(r ledger.Request) {
	var askers []string
	for _, id := range r.Askers() {
		name := l.seat(id)
		if p, n := l.Session.Seat(id); n > 0 {
			name = fmt.Sprintf("%d %s", n, Who(p))
		}
		askers = append(askers, name)
	}
	l.say("%s, %s, asked by %s, round %d:", r.ID, r.Priority, strings.Join(askers, " and "), r.Round)
	l.body(r.Query)
	said := map[agents.ID]bool{}
	for _, a := range r.Asks {
		if a.Withdrawn || said[a.Turn.Agent] {
			continue
		}
		said[a.Turn.Agent] = true
		if len(askers) > 1 {
			l.say("  Why, %s: %s", l.seat(a.Turn.Agent), safetext.Line(a.Reason))
		} else {
			l.say("  Why: %s", safetext.Line(a.Reason))
		}
	}
}
