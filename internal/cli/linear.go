package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
)

// linear writes what happens for people: a line per change, a statement once,
// when it is done, and no escape sequences.
type linear struct {
	w       io.Writer
	quiet   bool // only what the debate came to, and what is missing from it
	session debate.Session
	seats   map[agents.ID]bool // of the round under way: whether they are done,
	parts   map[part]bool      // and with which of its phases
	stances map[agents.ID]debate.Stance
	passed  []string // who did not address which answers
	err     error
}

// part is a seat's in one phase of a round.
type part struct {
	phase string
	agent agents.ID
}

func newLinear(w io.Writer, quiet bool) *linear {
	return &linear{w: w, quiet: quiet, seats: map[agents.ID]bool{}, parts: map[part]bool{}, stances: map[agents.ID]debate.Stance{}}
}

func (l *linear) failed() error { return l.err }

// say writes one line, made safe once more as a whole. Foreign text among args has
// passed line, so that it stays in it.
func (l *linear) say(format string, args ...any) {
	if l.err == nil {
		_, l.err = io.WriteString(l.w, safetext.Text(fmt.Sprintf(format, args...))+"\n")
	}
}

// body writes foreign text, indented.
func (l *linear) body(text string) {
	for line := range strings.SplitSeq(strings.Trim(safetext.Text(text), "\n"), "\n") {
		l.say("%s", strings.TrimRight("  "+line, " "))
	}
}

// line makes foreign text fit into a line.

func (l *linear) begin(s debate.Session, resumed bool) {
	l.session = s
	for _, r := range s.History {
		for _, x := range r.Latest() {
			l.remember(x)
		}
	}
	if l.quiet {
		return
	}
	l.heading()
	if c := s.Current(); resumed && c != nil && c.Ended.IsZero() {
		l.say("Resumed in round %d: who is done is not asked again.", c.Number)
	}
}

// heading says what the session is made of.
func (l *linear) heading() {
	s := l.session
	l.say("Session %s: %s", s.ID, safetext.Line(s.Name()))
	if from := origin(s); from != "" {
		l.say("%s", from)
	}
	text := fmt.Sprintf("Mode %s, %s", safetext.Line(s.Mode.Name), count(s.Rounds, "round"))
	if s.Budget.Capped() {
		text += fmt.Sprintf(", budget %s", s.Budget)
	}
	text += ". Seats:"
	for i, p := range s.Seats {
		text += fmt.Sprintf(" %d %s.", i+1, who(p))
	}
	l.say("%s", text)
	if s.Demo() {
		l.say("demo: scripted answers, no model")
	}
}

// who names a speaker with its model and provider.
func who(p agents.Profile) string {
	return fmt.Sprintf("%s, %s, %s", safetext.Line(p.Name), safetext.Line(p.Model), safetext.Line(p.Provider))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// seat names a seat by number and name; whoever has no seat by name.
func (l *linear) seat(id agents.ID) string {
	if p, n := l.session.Seat(id); n > 0 {
		return fmt.Sprintf("%d %s", n, safetext.Line(p.Name))
	}
	if c := l.session.Chair; c != nil && c.ID == id {
		return safetext.Line(c.Name)
	}
	return safetext.Line(string(id))
}

func (l *linear) event(ev debate.Event) {
	if l.quiet && !warns(ev) {
		return
	}
	switch ev := ev.(type) {
	case debate.RoundStarted:
		l.roundStarted(ev)
	case debate.TurnRetrying:
		l.retrying(ev)
	case debate.ToolEnded:
		l.toolEnded(ev)
	case debate.ContextRequested:
		l.requested(ev)
	case debate.ContextChanged:
		l.contextChanged(ev.Request)
	case debate.TurnEnded:
		l.turnEnded(ev.Response)
	case debate.Assisting:
		l.say("%s, %.0f s at most.", safetext.Line(ev.Line()), ev.Limit.Seconds())
	case debate.Assessed:
		l.assessed(ev)
	case debate.Concluding:
		l.say("%s writes the verdict.", l.seat(ev.Turn.Agent))
	case debate.Concluded:
		l.verdict(ev.Verdict)
	case debate.Noticed:
		l.say("! %s", safetext.Line(ev.Notice.Text))
	case debate.TurnStarted, debate.TurnQueued, debate.Text, debate.ToolStarted, debate.RoundEnded: // a statement is printed once, when it is done
	}
}

// warns reports whether quiet output needs an event: it says, or others need it to
// say, what the debate came to or what is missing from that.
func warns(ev debate.Event) bool {
	switch ev := ev.(type) {
	case debate.RoundStarted, debate.TurnEnded, debate.Noticed, debate.Concluded:
		return true
	case debate.ContextChanged:
		return ev.Request.State == ledger.Withdrawn
	case debate.Assessed:
		return ev.Consensus.Method == debate.Unavailable
	default:
		return false
	}
}

func (l *linear) retrying(ev debate.TurnRetrying) {
	when := fmt.Sprintf("retry %d of %d in %s", ev.Retry.Try, ev.Retry.Of, seconds(ev.Retry.In))
	if until := ev.Retry.Until; !until.IsZero() {
		when = "paused until " + until.Local().Format("15:04")
	}
	l.say("%s %s: %s", l.seat(ev.Turn.Agent), when, safetext.Line(ev.Retry.Cause))
}

func (l *linear) roundStarted(ev debate.RoundStarted) {
	l.session = ev.Session
	clear(l.seats)
	clear(l.parts)
	c := ev.Session.Current()
	if c == nil {
		return
	}
	for _, x := range c.Latest() {
		l.done(x)
	}
	if l.quiet {
		return
	}
	verb := "started"
	if len(c.Responses) > 0 {
		verb = "goes on"
	}
	if len(ev.Facts) > 0 {
		verb += " with " + strings.Join(ev.Facts, ", ")
	}
	l.say("Round %d of %d %s: %s writing.", ev.Round, ev.Session.Rounds, verb, l.writing(c))
	for _, i := range toldIn(ev.Session, *c) {
		to := "all"
		if i.Agent != "" {
			to = l.seat(i.Agent)
		}
		l.say("You to %s: %s", to, safetext.Line(i.Text))
	}
}

// toldIn returns the interjections that a round was given.
func toldIn(s debate.Session, r debate.Round) []debate.Interjection {
	return slices.DeleteFunc(slices.Clone(s.Interjections), func(i debate.Interjection) bool {
		return !slices.ContainsFunc(r.Manifest.Notes, func(n debate.NoteRef) bool { return n.N == i.N })
	})
}

// writing lists the seats of the first step that is not done.
func (l *linear) writing(r *debate.Round) string {
	for _, step := range l.session.Mode.Steps(r.Manifest.Seats, r.Number, l.session.Rounds) {
		var numbers []string
		for _, id := range step.Seats {
			if _, n := l.session.Seat(id); !l.parts[part{step.Phase, id}] {
				numbers = append(numbers, fmt.Sprint(n))
			}
		}
		if len(numbers) > 0 {
			return strings.Join(numbers, ", ")
		}
	}
	return "nobody"
}

// toolEnded leaves out what requested has said better.
func (l *linear) toolEnded(ev debate.ToolEnded) {
	failed := ""
	if ev.Tool.Result.Status != agents.ToolOK {
		failed = fmt.Sprintf(" %s", ev.Tool.Result.Status)
	} else if ev.Tool.Name == tools.RequestContextName {
		return
	}
	l.say("%s tool %s%s: %s", l.seat(ev.Turn.Agent), safetext.Line(ev.Tool.Name), failed, safetext.Line(ev.Tool.Result.Summary))
}

func (l *linear) requested(ev debate.ContextRequested) {
	l.session = l.session.WithRequest(ev.Request)
	if ev.Joined {
		l.say("%s tool %s: joins %s.", l.seat(ev.Turn.Agent), tools.RequestContextName, ev.Request.ID)
		return
	}
	l.say("%s tool %s: asks %s, %s.", l.seat(ev.Turn.Agent), tools.RequestContextName, ev.Request.ID, ev.Request.Priority)
}

func (l *linear) contextChanged(r ledger.Request) {
	l.session = l.session.WithRequest(r)
	a, answered := r.Answer()
	switch {
	case r.State == ledger.Withdrawn:
		l.say("%s withdrawn: whoever asked it did not ask it again.", r.ID)
	case answered:
		l.say("%s %s.", r.ID, a.Outcome)
	}
}

func (l *linear) assessed(ev debate.Assessed) {
	if l.quiet {
		l.say("! Round %d: %s", ev.Round, safetext.Line(report.ConsensusLine(ev.Consensus)))
		return
	}
	done := 0
	for _, p := range l.session.Seats {
		if l.seats[p.ID] {
			done++
		}
	}
	l.say("Round %d done: %d of %d answered. %s", ev.Round, done, len(l.session.Seats), safetext.Line(report.ConsensusLine(ev.Consensus)))
}
