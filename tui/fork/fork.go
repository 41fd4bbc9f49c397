// Package fork lists what a fork of a debate can change, and asks to what.
//
// It imports debate, ledger and agents for what can change, and screen for the lists and
// the text that it asks for. It must not know who shows them, nor other screens.
package fork

import (
	"cmp"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// Fork is a fork that is being planned.
type Fork struct {
	Session debate.Session
	Round   int // after which it begins
	Models  []agents.Profile
	Modes   []debate.Mode
	Panels  []debate.Panel
	Typed   map[string]*string // texts that were not sent, by the names of their entries
}

// Make asks the shell to fork the session and to open the fork.
type Make struct{ Plan debate.ForkPlan }

func makes(name, about string, p debate.ForkPlan) screen.Entry {
	return screen.Entry{Name: name, Text: about, Do: func() screen.Outcome { return screen.Outcome{Make{p}} }}
}

// Menu lists what can change, and the other rounds after which the fork can begin.
func (f Fork) Menu() screen.Menu {
	s := f.Session
	last := max(0, min(s.Ended(), s.Rounds-1)) // a round is left to run
	f.Round = min(f.Round, last)
	var all []screen.Entry
	for _, r := range s.Requests {
		if r.State != ledger.Withdrawn {
			all = append(all, f.ofRequest(r)...)
		}
	}
	for _, seat := range s.Seats {
		all = add(all, text.Line(seat.Name)+" model", text.Line(seat.ModelName()), f.models(seat))
	}
	if f.Round == 0 {
		all = add(all, "Mode", text.Line(s.Mode.Name), f.modes())
		all = add(all, "Panel", seatNames(s.Seats), f.panels())
	}
	for round := range last + 1 {
		if other := f; round != f.Round {
			other.Round = round
			left := text.Count(s.Rounds-round, "round") + " to run again."
			show := func() screen.Outcome { return screen.Outcome{other.Menu()} }
			all = append(all, screen.Entry{Name: "Fork " + after(round), Text: left, Do: show})
		}
	}
	m := screen.Menu{Title: "Fork " + after(f.Round) + ": change one thing", All: all}
	if len(all) == 0 {
		m.Problem = "Nothing can change here: there is no other model, mode or panel."
	}
	return m
}

func after(round int) string {
	if round == 0 {
		return "from the start"
	}
	return fmt.Sprintf("after round %d", round)
}

// add adds an entry that asks to which of some it changes, if there are any.
func add(all []screen.Entry, name, now string, to []screen.Entry) []screen.Entry {
	if len(to) == 0 {
		return all
	}
	ask := func() screen.Outcome { return screen.Outcome{screen.Menu{Title: "Fork: " + name, All: to}} }
	return append(all, screen.Entry{Name: name, Text: "Now: " + now, Do: ask})
}

// models returns what a seat can take, each once: those of the demo debate with each other only.
func (f Fork) models(seat agents.Profile) (all []screen.Entry) {
	for _, m := range slices.Concat(f.Session.Seats, f.Models) {
		name := text.Line(m.Model + " (" + m.Provider + ")")
		same := m.Provider == seat.Provider && m.Model == seat.Model
		twice := slices.ContainsFunc(all, func(one screen.Entry) bool { return one.Name == name })
		if same || twice || (m.Provider == debate.DemoProvider) != f.Session.Demo() {
			continue
		}
		m.ID, m.Name, m.Persona = seat.ID, seat.Name, seat.Persona
		p := f.Session.PlanFork(f.Round, "")
		p.Models = []agents.Profile{m}
		all = append(all, makes(name, "", p))
	}
	return all
}

func (f Fork) modes() (all []screen.Entry) {
	for _, m := range f.Modes {
		_, err := m.QuestionFor(f.Session.Question)
		if err == nil && m.Name != f.Session.Mode.Name && m.CheckPanel(f.Session.Seats) == nil {
			all = append(all, makes(text.Line(m.Name), text.Line(m.Summary), debate.ForkPlan{Mode: &m}))
		}
	}
	return all
}

func (f Fork) panels() (all []screen.Entry) {
	for _, p := range f.Panels {
		if f.Session.Mode.CheckPanel(p.Seats) == nil {
			all = append(all, makes(text.Line(p.Name), seatNames(p.Seats), debate.ForkPlan{Panel: &p}))
		}
	}
	return all
}

func seatNames(seats []agents.Profile) string {
	return text.List(text.Each(seats, func(p agents.Profile) string { return text.Line(p.Name) }))
}

// maxShown is how many characters of a question and of its answer an entry shows.
const maxShown = 200

// ofRequest returns what can change of a request: its answer, and whether the members get it.
func (f Fork) ofRequest(r ledger.Request) []screen.Entry {
	about, given := text.Clip(text.Line(r.Query), maxShown), ""
	if a, ok := r.Sent(); ok {
		now := text.Clip(text.Line(a.Content), maxShown)
		if a.Outcome == ledger.Unavailable {
			now = "unavailable: " + now
		} else {
			given = text.Clean(a.Content)
		}
		about += " Now: " + now
	}
	seen := r.FirstDelivery()
	plan := f.Session.PlanFork(f.Round, r.ID)
	if r.Round > f.Round { // the members have not asked yet
		if seen == 0 {
			return nil
		}
		plan.Facts = append(plan.Facts, r.ID)
		earlier := fmt.Sprintf("Its answer is there from round %d on, not from round %d.", f.Round+1, seen)
		return []screen.Entry{makes(r.ID+" earlier", earlier, plan)}
	}
	from := f.Round
	if seen > 0 && seen <= from {
		from = seen - 1
		about += fmt.Sprintf(" (Forks %s, since round %d has seen the answer.)", after(from), seen)
	}
	changed := f.Session.PlanFork(from, r.ID)
	if r.Round > from { // a fork that was told it before anybody asked
		changed.Facts = append(changed.Facts, r.ID)
	}
	answer := ledger.Submission{Request: r.ID, Outcome: ledger.Answered}
	without := ledger.Submission{Request: r.ID, Outcome: ledger.Unavailable}
	all := []screen.Entry{
		f.asks(r.ID+" answer", about, given, changed, answer),
		f.asks(r.ID+" unavailable", "No answer, with the reason.", "", changed, without),
	}
	if seen > f.Round {
		plan.Omitted = []string{r.ID}
		all = append(all, makes(r.ID+" left out", "No answer: "+r.ID+" is open again.", plan))
	}
	return all
}

// asks returns an entry that asks for another answer, or for the reason why it is unavailable.
// Unfinished text is kept while the debate is open.
func (f Fork) asks(name, about, given string, p debate.ForkPlan, sub ledger.Submission) screen.Entry {
	return screen.Entry{Name: name, Text: about, Do: func() screen.Outcome {
		kept := cmp.Or(f.Typed[name], new(string))
		f.Typed[name] = kept
		return screen.Outcome{screen.Prompt{
			Label: name + " >", Help: about, Text: given, Limit: ledger.MaxAnswer, Lines: true,
			Hints: []string{"enter fork", "esc close (text kept)", "ctrl+u clear"}, Kept: kept,
			Done: func(typed string) screen.Outcome {
				*kept = typed // it may be refused
				sub.Content, sub.By = typed, ledger.ByPerson("interface")
				p.Answers = []ledger.Submission{sub}
				return screen.Outcome{Make{p}}
			},
		}}
	}}
}
