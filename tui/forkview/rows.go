package forkview

import (
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// row is one thing that can change.
type row struct {
	label  string // such as "C1 answer"
	about  string
	now    string          // what it is, in words
	note   string          // from which round it forks, if not the one that is shown
	id     string          // of the request whose answer is typed; "" for other rows
	answer string          // the answer as it is; "" if there is none
	plan   debate.ForkPlan // without the change
	values []value         // none for an answer, which is typed
}

func (r row) isAnswer() bool { return r.id != "" }

// value is something that a row can change to.
type value struct {
	text string
	plan debate.ForkPlan
}

// rowsOf returns what a fork after a round can change.
func rowsOf(s debate.Session, c Choices, round int) []row {
	var rows []row
	for _, r := range s.Requests {
		if r.State != ledger.Withdrawn {
			rows = append(rows, requestRows(s, r, round)...)
		}
	}
	rows = append(rows, modelRows(s, c.Models, round)...)
	if round == 0 {
		rows = append(rows, modeRows(s, c.Modes)...)
		rows = append(rows, panelRows(s, c.Panels)...)
	}
	return rows
}

// requestRows returns what can change of a request: its answer, and whether the members get
// it.
func requestRows(s debate.Session, r ledger.Request, round int) []row {
	about, now, given := text.Line(r.Query), "", ""
	if a, ok := r.Sent(); ok {
		now = text.Line(a.Content)
		if a.Outcome == ledger.Unavailable {
			now = "unavailable: " + now
		} else {
			given = text.SanitizeInput(a.Content)
		}
	}
	seen := r.FirstDelivery()
	if r.Round > round { // the members have not asked yet
		if seen == 0 {
			return nil
		}
		p := s.PlanFork(round, r.ID)
		p.Facts = append(p.Facts, r.ID)
		earlier := fmt.Sprintf("Seats have the answer from round %d on, not from round %d.", round+1, seen)
		return []row{{label: r.ID + " earlier", about: about, now: now, values: []value{{earlier, p}}}}
	}
	answer := row{label: r.ID + " answer", about: about, now: now, id: r.ID, answer: given}
	from := round
	if seen > 0 && seen <= round {
		from = seen - 1
		answer.note = fmt.Sprintf("Forks from round %d, since round %d has seen the answer.", from, seen)
	}
	answer.plan = s.PlanFork(from, r.ID)
	if r.Round > from { // a fork that was told it before anybody asked
		answer.plan.Facts = append(answer.plan.Facts, r.ID)
	}
	rows := []row{answer}
	if seen > round {
		p := s.PlanFork(round, r.ID)
		p.Omitted = []string{r.ID}
		left := "The fork begins without the answer; " + r.ID + " is open again."
		rows = append(rows, row{label: r.ID + " left out", about: about, now: now, values: []value{{left, p}}})
	}
	return rows
}

// modelRows returns a row for each seat that could have another model.
func modelRows(s debate.Session, models []agents.Profile, round int) []row {
	var rows []row
	for _, seat := range s.Seats {
		one := row{label: text.Line(seat.Name) + " model", now: text.Line(seat.ModelName())}
		for _, m := range modelsFor(s, models) {
			if m.Provider == seat.Provider && m.Model == seat.Model {
				continue
			}
			name := text.Line(m.Model + " (" + m.Provider + ")")
			m.ID, m.Name, m.Persona = seat.ID, seat.Name, seat.Persona
			p := s.PlanFork(round, "")
			p.Models = []agents.Profile{m}
			one.values = append(one.values, value{name, p})
		}
		if len(one.values) > 0 {
			rows = append(rows, one)
		}
	}
	return rows
}

// modelsFor returns the models that a seat of a session can take, each once: those of the
// demo debate with each other only.
func modelsFor(s debate.Session, offered []agents.Profile) []agents.Profile {
	var out []agents.Profile
	for _, m := range slices.Concat(s.Seats, offered) {
		same := func(o agents.Profile) bool { return o.Provider == m.Provider && o.Model == m.Model }
		if (m.Provider == debate.DemoProvider) == s.Demo() && !slices.ContainsFunc(out, same) {
			out = append(out, m)
		}
	}
	return out
}

// modeRows returns the row of the mode, with those that can debate the question.
func modeRows(s debate.Session, modes []debate.Mode) []row {
	one := row{label: "Mode", now: text.Line(s.Mode.Name)}
	for _, m := range modes {
		_, err := m.QuestionFor(s.Question)
		if err != nil || m.Name == s.Mode.Name || m.CheckPanel(s.Seats) != nil {
			continue
		}
		p := debate.ForkPlan{Mode: &m}
		one.values = append(one.values, value{text.Line(m.Name + ": " + m.Summary), p})
	}
	if len(one.values) == 0 {
		return nil
	}
	return []row{one}
}

// panelRows returns the row of the panel, with those that fit the mode.
func panelRows(s debate.Session, panels []debate.Panel) []row {
	one := row{label: "Panel", now: seatNames(s.Seats)}
	for _, p := range panels {
		if s.Mode.CheckPanel(p.Seats) == nil {
			one.values = append(one.values, value{text.Line(p.Name + ": " + seatNames(p.Seats)), debate.ForkPlan{Panel: &p}})
		}
	}
	if len(one.values) == 0 {
		return nil
	}
	return []row{one}
}

func seatNames(seats []agents.Profile) string {
	names := make([]string, len(seats))
	for i, p := range seats {
		names[i] = text.Line(p.Name)
	}
	return text.List(names)
}
