package control

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Words says in sentences what a [Plan] comes to.
type Words struct{ *Plan }

// Words returns the words of the plan.
func (p *Plan) Words() Words { return Words{p} }

// State is what a person sees of the session while nothing runs: why, and what Continue
// does then.
type State struct {
	Lines []string                 // why the debate pauses and how far it is, in sentences
	Open  *debate.RoundFailedError // why the newest round stays open; nil if it does not
	Next  string                   // what Continue does, such as "start round 2"; "" if it is not possible
	Cost  string                   // what that is likely to cost, as a sentence; "" if nothing
	Round []string                 // what the next round begins with: focus and messages
}

// State returns what a person sees of a session in which nothing runs. Times are told in
// the location of now, which is the present time if it is zero.
func (w Words) State(now time.Time) State {
	if now.IsZero() {
		now = w.Now()
	}
	s := w.session
	out := State{Open: w.OpenRound()}
	switch {
	case w.Queued():
		out.Lines = []string{waitsForRoom}
		return out
	case w.Running(), s.Verdict != nil:
		return out
	case w.ReadOnly != "":
		out.Lines = []string{"Nothing can be saved: " + w.ReadOnly + ".", "Read-only: you can view and export, but not continue."}
		return out
	case out.Open != nil:
		out.Lines = []string{text.Capitalize(text.Line(out.Open.Summary())) + "."}
		out.Next = "ask " + cmp.Or(text.List(w.session.AskedAgain()), "the seats") + " again"
		return out
	}
	progress := report.ProgressOf(s, false)
	switch s.Status() {
	case debate.Complete, debate.Stopped, debate.NeedsContext: // without a verdict
		out.Lines = []string{text.Sentence(progress.Now())}
	case debate.Drafted:
		out.Lines, out.Next = []string{text.Sentence(progress.Now())}, progress.Next()
		out.Cost, out.Round = w.nextCosts(), w.nextRoundBegins()
	case debate.Interrupted:
		w.interrupted(&out, now)
	case debate.Ready:
		w.betweenRounds(&out, now)
	}
	return out
}

func (w Words) betweenRounds(out *State, now time.Time) {
	n := len(w.session.History)
	if w.session.Next() == 0 {
		out.Lines, out.Next = []string{fmt.Sprintf("Paused after round %d, the last one.", n)}, report.ProgressOf(w.session, false).Next()
		for _, late := range w.session.Due(now).Waiting {
			out.Lines = []string{fmt.Sprintf("Paused after round %d, the last one: %s.", n, debate.WaitText(now, late.At))}
			out.Next = "wait for " + text.Line(w.session.SpeakerOf(debate.ForChair, late.Turn).Name)
		}
		return
	}
	out.Lines, out.Next = []string{fmt.Sprintf("Paused after round %d.", n)}, report.ProgressOf(w.session, false).Next()
	out.Round = w.nextRoundBegins()
	if cut, ok := w.session.FirstCut(); ok {
		out.Lines = []string{fmt.Sprintf("Paused after round %d. %s", cut.Round, cut.Text()), cut.Cut.Remedy}
		out.Next += " all the same"
		return
	}
	out.Cost = w.nextCosts()
}

func (w Words) nextRoundBegins() []string {
	var lines []string
	if w.focus.Text != "" {
		lines = append(lines, "Focus"+w.focus.Author.Aside()+": "+text.Line(w.focus.Text))
	}
	var told []string
	for _, n := range w.session.PendingInterjections() {
		i := slices.IndexFunc(w.session.Interjections, func(i debate.Interjection) bool { return i.N == n.N })
		message := w.session.Interjections[i]
		told = append(told, fmt.Sprintf("%s%s: %s", w.toldTo(message), message.Author.Aside(), message.Text))
	}
	if len(told) > 2 {
		told = []string{fmt.Sprintf("%d messages queued for round %d.", len(told), len(w.session.History)+1)}
	}
	for _, change := range w.session.ModelChanges() {
		if change.Round == w.session.Next() {
			told = append(told, change.String()+".")
		}
	}
	return append(lines, told...)
}

// interrupted describes an interrupted round: when it stopped, who has answered, and who is asked on resume.
func (w Words) interrupted(out *State, now time.Time) {
	r, due := w.session.Current(), w.session.Due(now)
	heard := r.Began
	asked, waiting, done := w.session.AskedAgain(), []string(nil), []string(nil)
	for _, t := range due.Turns {
		asked = append(asked, w.nameOf(t.Agent))
	}
	for _, late := range due.Waiting {
		waiting = append(waiting, w.nameOf(late.Turn.Agent))
	}
	for _, x := range r.Responses {
		if x.Ended.After(heard) {
			heard = x.Ended
		}
		if name := w.nameOf(x.Turn.Agent); x.HasStatement() && !slices.Contains(slices.Concat(asked, waiting, done), name) {
			done = append(done, name)
		}
	}
	at := heard.In(now.Location()).Format("15:04")
	switch {
	case w.NotSaved():
		out.Lines = []string{
			fmt.Sprintf("Paused. Saving failed at %s, in round %d. All text is still here.", at, r.Number),
			text.Sentence(Cause(w.problem.Err)),
		}
	case len(waiting) > 0:
		out.Lines = []string{fmt.Sprintf("Paused in round %d: %s.", r.Number, debate.WaitText(now, w.session.WaitsUntil(now)))}
	case heard.After(r.Began):
		out.Lines = []string{fmt.Sprintf("Paused in round %d, whose last word came at %s.", r.Number, at)}
	default:
		out.Lines = []string{fmt.Sprintf("Paused in round %d, which began at %s.", r.Number, at)}
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
	out.Cost = w.nextCosts()
}

// Unfinished says what is lost and what is kept if the run is stopped now.
func (w Words) Unfinished() string {
	var names []string
	due := w.session.Due(time.Time{})
	for _, t := range due.Turns {
		names = append(names, w.nameOf(t.Agent))
	}
	for _, late := range due.Waiting {
		names = append(names, w.nameOf(late.Turn.Agent))
	}
	words := "Finished answers are saved"
	switch {
	case w.followUp.name != "":
		return w.followUp.name + " is answering your question. Quitting stops the answer; you can ask again."
	case w.chair != "":
		doing := "is writing the verdict"
		if _, waits := w.Retrying(); waits {
			doing = "must wait before it writes the verdict"
		}
		return fmt.Sprintf("%s %s. All answers are saved; the verdict is written on resume.", text.Line(w.chair), doing)
	case w.activity != "":
		return w.activity + ". All answers are saved; this is repeated on resume."
	case len(names) > 0:
		words += "; " + namesOrCount(names) + text.Inflect(len(names), " is", " are") + " asked again on resume"
	}
	return words + "."
}

// Attention says why the debate waits or that it has ended, for a notification that calls
// it by that name.
func (w Words) Attention(name string) string {
	switch s, open := w.session, w.OpenRound(); {
	case len(w.approvals) > 0:
		return name + " is waiting for you: a command needs your approval."
	case open.CanGoOn():
		return name + " is waiting for you: " + open.Summary() + "."
	case w.problem != nil && is[*debate.BudgetError](w.problem.Err), s.Stopped == debate.StoppedByBudget:
		return name + " stopped: the budget is used up."
	case w.problem != nil:
		return name + " stopped on an error."
	case s.Status() == debate.NeedsContext:
		return fmt.Sprintf("%s needs you. %s.", name, report.Waits(s))
	case s.Verdict == nil:
		return name + " is paused."
	}
	return name + " has ended."
}

// NoVerdict says why there is no verdict to show yet; "" if there is one, or it is being written.
func (w Words) NoVerdict() string {
	if w.session.Report() != nil || w.chair != "" {
		return ""
	}
	return "No verdict yet: " + report.ProgressOf(w.session, w.Running()).Now() + "."
}

// Coaching explains the stage that the demo is in, one line for each; "" while nothing
// runs, after the verdict, and in a debate of real models.
func (w Words) Coaching() string {
	s := w.session
	if !w.Running() || !s.Demo() || s.Verdict != nil || len(s.History) == 0 {
		return ""
	}
	required := s.Unanswered()
	switch round := s.History[len(s.History)-1]; {
	case w.chair != "":
		return "The chair writes the verdict and lists the dissent."
	case w.activity != "":
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

type forecasts struct {
	left budget.Forecast // of what is still to come
	next budget.Forecast // of the next round, or of what is left of it
}

// Recount estimates again, by the prices of the day, what the rest of the session costs. It
// follows once all events of a frame are applied.
func (c *Controller) Recount() {
	c.session = c.session.PricedOn(c.Now())
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
	if !reflect.DeepEqual(before, c.counted.Votes) {
		for _, s := range c.seats {
			s.touch()
		}
	}
}

// Counted returns what the votes came to when they were last counted.
func (p *Plan) Counted() debate.Counted { return p.counted }

// Left estimates what the rest of the session is likely to cost.
func (p *Plan) Left() budget.Forecast { return p.forecast.left }

// ToCome says what the rest is likely to cost; "" if nothing is left or all is free.
func (w Words) ToCome() string {
	if cost := about(w.forecast.left); cost != "" {
		return strings.TrimPrefix(cost, "about ") + " to go"
	}
	return ""
}

// about says what is likely to be paid, such as "about $0.02" or "about 9k tok"; "" for nothing.
func about(f budget.Forecast) string {
	switch {
	case f.Calls.High == 0 || f.USD != nil && f.USD.High == 0:
		return ""
	case f.USD == nil:
		return "about " + f.Thousands() + " tok"
	case f.USD.High < 0.01:
		return f.Price()
	}
	return "about " + f.Price()
}

// NearLimit reports whether spending has passed the warning level of the budget.
func (p *Plan) NearLimit() bool {
	b, spent := p.session.Budget, budget.TotalSpending(p.session)
	if b.WarnAt <= 0 {
		return false
	}
	return b.USD > 0 && spent.Cost != nil && *spent.Cost >= b.WarnAt*b.USD ||
		b.Tokens > 0 && float64(spent.Usage.Total()) >= b.WarnAt*float64(b.Tokens)
}

func (w Words) nextCosts() string {
	cost := about(w.forecast.next)
	if cost == "" || w.session.Demo() {
		return ""
	}
	return "Cost: " + cost + "."
}

// Cause returns why the store refused, without naming what was to be saved.
func Cause(err error) string {
	words := err.Error()
	if _, rest, ok := strings.Cut(words, "Cannot save: "); ok {
		words = rest
	}
	return strings.TrimSuffix(words, ".")
}

// namesOrCount lists up to three names and counts more, since a sentence has one row.
func namesOrCount(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%d seats", len(names))
	}
	return text.List(names)
}

// OneMore says what one more round is likely to cost, such as "about $0.02".
func (w Words) OneMore() string {
	f := budget.Estimate(w.session.WithMoreRounds(1))
	return cmp.Or(about(f), f.Price())
}

// LaterNote says what becomes of a line for the next round if that is not planned; "" if it is.
func (w Words) LaterNote() string {
	if !w.session.LacksRound() {
		return ""
	}
	return "There is no later round: this is kept for the one that you add."
}

// nextRound says which round a line for a later round is for, after what the line is.
func (w Words) nextRound(line, preposition string) string {
	n := len(w.session.History) + 1
	if w.session.LacksRound() {
		return fmt.Sprintf("%s, if you add round %d", line, n)
	}
	return fmt.Sprintf("%s %s round %d", line, preposition, n)
}

func (w Words) toldTo(i debate.Interjection) string {
	who := "all"
	if i.Agent != "" {
		who = w.nameOf(i.Agent)
	}
	return w.nextRound("To "+who, "in")
}

// Recipients says who receives what a session sends to its speakers, and what they send to MCP
// servers. Of names who receives the prompts of a provider, and says whether that is this machine.
func Recipients(s debate.Session, servers []string, of func(provider string) (name string, local bool)) string {
	var remote, local []string
	add := func(all *[]string, name string) {
		if name = text.Line(name); !slices.Contains(*all, name) {
			*all = append(*all, name)
		}
	}
	for _, p := range s.Speakers() {
		if name, here := of(p.Provider); here || p.Provider == debate.DemoProvider {
			add(&local, p.Name)
		} else {
			add(&remote, cmp.Or(name, p.Provider))
		}
	}
	if len(servers) > 0 && !s.Demo() {
		add(&remote, fmt.Sprintf("the MCP %s %s (calls of tools)", text.Plural(len(servers), "server"), text.List(servers)))
	}
	switch {
	case len(remote)+len(local) == 0:
		return "nobody"
	case len(remote) == 0:
		return "nobody, everything stays on this machine"
	case len(local) == 0:
		return strings.Join(remote, ", ")
	}
	stays := text.Inflect(len(local), "stays", "stay")
	return fmt.Sprintf("%s; %s %s on this machine", strings.Join(remote, ", "), strings.Join(local, ", "), stays)
}

// GoesTo says the same as [Recipients] in a few words, such as "to OpenAI".
func GoesTo(s debate.Session, servers []string, of func(provider string) (name string, local bool)) string {
	who := Recipients(s, servers, of)
	if strings.HasPrefix(who, "nobody,") {
		return "stays on this machine"
	}
	return "to " + who
}
