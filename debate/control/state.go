package control

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// State is what a person sees of the session while nothing runs: why, and what Continue
// does then.
type State struct {
	Word  debate.State
	Lines []string                 // why the debate pauses and how far it is, in sentences
	Open  *debate.RoundFailedError // why the newest round stays open; nil if it does not
	Next  string                   // what Continue does, such as "start round 2"; "" if it is not possible
	Cost  string                   // what that is likely to cost, as a sentence; "" if nothing
	Round []string                 // what the next round begins with: focus and messages
}

// State returns what a person sees of a session in which nothing runs. Times are told in
// the location of now, which is the present time if it is zero.
func (c *Controller) State(now time.Time) State {
	if now.IsZero() {
		now = c.now()
	}
	s := c.session
	out := State{Word: s.State(false), Open: c.OpenRound()}
	switch {
	case c.Queued():
		out.Lines = []string{waitsForRoom}
		return out
	case c.Running(), s.Verdict != nil:
		return out
	case c.ReadOnly != "":
		out.Lines = []string{"Nothing can be saved: " + c.ReadOnly + ".", "Read-only: you can view and export, but not continue."}
		return out
	case out.Open != nil:
		out.Lines = []string{text.Capitalize(text.Line(out.Open.Summary())) + "."}
		out.Next = "ask " + cmp.Or(text.List(c.askedAgain()), "the seats") + " again"
		return out
	}
	switch s.Status() {
	case debate.Drafted:
		out.Lines, out.Next = []string{text.Sentence(report.ProgressOf(s, false).Now())}, report.ProgressOf(s, false).Next()
		out.Cost, out.Round = c.nextCosts(), c.nextRoundBegins()
	case debate.Interrupted:
		c.interrupted(&out, now)
	case debate.Ready:
		c.betweenRounds(&out, now)
	case debate.NeedsContext:
		out.Lines = []string{"Paused. " + report.ProgressOf(s, false).Now() + "."}
	case debate.Complete, debate.Stopped: // without a verdict
		out.Lines = []string{text.Sentence(report.ProgressOf(s, false).Now())}
	}
	return out
}

// Until returns for how long what State says stays true if nothing happens: until a provider
// may be asked that asked to wait. It is 0 if that does not change with the time.
func (c *Controller) Until(now time.Time) time.Duration {
	var left time.Duration
	if c.Running() || c.session.Verdict != nil {
		return left
	}
	for _, w := range c.session.Due(now).Waiting {
		if in := w.At.Sub(now); left == 0 || in < left {
			left = in
		}
	}
	return left
}

// betweenRounds describes a debate whose newest round has ended.
func (c *Controller) betweenRounds(out *State, now time.Time) {
	n := len(c.session.History)
	if c.session.Next() == 0 {
		out.Lines, out.Next = []string{fmt.Sprintf("Paused after round %d, the last one.", n)}, report.ProgressOf(c.session, false).Next()
		for _, w := range c.session.Due(now).Waiting {
			chair := text.Line(c.session.SpeakerOf(debate.ForChair, w.Turn).Name)
			out.Lines = []string{
				fmt.Sprintf("Paused after round %d, the last one: %s.", n, debate.WaitText(now, w.At)),
				fmt.Sprintf("%s can be asked for the verdict at %s.", chair, text.TimeOfDay(now, w.At)),
			}
			out.Next = "wait for " + chair
		}
		return
	}
	out.Lines, out.Next = []string{fmt.Sprintf("Paused after round %d.", n)}, report.ProgressOf(c.session, false).Next()
	out.Round = c.nextRoundBegins()
	if cut, ok := c.session.FirstCut(); ok {
		out.Lines = []string{fmt.Sprintf("Paused after round %d. %s", cut.Round, cut.Text()), cut.Cut.Remedy}
		out.Next += " all the same"
		return
	}
	out.Cost = c.nextCosts()
}

// nextRoundBegins lists the focus and the messages of the next round.
func (c *Controller) nextRoundBegins() []string {
	var lines []string
	if c.focus.Text != "" {
		lines = append(lines, "Focus"+noted(c.focus.Author)+": "+text.Line(c.focus.Text))
	}
	var told []string
	for _, n := range c.session.PendingInterjections() {
		i := slices.IndexFunc(c.session.Interjections, func(i debate.Interjection) bool { return i.N == n.N })
		if i >= 0 {
			message := c.session.Interjections[i]
			told = append(told, fmt.Sprintf("%s%s: %s", c.WillTell(message), noted(message.Author), message.Text))
		}
	}
	if len(told) > 2 {
		told = []string{fmt.Sprintf("%d messages queued for round %d.", len(told), len(c.session.History)+1)}
	}
	for _, change := range c.session.ModelChanges() {
		if change.Round == c.session.Next() {
			told = append(told, change.String()+".")
		}
	}
	return append(lines, told...)
}

// noted returns who wrote a text, in brackets; "" if it was the user.
func noted(a ledger.Author) string {
	if note := text.Line(a.Note()); note != "" {
		return " (" + note + ")"
	}
	return ""
}

// interrupted describes a round that was broken off: since when, who has answered, and who is
// asked when it goes on.
func (c *Controller) interrupted(out *State, now time.Time) {
	r, due := c.session.Current(), c.session.Due(now)
	heard, until := r.Began, time.Time{}
	asked, waiting, done := c.askedAgain(), []string(nil), []string(nil)
	for _, t := range due.Turns {
		asked = append(asked, c.nameOf(t.Agent))
	}
	for _, w := range due.Waiting {
		waiting = append(waiting, c.nameOf(w.Turn.Agent))
		if w.At.After(until) {
			until = w.At
		}
	}
	for _, x := range r.Responses {
		if x.Ended.After(heard) {
			heard = x.Ended
		}
		if name := c.nameOf(x.Turn.Agent); x.HasStatement() && !slices.Contains(slices.Concat(asked, waiting, done), name) {
			done = append(done, name)
		}
	}
	at := heard.In(now.Location()).Format("15:04")
	switch {
	case c.NotSaved():
		out.Lines = []string{
			fmt.Sprintf("Paused. Saving failed at %s, in round %d. All text is still here.", at, r.Number),
			text.Sentence(Cause(c.problem.Err)),
		}
	case c.stopped:
		out.Lines = []string{fmt.Sprintf("Paused. You stopped it at %s, in round %d.", at, r.Number)}
	case len(waiting) > 0:
		out.Lines = []string{fmt.Sprintf("Paused in round %d: %s.", r.Number, debate.WaitText(now, until))}
	default:
		out.Lines = []string{fmt.Sprintf("Paused. Roundtable stopped at %s, in round %d.", at, r.Number)}
	}
	if len(done) > 0 {
		out.Lines = append(out.Lines, namesOrCount(done)+text.Inflect(len(done), " has", " have")+" answered.")
	}
	switch {
	case len(asked)+len(waiting) == 0:
		out.Next = "end the round"
		return
	case len(asked) == 0:
		out.Next = "wait for " + namesOrCount(waiting)
	default:
		out.Next = "continue with " + namesOrCount(append(asked, waiting...))
	}
	if c.free() {
		out.Next += ", free (local)"
	}
	out.Cost = c.nextCosts()
}

// askedAgain lists the seats that run again when the round continues.
func (c *Controller) askedAgain() []string {
	var names []string
	for _, d := range c.session.AskFailed() {
		if name := text.Line(c.session.NameOf(d.Turn.Agent)); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Unfinished says what is lost and what is kept if the run is stopped now.
func (c *Controller) Unfinished() string {
	var names []string
	due := c.session.Due(time.Time{})
	for _, t := range due.Turns {
		names = append(names, c.nameOf(t.Agent))
	}
	for _, w := range due.Waiting {
		names = append(names, c.nameOf(w.Turn.Agent))
	}
	words := "A round is running. Finished answers are saved"
	switch {
	case c.followUp.name != "":
		return c.followUp.name + " is answering your question. Quitting stops the answer; you can ask again."
	case c.chair != "":
		doing := "is writing the verdict"
		if _, waits := c.Retrying(); waits {
			doing = "must wait before it writes the verdict"
		}
		return fmt.Sprintf("%s %s. All answers are saved; the verdict is written on resume.", text.Line(c.chair), doing)
	case c.activity != "":
		return c.activity + ". All answers are saved; this is repeated on resume."
	case len(names) == 1:
		words += "; " + names[0] + " is asked again on resume"
	case len(names) > 1:
		words += "; " + namesOrCount(names) + " are asked again on resume"
	}
	return words + "."
}

// Attention says why the debate waits or that it has ended, for a notification that calls
// it by that name.
func (c *Controller) Attention(name string) string {
	var budget *debate.BudgetError
	switch s, open := c.session, c.OpenRound(); {
	case len(c.approvals) > 0:
		return name + " is waiting for you: a command needs your approval."
	case open.CanGoOn():
		return name + " is waiting for you: " + open.Summary() + "."
	case c.problem != nil && errors.As(c.problem.Err, &budget), s.Stopped == debate.StoppedByBudget:
		return name + " stopped: the budget is used up."
	case c.problem != nil:
		return name + " stopped on an error."
	case s.Status() == debate.NeedsContext:
		return fmt.Sprintf("%s is waiting for you: %d required.", name, len(s.Unanswered()))
	case s.Verdict == nil:
		return name + " is paused."
	}
	return name + " has ended."
}

// Coaching explains the stage that the demo is in, one line for each; "" while nothing
// runs, after the verdict, and in a debate of real models.
func (c *Controller) Coaching() string {
	s := c.session
	if !c.Running() || !s.Demo() || s.Verdict != nil || len(s.History) == 0 {
		return ""
	}
	required := s.Unanswered()
	switch round := s.History[len(s.History)-1]; {
	case c.chair != "":
		return "The chair writes the verdict and lists the dissent."
	case c.activity != "":
		return ""
	case len(required) > 0 && round.Number < s.Rounds:
		return fmt.Sprintf("%s asks you for a fact. Round %d waits for it.", s.NameOf(required[0].Askers()[0]), round.Number+1)
	case s.Mode.Reviews() && round.Number == 1:
		return "Each looks for defects alone: what one sees, another may miss."
	case s.Mode.Reviews():
		return "Now each judges what the others found, without knowing who did."
	case round.Number == 1 && s.Mode.Order == debate.Parallel:
		return "They answer blind, so that disagreement shows."
	case round.Number == 1:
		return "They take turns, and each reads what was said before."
	}
	return "Now they have read each other. Who changes sides?"
}

// IDs lists the ids of requests.
func IDs(requests []ledger.Request) []string {
	var ids []string
	for _, r := range requests {
		ids = append(ids, r.ID)
	}
	return ids
}

// NeedsAnswer says which requests keep the next round from starting. Unavailable is how the
// front end marks one that has no answer.
func NeedsAnswer(ids []string, unavailable string) string {
	if len(ids) == 1 {
		return fmt.Sprintf("%s needs an answer, or %s with a reason.", ids[0], unavailable)
	}
	return fmt.Sprintf("%d required left: %s. Each needs an answer, or %s with a reason.", len(ids), text.List(ids), unavailable)
}

// forecasts are what a session is expected to cost.
type forecasts struct {
	left budget.Forecast // of what is still to come
	next budget.Forecast // of the next round, or of what is left of it
}

// Recount estimates again, by the prices of the day, what the rest of the session costs. It
// follows once all events of a frame are applied.
func (c *Controller) Recount() {
	c.session = c.session.PricedOn(c.now())
	c.forecast = forecasts{left: budget.Estimate(c.session)}
	n := c.session.Next()
	if c.session.Status() == debate.Interrupted { // what is left of it
		n = len(c.session.History)
	}
	if n > 0 {
		c.forecast.next = budget.EstimateRound(c.session, n)
	}
	before := c.counted.Votes
	c.counted = verdict.Count(c.session)
	if !slices.EqualFunc(before, c.counted.Votes, func(a, b debate.SeatVote) bool {
		return a.Seat == b.Seat && a.Round == b.Round && a.Arrow == b.Arrow && a.Label == b.Label && a.By == b.By
	}) {
		for _, s := range c.seats {
			s.touch()
		}
	}
}

// Counted returns what the votes came to when they were last counted.
func (c *Controller) Counted() debate.Counted { return c.counted }

// Left estimates what the rest of the session is likely to cost.
func (c *Controller) Left() budget.Forecast { return c.forecast.left }

// ToCome says what the rest is likely to cost; "" if nothing is left or all is free.
func (c *Controller) ToCome() string {
	f := c.forecast.left
	switch {
	case f.Calls.High == 0 || f.USD != nil && f.USD.High == 0:
		return ""
	case f.USD == nil:
		return f.Thousands() + " tok to go"
	}
	return f.Price() + " to go"
}

// NearLimit reports whether spending has passed the warning level of the budget.
func (c *Controller) NearLimit() bool {
	b, spent := c.session.Budget, budget.TotalSpending(c.session)
	if b.WarnAt <= 0 {
		return false
	}
	return b.USD > 0 && spent.Cost != nil && *spent.Cost >= b.WarnAt*b.USD ||
		b.Tokens > 0 && float64(spent.Usage.Total()) >= b.WarnAt*float64(b.Tokens)
}

// free reports whether the next round costs nothing since it runs on this machine.
func (c *Controller) free() bool {
	f := c.forecast.next
	included := slices.ContainsFunc(c.session.Seats, func(p agents.Profile) bool { return p.Included })
	return f.Calls.High > 0 && !c.session.Demo() && !included && f.USD != nil && f.USD.High == 0
}

// nextCosts says what the next round, or the rest of an interrupted one, is likely to cost.
func (c *Controller) nextCosts() string {
	f := c.forecast.next
	switch {
	case f.Calls.High == 0 || c.session.Demo() || f.USD != nil && f.USD.High == 0:
		return ""
	case f.USD == nil:
		return "It takes about " + f.Thousands() + " tok."
	case f.USD.High < 0.01:
		return "Cost: " + f.Price() + "."
	}
	return "Cost: about " + f.Price() + "."
}

// Cause returns why the store refused, without naming what was to be saved.
func Cause(err error) string {
	words := err.Error()
	if _, rest, ok := strings.Cut(words, "Cannot save: "); ok {
		words = rest
	}
	return strings.TrimSuffix(words, ".")
}

// tellEnd says what has become of a run that ended: what it failed on, that the debate
// pauses for a cut prompt, or that it cannot end yet.
func (c *Controller) tellEnd() Told {
	var failed *debate.RoundFailedError
	switch p := c.problem; {
	case p == nil:
		return Told{}
	case errors.As(p.Err, &failed):
		return Told{Text: text.Capitalize(text.Line(failed.Summary())) + ".", Fix: p.Fix}
	default:
		return Told{Text: text.Sentence(p.Err.Error()), Fix: p.Fix}
	}
}

// namesOrCount lists up to three names and counts more, so that names do not push the rest
// of a sentence out of its row.
func namesOrCount(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%d seats", len(names))
	}
	return text.List(names)
}
