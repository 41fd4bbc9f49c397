package report

import (
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Table is figures in rows. The first cell of a row names what it is about.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
	Notes []string // sentences below the table
}

func (t *Table) row(cells ...string) { t.Rows = append(t.Rows, cells) }

func (t Table) lines() [][]string {
	if len(t.Rows) == 0 {
		return nil
	}
	return append([][]string{t.Head}, t.Rows...)
}

func (t *Table) note(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}

func (d Document) participants() Table {
	t := Table{Head: []string{"Seat", "Name", "Provider / model", "Role"}}
	for _, p := range d.Agents {
		name := p.Name
		if p.Label != "" {
			name += ", called " + p.Label
		}
		t.row(fmt.Sprint(p.Seat), name, modelName(p.Profile), p.Role)
	}
	if d.Chair != nil {
		t.row("–", d.Chair.Name, modelName(*d.Chair), "chair")
	}
	if d.Light != nil {
		t.row("–", d.Light.Name, modelName(*d.Light), "light model")
	}
	for _, c := range d.speakers().ModelChanges() {
		t.note("%s.", c)
	}
	return t
}

// purposes name what calls were for; "" is all of them.
var purposes = map[debate.Purpose]string{
	"": "total", debate.ForMember: "seats", debate.ForChair: "chair", debate.ForLight: "light model", debate.ForFollowUp: "follow-ups",
}

func (d Document) spending() Table {
	t := Table{Head: []string{"For", "Requests", "Read", "Written", "Cost"}}
	add := func(name string, s debate.Spending) {
		t.row(name, fmt.Sprint(s.Calls), amount(s.Usage.Input, s.Usage), amount(s.Usage.Output, s.Usage),
			agents.CostText(text.Cost(s.Cost), s.Cost, d.speakers().SpeakersFor(s.Purpose)...))
	}
	for _, s := range d.Spent {
		add(purposes[s.Purpose], s)
	}
	if d.ForkTook != nil {
		add("inherited", *d.ForkTook)
	}
	return t
}
