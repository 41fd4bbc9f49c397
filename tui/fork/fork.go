// Package fork lists what a fork of a debate can change, and asks to what.
//
// It imports debate, ledger and agents for what can change, and screen for the lists and
// the text that it asks for. It must not know who shows them, nor other screens.
package fork

import (
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
	Typed   map[string]string // texts that were not sent, by the names of their entries
}

// Make asks the shell to fork the session and to open the fork.
type Make struct{ Plan debate.ForkPlan }

// choice is an entry of a list, and what it does.
type choice struct {
	screen.Entry
	do func() screen.Outcome
}

func makes(name, about string, p debate.ForkPlan) choice {
	return choice{screen.Entry{Name: name, Text: about}, func() screen.Outcome { return screen.Outcome{Make{p}} }}
}

func menu(title string, all []choice) screen.Menu {
	m := screen.Menu{Title: title}
	for _, one := range all {
		m.All = append(m.All, one.Entry)
	}
	m.Choose = func(name string) screen.Outcome {
		return all[slices.IndexFunc(all, func(one choice) bool { return one.Name == name })].do()
	}
	return m
}

// Menu lists what can change, and the other rounds after which the fork can begin.
func (f Fork) Menu() screen.Menu {
	s := f.Session
	last := max(0, min(s.Ended(), s.Rounds-1)) // a round is left to run
	f.Round = min(f.Round, last)
	var all []choice
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
			all = append(all, choice{screen.Entry{Name: "Fork " + after(round), Text: left}, show})
		}
	}
	m := menu("Fork "+after(f.Round)+": change one thing", all)
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
func add(all []choice, name, now string, to []choice) []choice {
	if len(to) == 0 {
		return all
	}
	ask := func() screen.Outcome { return screen.Outcome{menu("Fork: "+name, to)} }
	return append(all, choice{screen.Entry{Name: name, Text: "Now: " + now}, ask})
}

// models returns what a seat can take, each once: those of the demo debate with each other only.
func (f Fork) models(seat agents.Profile) (all []choice) {
	for _, m := range slices.Concat(f.Session.Seats, f.Models) {
		name := text.Line(m.Model + " (" + m.Provider + ")")
		same := m.Provider == seat.Provider && m.Model == seat.Model
		twice := slices.ContainsFunc(all, func(one choice) bool { return one.Name == name })
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

func (f Fork) modes() (all []choice) {
	for _, m := range f.Modes {
		_, err := m.QuestionFor(f.Session.Question)
		if err == nil && m.Name != f.Session.Mode.Name && m.CheckPanel(f.Session.Seats) == nil {
			all = append(all, makes(text.Line(m.Name), text.Line(m.Summary), debate.ForkPlan{Mode: &m}))
		}
	}
	return all
}

func (f Fork) panels() (all []choice) {
	for _, p := range f.Panels {
		if f.Session.Mode.CheckPanel(p.Seats) == nil {
			all = append(all, makes(text.Line(p.Name), seatNames(p.Seats), debate.ForkPlan{Panel: &p}))
		}
	}
	return all
}

func seatNames(seats []agents.Profile) string {
	names := make([]string, len(seats))
	for i, p := range seats {
		names[i] = text.Line(p.Name)
	}
	return text.List(names)
}

// maxShown is how many characters of a question and of its answer an entry shows.
const maxShown = 200

// ofRequest returns what can change of a request: its answer, and whether the members get it.
func (f Fork) ofRequest(r ledger.Request) []choice {
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
		return []choice{makes(r.ID+" earlier", earlier, plan)}
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
	all := []choice{
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
func (f Fork) asks(name, about, given string, p debate.ForkPlan, sub ledger.Submission) choice {
	return choice{screen.Entry{Name: name, Text: about}, func() screen.Outcome {
		content, ok := f.Typed[name]
		if !ok {
			content = given
		}
		keep := func(typed string) screen.Outcome {
			f.Typed[name] = typed
			return nil
		}
		return screen.Outcome{screen.Prompt{
			Label: name + " >", Help: about, Text: content, Limit: ledger.MaxAnswer, Lines: true,
			Hints: []string{"enter fork", "esc close (text kept)", "ctrl+u clear"}, Closed: keep,
			Done: func(typed string) screen.Outcome {
				keep(typed)
				sub.Content, sub.By = typed, ledger.ByPerson("interface")
				p.Answers = []ledger.Submission{sub}
				return screen.Outcome{Make{p}}
			},
		}}
	}}
}
