package headless

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/debate/statement"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Page lays text out for a person at a terminal.
type Page interface {
	Prose() Prose
	Wrap(line string) []string
}

// Prose is Markdown that may grow, as styled lines.
type Prose interface {
	Append(markdown string)
	Lines(from, to int) []string // those that there are
	Closed() int                 // how many of the first stay as they are when it grows
}

// TextReporter writes events as text: a line for each change, and each statement once, when
// it is complete. It writes no escape sequences.
type TextReporter struct {
	Out      io.Writer
	Quiet    bool // only the verdict, and what is missing from it
	Session  debate.Session
	Holder   *debate.Holder // the process that has the session open; nil: none
	Commands text.Program   // words command lines
	Now      time.Time      // when a saved session is written; zero: waits for providers are not told
	Page     Page           // what people read; nil: text is written as it is
	speeches map[agents.Turn]*speech
	floor    agents.Turn // whose speech is written as it comes
	heads    agents.Turn // whose speech the last lines are of
	err      error
}

// speech is what a seat says in a turn that runs, on a page.
type speech struct {
	stream  statement.ProseStream // of a passage
	said    strings.Builder       // without structured parts, as it came
	safe    text.Stream
	prose   Prose
	written int // lines of it
}

func (s *speech) add(words string) {
	s.said.WriteString(words)
	s.prose.Append(s.safe.Write(words))
}

// Err returns the first error of writing.
func (l *TextReporter) Err() error { return l.err }

// line writes one line. Callers pass foreign text through text.Line, so that it
// cannot begin another one.
func (l *TextReporter) line(format string, args ...any) {
	lines := []string{l.safe(fmt.Sprintf(l.Commands.Format(format), args...))}
	if l.Page != nil {
		lines = l.Page.Wrap(lines[0])
	}
	l.heads = agents.Turn{}
	l.write("", lines...)
}

// safe makes foreign text safe: what people read is laid out in cells, all else keeps its bytes.
func (l *TextReporter) safe(s string) string {
	if l.Page == nil {
		return text.Clean(s)
	}
	return text.Sanitize(s)
}

// write writes lines that are safe.
func (l *TextReporter) write(indent string, lines ...string) {
	for _, line := range lines {
		if l.err == nil {
			_, l.err = io.WriteString(l.Out, strings.TrimRight(indent+line, " ")+"\n")
		}
	}
}

// block writes foreign text, indented by two spaces.
func (l *TextReporter) block(content string) {
	for line := range strings.Lines(strings.Trim(l.safe(content), "\n")) {
		l.line("%s", strings.TrimRight("  "+line, " \n"))
	}
}

// prose writes what a model has written, which is Markdown.
func (l *TextReporter) prose(content string) {
	if l.Page == nil {
		l.block(content)
		return
	}
	p := l.Page.Prose()
	p.Append(strings.Trim(l.safe(content), "\n"))
	l.write("  ", p.Lines(0, math.MaxInt)...)
	l.write("", "")
}

// live writes what is complete of what is said in a turn. One turn has the floor until it has ended;
// what is said in others is written when they have it, or when it is complete.
func (l *TextReporter) live(ev debate.Event) {
	t, _ := debate.TurnOf(ev)
	if t.Step < 0 { // what a chair says is written whole
		return
	}
	s := l.speech(t)
	switch ev := ev.(type) {
	case debate.Text:
		if ev.Moves && s.written > 0 {
			l.line("%s: that was reasoning.", l.seat(t.Agent))
		}
		if ev.Moves {
			delete(l.speeches, t)
		}
		if ev.Reasoning {
			return
		}
		s.add(s.stream.Write(ev.Text))
		if l.floor = cmp.Or(l.floor, t); l.floor == t {
			l.say(s, t, s.prose.Closed())
		}
	case debate.ToolsCalled: // a passage has ended
		s.stream = statement.ProseStream{}
		if s.add("\n\n"); l.floor == t {
			l.say(s, t, math.MaxInt)
		}
	default:
		if l.floor == (agents.Turn{}) { // who waits wants to know for whom
			l.line("%s is writing.", l.seat(t.Agent))
		}
	}
}

func (l *TextReporter) speech(t agents.Turn) *speech {
	if l.speeches[t] == nil {
		l.speeches[t] = &speech{prose: l.Page.Prose()}
	}
	return l.speeches[t]
}

// say writes the lines of a speech up to one.
func (l *TextReporter) say(s *speech, t agents.Turn, to int) {
	lines := s.prose.Lines(s.written, to)
	if len(lines) > 0 && l.heads != t {
		l.write("", "")
		l.line("%s:", l.seat(t.Agent))
		l.heads = t
	}
	l.write("  ", lines...)
	s.written += len(lines)
}

// Begin writes what the session is made of.
func (l *TextReporter) Begin(s debate.Session, resumed bool) {
	l.Session, l.speeches = s, map[agents.Turn]*speech{}
	if l.Quiet {
		return
	}
	l.heading()
	if c := s.Current(); resumed && c != nil && c.Ended.IsZero() {
		l.line("Resumed in round %d. Seats that are done are not asked again.", c.Number)
	}
}

func (l *TextReporter) heading() {
	s := l.Session
	l.line("%s: %s", strings.TrimSpace("Debate "+s.ID), text.Line(s.Name()))
	if by := s.Author.Note(); by != "" {
		l.line("The topic is %s.", text.Line(by))
	}
	if from := text.Capitalize(report.Origin(s)); from != "" {
		l.line("%s", from)
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
	for _, c := range s.ModelChanges() {
		l.line("%s.", c)
	}
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
	return fmt.Sprintf("%s, %s, %s", text.Line(p.Name), text.Line(p.ModelName()), text.Line(p.Provider))
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
	if l.Quiet && !inQuiet(ev) {
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
		l.line("%s asks to run %s: %s", l.seat(ev.Turn.Agent), ev.Place(), text.Command(ev.Argv))
		for _, line := range ev.FieldLines() {
			l.line("  with %s", line)
		}
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
	case debate.RoundCounted:
		done, failed := tally(l.Session)
		l.line("Round %d done: %d of %d answered.", ev.Round, len(done), len(done)+len(failed))
	case debate.Concluding:
		l.line("%s is writing the verdict.", l.seat(ev.Turn.Agent))
	case debate.Concluded:
		l.Session = ev.Session
		l.verdict()
	case debate.FollowUpEnded:
		l.followUp(ev.FollowUp)
	case debate.Noticed:
		l.line("! %s", text.Line(ev.Notice.Text))
	case debate.TurnStarted, debate.Text, debate.ToolsCalled:
		if l.Page != nil {
			l.live(ev)
		}
	case debate.TurnQueued, debate.TurnAlive, debate.ToolStarted, debate.Refused,
		debate.ApprovalDecided, debate.FollowUpStarted, debate.RunEnded: // what is complete is written
	}
}

// inQuiet reports whether quiet output has an event: what is missing from the verdict.
func inQuiet(ev debate.Event) bool {
	switch ev := ev.(type) {
	case debate.TurnEnded, debate.Noticed, debate.Concluded:
		return true
	case debate.ContextChanged:
		return ev.Request.State == ledger.Withdrawn
	default:
		return false
	}
}

func (l *TextReporter) retrying(ev debate.TurnRetrying) {
	if ev.Retry.Loads && ev.Retry.Try > 1 {
		return
	}
	when := fmt.Sprintf("retry %d of %d in %s", ev.Retry.Try, ev.Retry.Of, text.Countdown(ev.Retry.In))
	if until := ev.Retry.Until; !until.IsZero() {
		when = "paused until " + text.TimeOfDay(until.Add(-ev.Retry.In).Local(), until)
	}
	if ev.Retry.Loads {
		when = "waits"
	}
	l.line("%s %s: %s", l.seat(ev.Turn.Agent), when, text.Line(ev.Retry.Cause))
}

func (l *TextReporter) roundStarted(ev debate.RoundStarted) {
	l.line("%s", ev.Words())
	for _, i := range ev.Session.Interjections {
		if !slices.ContainsFunc(ev.Session.Current().Manifest.Interjections, func(n debate.InterjectionRef) bool { return n.N == i.N }) {
			continue
		}
		to := "all"
		if i.Agent != "" {
			to = l.seat(i.Agent)
		}
		l.line("To %s%s: %s", to, i.Author.Aside(), text.Line(i.Text))
	}
}

// toolEnded skips context requests, which requested writes, unless they were written as text.
func (l *TextReporter) toolEnded(ev debate.ToolEnded) {
	name, result := text.Line(ev.Tool.Name), ev.Tool.Result
	switch {
	case result.Status != agents.ToolOK:
		name += " " + string(result.Status)
	case name == agents.RequestContextName && !strings.HasSuffix(result.Summary, agents.WrittenAsText):
		return
	}
	l.line("%s tool %s: %s", l.seat(ev.Turn.Agent), name, text.Line(result.Summary))
}

func (l *TextReporter) requested(ev debate.ContextRequested) {
	switch r := ev.Request; {
	case r.Rejoined(ev.Ask.Call):
	case r.Joins(ev.Ask.Call):
		l.line("%s joins %s.", l.seat(ev.Turn.Agent), r.ID)
	default:
		l.line("%s asks %s, %s.", l.seat(ev.Turn.Agent), r.ID, r.Priority)
	}
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

func (l *TextReporter) turnEnded(ev debate.TurnEnded) {
	x := ev.Response
	defer delete(l.speeches, x.Turn)
	if l.floor == x.Turn {
		l.floor = agents.Turn{}
	}
	if ev.Again {
		return
	}
	chair, who := x.Turn.Step == debate.VerdictStep, l.seat(x.Turn.Agent)
	if x.Phase != "" {
		who += " (" + text.Line(x.Phase) + ")"
	}
	switch {
	case x.State != debate.TurnDone:
		state := string(x.State)
		if chair { // it may have answered as a member
			who, state = l.seat(x.Turn.Agent), state+" as chair"
		}
		l.line("%s %s.", who, strings.TrimSuffix(text.Join(": ", state, text.Line(x.Failure.Words(x.State))), "."))
	case !chair: // the chair's text is written with the verdict
		if !l.Quiet {
			l.statement(x, who)
		}
		if note := x.Finish.Note(); note != "" {
			l.line("! %s: %s", l.seat(x.Turn.Agent), text.Line(note))
		}
	}
}

func (l *TextReporter) statement(x debate.Response, who string) {
	position, body, cites := text.Line(x.Statement.Position), x.Statement.Words(), ""
	if position == "" {
		body = x.Body()
	}
	if l.Page != nil {
		s, rest := l.speech(x.Turn), strings.TrimPrefix(body, x.Body())
		if !strings.HasSuffix(text.Line(s.said.String()), text.Line(x.Body())) { // it was read in another way
			delete(l.speeches, x.Turn)
			s, rest = l.speech(x.Turn), body
		}
		s.add(rest + "\n")
		l.say(s, x.Turn, math.MaxInt)
	}
	if used := x.Statement.ContextUsed; len(used) > 0 {
		cites = " Cites " + text.Line(strings.Join(used, ", ")) + "."
	}
	l.line("%s.%s", text.Join(", ", who+" done", l.standing(x)), cites)
	if position != "" && !strings.HasPrefix(text.Line(body), position) {
		l.line("  Position: %s", position)
	}
	if l.Page == nil {
		l.block(body)
	}
	if notes := x.Statement.Notes; len(notes) > 0 {
		l.line("  Note: %s.", text.Line(strings.Join(notes, "; ")))
	}
}

func (l *TextReporter) standing(x debate.Response) string {
	sure := ""
	if c := x.Statement.Confidence; c != nil {
		sure = text.Percent(*c)
	}
	return text.Join(", ", text.Line(verdict.Standing(l.Session, x)), sure)
}

func (l *TextReporter) verdict() {
	c := report.Conclude(l.Session, l.safe)
	l.line("%s.", c.Line)
	if c.Settled != "" {
		l.line("%s", c.Settled)
	}
	l.section(report.CautionsTitle, c.Cautions)
	l.section("", c.Notes)
	l.line("%s", c.Byline())
	l.prose(c.Text)
	if p := c.Pick; p != nil {
		l.line("%s. %s", p.Heading, p.Reason)
		l.prose(p.Text)
	}
	l.review(c.Review)
	l.section(c.Table.Title, c.Lines())
	l.cited(c)
}

func (l *TextReporter) review(r *report.Review) {
	if r == nil {
		return
	}
	if len(r.Findings) > 0 {
		l.line("Findings:")
	}
	for _, f := range r.Findings {
		l.line("%s", text.Line(f.Head()))
		l.block(f.Why)
		l.section("", f.Facts)
		for _, q := range f.Quotes {
			l.line("  %s", text.Line(q.Caption))
			l.block(q.Lines)
		}
		if f.Fix != "" {
			l.line("  Fix:")
			l.block(f.Fix)
		}
	}
	l.section(text.Capitalize(r.RefutedTitle()), report.Heads(r.Refuted))
}

func (l *TextReporter) section(heading string, lines []string) {
	if len(lines) > 0 && heading != "" {
		l.line("%s:", text.Line(heading))
	}
	for _, line := range lines {
		l.line("  %s", text.Line(line))
	}
}

// cited writes the lines that the report cites. Wrong citations are among the cautions.
func (l *TextReporter) cited(c report.Conclusion) {
	for _, x := range c.Cited {
		if !x.InReport || x.Why() != "" {
			continue
		}
		l.line("%s", text.Line(x.Title()))
		l.block(x.Excerpt())
	}
}

// End writes how the session was left and how to continue it.
func (l *TextReporter) End(e Result) {
	l.Session = e.Session
	switch e.Kind {
	case NeedsContext:
		l.whatNext()
	case Completed, Stopped:
		if e.Err != nil { // the budget allowed no call
			l.line("Stopped: %s.", text.Line(e.Reason))
			return
		}
		l.whatNext()
		if l.Quiet {
			return
		}
		spent := budget.TotalSpending(e.Session)
		took := report.Spent(spent.Usage, spent.Cost, e.Session.Speakers()...)
		l.line("Done: %s. `roundtable show %s` prints the debate.", took, e.Session.ID)
		switch {
		case e.Session.OwesReport():
			l.line("`roundtable continue %s` with a larger --budget or --tokens has the report written.", e.Session.ID)
		case e.Session.Stopped == debate.StoppedByBudget:
			l.line("`roundtable continue %s --rounds 1` with a larger --budget or --tokens plays one more round.", e.Session.ID)
		case e.Session.Stopped == debate.EndedByConsensus:
			l.line("`roundtable continue %s --rounds 1` debates it.", e.Session.ID)
		}
	case Paused:
		if open, ok := errors.AsType[*debate.RoundFailedError](e.Err); ok {
			l.openRound(open)
			return
		}
		l.line("Paused: %s `roundtable continue %s` continues.", text.Line(e.Reason), e.Session.ID)
	case Failed: // the command prints the error
	}
}

func (l *TextReporter) openRound(open *debate.RoundFailedError) {
	lines := openRoundLines(l.Session, open, l.Commands)
	l.line("Paused: %s", lines[0])
	for _, cause := range lines[1 : len(lines)-1] {
		l.line("  %s", cause)
	}
	l.line("%s", lines[len(lines)-1])
}

// openRequests writes the open questions, and with which commands the debate goes on.
func (l *TextReporter) openRequests(p report.Progress, then ...string) {
	l.line("%s.", text.Capitalize(p.Now()))
	open := l.Session.OpenRequests()
	for _, r := range open {
		l.Request(r)
	}
	if l.Holder == nil { // else who has it open takes the answers
		l.line("Answer: %s --text TEXT (or --unavailable REASON)", l.Commands.Command("answer", l.Session.ID, open[0].ID))
		l.line("Then:   %s", l.Commands.Command(append([]string{"continue", l.Session.ID}, then...)...))
	}
}

// Request writes a request and who asks it.
func (l *TextReporter) Request(r ledger.Request) {
	askers := text.Each(r.Askers(), l.seat)
	l.line("%s, %s, asked by %s, round %d:", r.ID, r.Priority, strings.Join(askers, " and "), r.Round)
	l.block(r.Query)
	said := map[agents.ID]bool{}
	for _, a := range r.Asks {
		if !a.Withdrawn && !said[a.Turn.Agent] {
			l.line("  Why, %s: %s", l.seat(a.Turn.Agent), text.Line(a.Reason))
			said[a.Turn.Agent] = true
		}
	}
}

// ClosedRequest writes a request that is not open any more, with its latest answer.
func (l *TextReporter) ClosedRequest(r ledger.Request) {
	if r.JoinedTo != "" {
		l.line("%s, joined to %s:", r.ID, r.JoinedTo)
		l.block(r.Query)
		return
	}
	l.Request(r)
	a, answered := r.Answer()
	if !answered {
		l.line("  %s, no answer.", text.Capitalize(string(r.State)))
		return
	}
	where := "not yet used"
	for _, d := range r.Delivered {
		if d.Revision == a.Revision {
			where = fmt.Sprintf("sent with round %d", d.Round)
		}
	}
	l.answer(a, where)
}

func (l *TextReporter) answer(a ledger.Answer, where string) {
	raw := fmt.Sprintf("%s, %s", text.Capitalize(string(a.Outcome)), where)
	if a.Revision > 1 {
		raw += fmt.Sprintf(", revision %d", a.Revision)
	}
	l.line("  %s:", raw)
	l.block(text.Indent(a.Content))
	if from := a.From(); from != "" {
		l.line("  Source: %s", text.Line(from))
	}
}

// Transcript writes a saved session as it was reported while it was played.
func (l *TextReporter) Transcript(s debate.Session) {
	l.Session = s
	l.heading()
	if l.Holder != nil {
		l.line("%s", text.Line(report.Doing(*l.Holder, s)))
	}
	for _, n := range s.Notices {
		if n.Round < 1 || n.Round > len(s.History) {
			l.Event(debate.Noticed{Notice: n})
		}
	}
	for _, r := range s.History {
		l.Round(s, r)
	}
	for _, r := range s.Requests {
		if _, waits := r.Undelivered(); waits || !r.Open() && len(r.Delivered) == 0 {
			l.ClosedRequest(r)
		}
	}
	if l.Session = s; s.Report() != nil {
		l.verdict()
	}
	for _, f := range s.FollowUps {
		l.followUp(f)
	}
	l.whatNext()
}

// whatNext writes where the session is, and with which commands it goes on.
func (l *TextReporter) whatNext() {
	switch p := report.ProgressOf(l.Session, false); {
	case p.State == debate.StateWaiting:
		l.openRequests(p)
	case p.State == report.AskedAfter:
		l.openRequests(p, "--rounds", "1")
	case p.State == debate.StateComplete, l.Holder != nil: // it was said, and no other command can continue
	case p.Open != nil:
		l.openRound(p.Open)
	default:
		l.line("%s", WhatNext(l.Session, l.Now))
	}
}

// WhatNext says how far a session has come, and which command continues it. It is for a session
// that no process has open. With a zero now, it leaves out waits for providers.
func WhatNext(s debate.Session, now time.Time) string {
	p := report.ProgressOf(s, false)
	said := p.Now()
	if until := s.WaitsUntil(now); !now.IsZero() && !until.IsZero() {
		said += ": " + debate.WaitText(now.Local(), until)
	}
	switch said = text.Sentence(said); {
	case p.State == debate.StateWaiting:
		said += fmt.Sprintf(" `roundtable requests %s` lists the open questions.", s.ID)
	case p.Next() != "":
		said += fmt.Sprintf(" `roundtable continue %s`: %s.", s.ID, p.Next())
	}
	return said
}

// Round writes a round of a saved session as Transcript does.
func (l *TextReporter) Round(s debate.Session, r debate.Round) {
	begun := s
	begun.History = slices.Clone(s.History[:r.Number])
	begun.History[r.Number-1].Responses = nil
	l.Event(debate.RoundStarted{Session: begun, Round: r.Number, At: r.Began})
	for _, q := range s.Requests {
		for _, d := range q.Delivered {
			if a, ok := q.Revision(d.Revision); ok && d.Round == r.Number {
				l.Request(q)
				l.answer(a, fmt.Sprintf("sent with round %d", d.Round))
			}
		}
	}
	if r.Manifest.Focus != "" {
		l.line("Focus%s: %s", r.Manifest.FocusAuthor.Aside(), text.Line(r.Manifest.Focus))
	}
	for _, x := range r.Responses {
		l.response(s, x)
	}
	for _, n := range s.Notices {
		if n.Round == r.Number {
			l.Event(debate.Noticed{Notice: n})
		}
	}
	if !r.Ended.IsZero() {
		l.Event(debate.RoundCounted{Round: r.Number, At: r.Ended})
	}
}

func (l *TextReporter) response(s debate.Session, x debate.Response) {
	for i, passage := range x.Passages {
		if passage.Text != "" {
			l.workingText(x, i)
		}
		for _, call := range passage.Tools {
			l.asks(s, x.Turn, call.ID)
			if call.State == debate.ToolDone {
				l.Event(debate.ToolEnded{Turn: x.Turn, Tool: call, At: call.Began.Add(call.Took)})
			}
		}
	}
	l.Event(debate.TurnEnded{Response: x, At: x.Ended})
}

func (l *TextReporter) asks(s debate.Session, t agents.Turn, call string) {
	for _, q := range s.Requests {
		for _, a := range q.Asks {
			if a.Turn == t && a.Call == call {
				l.Event(debate.ContextRequested{Turn: t, Request: q, Ask: a, At: a.At})
			}
		}
	}
}

func (l *TextReporter) workingText(x debate.Response, i int) {
	p := x.Passages[i]
	content := strings.TrimSpace(statement.HideStructuredPart(p.Text))
	last := i == len(x.Passages)-1 && len(p.Tools) == 0
	switch {
	case content == "" || x.State == debate.TurnDone && (last || x.Statement.AllPassages): // written below as the statement
		return
	case last:
		l.line("%s: %s", l.seat(x.Turn.Agent), text.Uncapitalize(report.Partial(x.State)))
	default:
		l.line("%s working text, not shared:", l.seat(x.Turn.Agent))
	}
	l.block(content)
}
