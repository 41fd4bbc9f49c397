package headless

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

// ForkOrigin says which session a fork was made from and what that part has cost; "" if
// the session is not a fork.
func ForkOrigin(s debate.Session) string {
	switch {
	case s.ForkedFrom == "":
		return ""
	case s.ForkRound == 0 && len(s.ForkChanges) > 0:
		return fmt.Sprintf("Starts %s over.%s", s.ForkedFrom, forkChanges(s))
	case s.ForkRound == 0:
		return fmt.Sprintf("Starts %s over with the same panel.", s.ForkedFrom)
	}
	raw := fmt.Sprintf("Forked from %s after round %d.", s.ForkedFrom, s.ForkRound) + forkChanges(s)
	if took := budget.InheritedSpending(s); took.Calls > 0 {
		raw += fmt.Sprintf("\nInherited: %s, %s; not counted in what this debate spends.", text.Count(took.Calls, "call"),
			report.Spent(took.Usage, took.Cost, s.Seats...))
	}
	return raw
}

// forkChanges says in a line what a fork changed; "" if it changed nothing.
func forkChanges(s debate.Session) string {
	if len(s.ForkChanges) == 0 {
		return ""
	}
	return "\nChanged: " + debate.ForkChangesText(s.ForkChanges) + "."
}

// TextReporter writes events as text: a line for each change, and each statement once, when
// it is complete. It writes no escape sequences.
type TextReporter struct {
	w            io.Writer
	quiet        bool // only the verdict, and what is missing from it
	Session      debate.Session
	done         map[agents.ID]bool // seats that are done with the current round,
	donePhases   map[seatPhase]bool // and with each of its phases
	sides        map[agents.ID]debate.Side
	notAddressed []string // seats with the answers that they did not address
	failedTools  map[agents.Turn]failedTool
	err          error
}

// seatPhase is the part of a seat in one phase of a round.
type seatPhase struct {
	phase string
	agent agents.ID
}

// NewTextReporter returns a reporter that writes to w.
func NewTextReporter(w io.Writer, quiet bool) *TextReporter {
	return &TextReporter{
		w: w, quiet: quiet, done: map[agents.ID]bool{}, donePhases: map[seatPhase]bool{},
		sides:       map[agents.ID]debate.Side{},
		failedTools: map[agents.Turn]failedTool{},
	}
}

// Err returns the first error of writing.
func (l *TextReporter) Err() error { return l.err }

// line writes one line. Callers pass foreign text through text.Line, so that it
// cannot begin another one.
func (l *TextReporter) line(format string, args ...any) {
	if l.err == nil {
		_, l.err = io.WriteString(l.w, text.Sanitize(fmt.Sprintf(format, args...))+"\n")
	}
}

// block writes foreign text, indented by two spaces.
func (l *TextReporter) block(content string) {
	for line := range strings.SplitSeq(strings.Trim(text.Sanitize(content), "\n"), "\n") {
		l.line("%s", strings.TrimRight("  "+line, " "))
	}
}

// Begin writes what the session is made of.
func (l *TextReporter) Begin(s debate.Session, resumed bool) {
	l.Session = s
	for _, r := range s.History {
		for _, x := range r.Latest() {
			l.rememberSide(x)
		}
	}
	if l.quiet {
		return
	}
	l.heading()
	if c := s.Current(); resumed && c != nil && c.Ended.IsZero() {
		l.line("Resumed in round %d. Seats that are done are not asked again.", c.Number)
	}
}

// heading writes topic, mode, budget and seats.
func (l *TextReporter) heading() {
	s := l.Session
	l.line("Session %s: %s", s.ID, text.Line(s.Name()))
	if from := ForkOrigin(s); from != "" {
		l.line("%s", from)
	}
	if s.Imported != nil {
		l.line("Imported from %s.", text.Line(report.ImportOrigin(*s.Imported)))
	}
	first := fmt.Sprintf("Mode %s, %s", text.Line(s.Mode.Name), text.Count(s.Rounds, "round"))
	if s.Budget.Capped() {
		first += fmt.Sprintf(", budget %s", s.Budget)
	}
	first += ". Seats:"
	for i, p := range s.Seats {
		first += fmt.Sprintf(" %d %s.", i+1, Describe(p))
	}
	l.line("%s", first)
	if answers := report.Answers(s); answers != "" {
		l.line("Answers: %s.", answers)
	}
	if w := s.Workspace; w.Dir != "" {
		l.line("Workspace: %s (%s).", text.Line(w.Dir), w.Mode)
	}
	if s.Demo() {
		l.line("demo: scripted answers, no model")
	}
	for _, e := range s.Evidence {
		l.line("Evidence %s", report.EvidenceLine(e))
	}
}

// Describe returns the name, model and provider of an agent.
func Describe(p agents.Profile) string {
	return fmt.Sprintf("%s, %s, %s", text.Line(p.Name), text.Line(p.Model), text.Line(p.Provider))
}

// seat returns the number and name of a seat, or the name of the chair.
func (l *TextReporter) seat(id agents.ID) string {
	if p, n := l.Session.Seat(id); n > 0 {
		return fmt.Sprintf("%d %s", n, text.Line(p.Name))
	}
	if c := l.Session.Chair; c != nil && c.ID == id {
		return text.Line(c.Name)
	}
	return text.Line(string(id))
}

// Event writes the lines of an event, if it has any.
func (l *TextReporter) Event(ev debate.Event) {
	l.Session = l.Session.Apply(ev)
	if l.quiet && !inQuiet(ev) {
		return
	}
	switch ev := ev.(type) {
	case debate.RoundStarted:
		l.roundStarted(ev)
	case debate.TurnRetrying:
		l.retrying(ev)
	case debate.ToolEnded:
		l.toolEnded(ev)
	case debate.ApprovalAsked:
		l.line("%s asks to run: %s", l.seat(ev.Turn.Agent), text.Command(ev.Argv))
	case debate.ContextRequested:
		l.requested(ev)
	case debate.ContextChanged:
		l.contextChanged(ev.Request)
	case debate.TurnEnded:
		l.turnEnded(ev)
	case debate.Assisting:
		if ev.Task != debate.TaskTools { // a problem with them is told in a notice
			l.line("%s (up to %s).", text.Line(ev.Description()), text.Duration(ev.Limit))
		}
	case debate.Assessed:
		l.assessed(ev)
	case debate.Concluding:
		l.line("%s is writing the verdict.", l.seat(ev.Turn.Agent))
	case debate.Concluded:
		l.verdict(ev.Verdict)
	case debate.FollowUpEnded:
		l.followUp(ev.FollowUp)
	case debate.Noticed:
		l.line("! %s", text.Line(ev.Notice.Text))
	case debate.TurnStarted, debate.TurnQueued, debate.TurnAlive, debate.Text, debate.ToolsCalled, debate.ToolStarted, debate.Refused,
		debate.ApprovalDecided, debate.FollowUpStarted, debate.RoundEnded: // what is complete is written
	}
}

// inQuiet reports whether quiet output uses an event: to write what is missing from
// the verdict, or to keep track of it.
func inQuiet(ev debate.Event) bool {
	switch ev := ev.(type) {
	case debate.RoundStarted, debate.TurnEnded, debate.Noticed, debate.Concluded:
		return true
	case debate.ContextChanged:
		return ev.Request.State == ledger.Withdrawn
	case debate.Assessed:
		return ev.Consensus.Method == debate.ConsensusUnavailable
	default:
		return false
	}
}

func (l *TextReporter) retrying(ev debate.TurnRetrying) {
	when := fmt.Sprintf("retry %d of %d in %s", ev.Retry.Try, ev.Retry.Of, text.Countdown(ev.Retry.In))
	if until := ev.Retry.Until; !until.IsZero() {
		when = "paused until " + localTime(until.Add(-ev.Retry.In), until)
	}
	l.line("%s %s: %s", l.seat(ev.Turn.Agent), when, text.Line(ev.Retry.Cause))
}

func (l *TextReporter) roundStarted(ev debate.RoundStarted) {
	clear(l.done)
	clear(l.donePhases)
	c := ev.Session.Current()
	if c == nil {
		return
	}
	for _, x := range c.Latest() {
		l.recordTurn(x)
	}
	if l.quiet {
		return
	}
	verb := "started"
	if len(c.Responses) > 0 {
		verb = "continues"
	}
	if len(ev.Facts) > 0 {
		verb += " with " + strings.Join(ev.Facts, ", ")
	}
	switch ev.Session.Due(ev.At).Action {
	case debate.FillLists, debate.AwaitDecision, debate.EndRound: // nobody speaks yet, or any more
	default:
		verb += ": " + l.writers(c) + " writing"
	}
	l.line("Round %d of %d %s.", ev.Round, ev.Session.Rounds, verb)
	for _, i := range interjectionsOf(ev.Session, *c) {
		to := "all"
		if i.Agent != "" {
			to = l.seat(i.Agent)
		}
		l.line("You to %s: %s", to, text.Line(i.Text))
	}
}

// interjectionsOf returns the interjections that a round started with.
func interjectionsOf(s debate.Session, r debate.Round) []debate.Interjection {
	return slices.DeleteFunc(slices.Clone(s.Interjections), func(i debate.Interjection) bool {
		return !slices.ContainsFunc(r.Manifest.Interjections, func(n debate.InterjectionRef) bool { return n.N == i.N })
	})
}

// writers lists the seats of the first step that is not complete.
func (l *TextReporter) writers(r *debate.Round) string {
	for _, step := range l.Session.Mode.Steps(r.Manifest.Seats, r.Number, l.Session.Rounds) {
		var numbers []string
		for _, id := range step.Seats {
			if _, n := l.Session.Seat(id); !l.donePhases[seatPhase{step.Phase, id}] {
				numbers = append(numbers, fmt.Sprint(n))
			}
		}
		if len(numbers) > 0 {
			return strings.Join(numbers, ", ")
		}
	}
	return "nobody"
}

// failedTool is a failed call that was not written yet: the next may fail alike.
type failedTool struct {
	name, cause string
	n           int
}

// toolEnded skips successful context requests, which requested writes. Equal failures
// in a row become one line.
func (l *TextReporter) toolEnded(ev debate.ToolEnded) {
	name, result := text.Line(ev.Tool.Name), ev.Tool.Result
	if result.Status == agents.ToolOK {
		l.writeFailedTool(ev.Turn)
		if name != agents.RequestContextName {
			l.line("%s tool %s: %s", l.seat(ev.Turn.Agent), name, text.Line(result.Summary))
		}
		return
	}
	now := failedTool{name: fmt.Sprintf("%s %s", name, result.Status), cause: text.Line(result.Summary)}
	if before := l.failedTools[ev.Turn]; before.name != now.name || before.cause != now.cause {
		l.writeFailedTool(ev.Turn)
	}
	now.n = l.failedTools[ev.Turn].n + 1
	l.failedTools[ev.Turn] = now
}

// writeFailedTool writes the failed calls that a turn has made last.
func (l *TextReporter) writeFailedTool(t agents.Turn) {
	f, ok := l.failedTools[t]
	delete(l.failedTools, t)
	switch {
	case !ok:
	case f.n == 1:
		l.line("%s tool %s: %s", l.seat(t.Agent), f.name, f.cause)
	default:
		l.line("%s tool %s, %d times: %s", l.seat(t.Agent), f.name, f.n, f.cause)
	}
}

func (l *TextReporter) requested(ev debate.ContextRequested) {
	l.writeFailedTool(ev.Turn)
	if ev.Joined {
		l.line("%s tool %s: joins %s.", l.seat(ev.Turn.Agent), agents.RequestContextName, ev.Request.ID)
		return
	}
	l.line("%s tool %s: asks %s, %s.", l.seat(ev.Turn.Agent), agents.RequestContextName, ev.Request.ID, ev.Request.Priority)
}

func (l *TextReporter) contextChanged(r ledger.Request) {
	a, answered := r.Answer()
	switch {
	case r.State == ledger.Withdrawn:
		l.line("%s was withdrawn: it was not asked again.", r.ID)
	case answered:
		l.line("%s %s.", r.ID, a.Outcome)
	}
}

func (l *TextReporter) assessed(ev debate.Assessed) {
	if l.quiet {
		l.line("! Round %d: %s", ev.Round, text.Line(report.ConsensusLine(ev.Consensus)))
		return
	}
	done := 0
	for _, p := range l.Session.Seats {
		if l.done[p.ID] {
			done++
		}
	}
	l.line("Round %d done: %d of %d answered. %s", ev.Round, done, len(l.Session.Seats), text.Line(report.ConsensusLine(ev.Consensus)))
}
