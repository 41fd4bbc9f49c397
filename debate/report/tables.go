package report

import (
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Table is a finding in rows. The first cell of a row says what the row is about.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
	Notes []string
}

func (t *Table) row(cells ...string) { t.Rows = append(t.Rows, cells) }

func (t *Table) note(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}

// Panel lists who took part.
func (d Document) Panel() Table {
	t := Table{Head: []string{"Seat", "Name", "Provider / model", "Role"}}
	for _, p := range d.Agents {
		name := p.Name
		if p.Label != "" {
			name += ", called " + p.Label
		}
		t.row(fmt.Sprint(p.Seat), name, model(p.Profile), p.Role)
	}
	if d.Chair != nil {
		t.row("–", d.Chair.Name, model(*d.Chair), "chair")
	}
	if d.Light != nil {
		t.row("–", d.Light.Name, model(*d.Light), "light model")
	}
	return t
}

// Changes is the change ledger: a row a seat, a column a round.
func (d Document) Changes() Table {
	t := Table{Title: "Who changed", Head: []string{"Seat"}}
	for _, r := range d.History {
		t.Head = append(t.Head, fmt.Sprintf("Round %d", r.Round))
	}
	for _, p := range d.Agents {
		row := []string{p.Name}
		for _, r := range d.History {
			row = append(row, moved(d.Verdict.Moves, p.ID, r.Round))
		}
		t.row(row...)
	}
	t.note("%s", d.Verdict.Moved)
	return t
}

// moved says in a cell of the ledger what a seat did in a round.
func moved(moves []debate.Move, id agents.ID, round int) string {
	for _, m := range moves {
		if m.Agent != id || m.Round != round {
			continue
		}
		text := changed(m.Change)
		if m.Stance != "" {
			text += ": " + string(m.Stance)
		}
		if m.Confidence != nil {
			text += " " + percent(*m.Confidence)
		}
		if len(m.Cites) > 0 {
			text += " [" + strings.Join(m.Cites, ", ") + "]"
		}
		return text
	}
	return "–"
}

// Citations lists what the statements rest on, with all who cite it.
func (d Document) Citations() Table {
	t := Table{Head: []string{"Source", "What it is", "Cited by"}}
	for _, s := range d.Sources {
		t.row(s.Ref, s.What(), d.By(s))
	}
	return t
}

// Costs lists what the calls took.
func (d Document) Costs() Table {
	t := Table{Head: []string{"For", "Requests", "Read", "Written", "Cost"}}
	for _, s := range d.Spent {
		t.row(purpose(s.Purpose), fmt.Sprint(s.Calls), amount(s.Usage.Input, s.Usage), amount(s.Usage.Output, s.Usage), text.Cost(s.Cost))
	}
	return t
}

// Findings are what the structured parts of rounds came to: a ranking, votes, scores.
func (d Document) Findings(r *debate.Results) []Table {
	if r == nil {
		return nil
	}
	var out []Table
	if r.Ranking != nil {
		out = append(out, d.ranking(r.Ranking))
	}
	if r.Shift != nil {
		out = append(out, d.votes(r.Shift))
	}
	if r.Matrix != nil {
		out = append(out, d.matrix(r.Matrix))
	}
	return out
}

// Views are what the members held in the further phases of the last round, a table
// a phase.
func (d Document) Views(views []debate.View) []Table {
	var out []Table
	for _, v := range views {
		title := text.Capitalize(v.Phase) + " of the last round"
		if n := len(out); n == 0 || out[n-1].Title != title {
			out = append(out, Table{Title: title, Head: []string{"Member", "Role", "Stance", "Position"}})
		}
		out[len(out)-1].row(d.Who(v.Agent), v.Role, standingOf(v.Stance, v.Confidence), stated(v.Position))
	}
	return out
}

func (d Document) ranking(r *debate.Ranking) Table {
	t := Table{Title: fmt.Sprintf("Ranking of the answers of round %d", r.Round), Head: []string{"Place", "Answer of", "Points", "First places"}}
	for _, p := range r.Places {
		t.row(fmt.Sprint(p.Place), d.Who(p.Agent), fmt.Sprint(p.Points), fmt.Sprint(p.Firsts))
	}
	for _, b := range r.Ballots {
		order := "no answer that counts"
		if len(b.Order) > 0 {
			order = strings.ReplaceAll(d.Names(b.Order), ", ", ", then ")
		}
		t.note("%s ranks: %s.", d.Who(b.Agent), order)
	}
	return t
}

func (d Document) votes(v *debate.VoteShift) Table {
	t := Table{Title: "Votes before and after", Head: []string{"Member", "Before", "After"}}
	for _, p := range v.Votes {
		t.row(d.Who(p.Agent), stated(string(p.Before)), stated(string(p.After)))
	}
	if len(v.Before) == 0 {
		t.note("Nobody has voted both times.")
		return t
	}
	gain := "Neither side gained."
	if v.Winner != "" {
		gain = fmt.Sprintf("The side that gained is %s.", v.Winner)
	}
	t.note("Of those who voted both times: before yes %d, no %d; after yes %d, no %d. %s", v.Before[debate.Yes], v.Before[debate.No], v.After[debate.Yes], v.After[debate.No], gain)
	return t
}

func (d Document) matrix(m *debate.Matrix) Table {
	t := Table{Title: fmt.Sprintf("Options by criteria, round %d", m.Round), Head: append(append([]string{"Option"}, m.Criteria...), "Mean")}
	for o, option := range m.Options {
		row := []string{option}
		for c, criterion := range m.Criteria {
			var cell debate.Cell
			if i := o*len(m.Criteria) + c; i < len(m.Cells) {
				cell = m.Cells[i]
			}
			row = append(row, score(cell.Mean))
			for _, s := range cell.Scores {
				why := ""
				if s.Reason != "" {
					why = ": " + s.Reason
				}
				t.note("%s, %s: %s gives %s%s", option, criterion, d.Who(s.Agent), score(&s.Score), why)
			}
		}
		var total *float64
		if o < len(m.Totals) {
			total = m.Totals[o]
		}
		t.row(append(row, score(total))...)
	}
	best := "No option is ahead of all others."
	if m.Best != "" {
		best = "Ahead: " + m.Best + "."
	}
	t.Notes = append([]string{"Scores from 0 to 10. " + best}, t.Notes...)
	return t
}

// score writes one of 0..10.
func score(f *float64) string {
	if f == nil {
		return "no score"
	}
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", *f), "0"), ".")
}
