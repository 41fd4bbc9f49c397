package report

import (
	"fmt"
	"strings"

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

// table returns the change ledger with a row for each seat and a column for each round.
func (c Changes) table() Table {
	t := Table{Title: "Who changed", Head: []string{"Seat"}}
	for _, n := range c.Rounds {
		t.Head = append(t.Head, fmt.Sprintf("Round %d", n))
	}
	for _, seat := range c.Seats {
		row := []string{seat.Name}
		for _, m := range seat.Moves {
			row = append(row, moveCell(m))
		}
		t.row(row...)
	}
	t.note("%s", c.Line)
	return t
}

func moveCell(m *debate.Move) string {
	if m == nil {
		return "–"
	}
	cell := changeWord(m.Change)
	if m.Side != debate.Undecided {
		cell += ": " + string(m.Side)
	}
	if m.Confidence != nil {
		cell += " " + text.Percent(*m.Confidence)
	}
	if len(m.Cites) > 0 {
		cell += " [" + strings.Join(m.Cites, ", ") + "]"
	}
	return cell
}

// changeWord says what a change means.
func changeWord(c debate.Change) string {
	switch c {
	case debate.Opening:
		return "opens"
	case debate.Held:
		return "held"
	case debate.HeldOther:
		return "held, another label"
	case debate.Revised:
		return "changed, new evidence"
	case debate.RevisedOld:
		return "changed, known evidence"
	case debate.Convinced:
		return "changed, by an argument"
	case debate.Conformed:
		return "changed, no evidence"
	case debate.OtherLabel:
		return "another label"
	case debate.OtherModel:
		return "other model"
	case debate.Unstated:
		return "no side"
	case debate.NoResponse:
		return "no vote"
	}
	return string(c)
}

func (d Document) citations() Table {
	t := Table{Head: []string{"Source", "What it is", "Cited by"}}
	for _, s := range d.Sources {
		t.row(s.Ref, s.Description(), d.By(s))
	}
	return t
}

func (d Document) spending() Table {
	all := d.Spent
	if d.ForkTook != nil {
		all = withInherited(all, *d.ForkTook)
	}
	t := Table{Head: []string{"For", "Requests", "Read", "Written", "Cost"}}
	for _, s := range all {
		t.row(PurposeName(s.Purpose), fmt.Sprint(s.Calls), amount(s.Usage.Input, s.Usage),
			amount(s.Usage.Output, s.Usage),
			agents.CostText(text.Cost(s.Cost), s.Cost, d.speakers().SpeakersFor(s.Purpose)...))
	}
	return t
}

func resultTables(r *debate.Results, s debate.Session) []Table {
	if r == nil {
		return nil
	}
	var all []Table
	if r.Ranking != nil {
		all = append(all, rankingTable(r.Ranking, s))
	}
	return all
}

func viewTables(views []Opinion) []Table {
	var all []Table
	for _, v := range views {
		title := text.Capitalize(v.Phase) + " of the last round"
		if n := len(all); n == 0 || all[n-1].Title != title {
			all = append(all, Table{Title: title, Head: []string{"Seat", "Role", "Side", "Position"}})
		}
		all[len(all)-1].row(v.Name, v.Role, v.Standing, orNotStated(v.Position))
	}
	return all
}

func rankingTable(r *debate.Ranking, s debate.Session) Table {
	t := Table{
		Title: fmt.Sprintf("Ranking of the answers of round %d", r.Round),
		Head:  []string{"Place", "Answer of", "Points", "First places"},
	}
	for _, p := range r.Places {
		t.row(fmt.Sprint(p.Place), s.NameOf(p.Agent), fmt.Sprint(p.Points), fmt.Sprint(p.Firsts))
	}
	for _, b := range r.Ballots {
		if len(b.Order) > 0 {
			t.note("%s ranks: %s.", s.NameOf(b.Agent), strings.ReplaceAll(strings.Join(s.NamesOf(b.Order), ", "), ", ", ", then "))
		} else {
			t.note("The ballot of %s could not be read.", s.NameOf(b.Agent))
		}
	}
	t.Notes = append([]string{RankingLine(*r)}, t.Notes...)
	return t
}

// RankingLine says how many ballots a ranking rests on.
func RankingLine(r debate.Ranking) string {
	read, cast := 0, text.Count(len(r.Ballots), "ballot")
	for _, b := range r.Ballots {
		if len(b.Order) > 0 {
			read++
		}
	}
	if read == 0 {
		return fmt.Sprintf("No ranking: none of %s could be read.", cast)
	}
	return fmt.Sprintf("Points of %d of %s; nobody ranks itself.", read, cast)
}

// score returns a score of 0 to 10, with the decimals that it needs.
func score(f *float64) string {
	if f == nil {
		return "no score"
	}
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", *f), "0"), ".")
}

// Agreement says how far the members agreed after a round.
type Agreement struct {
	Round           int
	Line            string // in a sentence
	Measured        bool   // there is a measurement, though it may have failed
	Level           *float64
	Gap             string   // why there is no level, in a few words
	Model           string   // that read the statements; "" if none did
	Computed        bool     // from the votes
	Contradicts     string   // the count that the level contradicts; "" if it does not
	Labels          []string // sentences about which labels mean the same
	Answered, Seats int      // members that gave a statement, and all
	Findings        []Finding
	Warning         string // of group-think
	Groups          []Group
	Results         []Table         // rankings, votes and scores up to this round
	Counted         *debate.Results // what Results are made of
}

// Finding is one kind of finding about a round.
type Finding struct {
	Title string // of all of them, such as "Disagreements"
	Name  string // of one
	Texts []string
}

// Point is a finding about a round, with its heading.
type Point struct{ Title, Text string }

// Group is members who hold the same.
type Group struct {
	Members string // their names
	Theme   string
	Summary string
}

// Agreements returns the agreement of every round of a session, with all text made
// safe.
func Agreements(s debate.Session) []Agreement { return scrub(agreementOf(s), text.Sanitize) }

func agreementOf(s debate.Session) []Agreement {
	var all []Agreement
	for _, r := range s.History {
		a := Agreement{Round: r.Number, Line: "not measured", Gap: "not measured"}
		switch c := r.Consensus; {
		case c != nil:
			a.measure(*c, s)
		case r.Ended.IsZero():
			a.Line = "not measured: the round has not ended"
		}
		all = append(all, a)
	}
	return all
}

func (a *Agreement) measure(c debate.Consensus, s debate.Session) {
	a.Line, a.Measured, a.Level, a.Answered, a.Seats = ConsensusLine(c), true, c.Level, c.Answered, c.Seats
	a.Computed, a.Warning = c.Method == debate.ConsensusComputed, c.Warning
	a.Contradicts, a.Labels = c.Contradicts, groupingLines(c.Labels)
	if c.Method == debate.ConsensusByModel {
		a.Model = c.Model
	}
	a.Results, a.Counted = resultTables(c.Results, s), c.Results
	switch {
	case c.Cause == "":
	case a.Computed:
		a.Gap = "no consensus: " + c.Cause
	default:
		a.Gap = "unavailable: " + c.Cause
	}
	a.Findings = []Finding{
		{"Common ground", "Common ground", c.CommonGround},
		{"Disagreements", "Disagreement", c.Disagreements},
		{"Partial agreements", "Partial agreement", c.Partial},
		{"Conditions", "Condition", c.Conditions},
		{"Uncertainties", "Uncertainty", c.Uncertainties},
	}
	for _, g := range c.Clusters {
		a.Groups = append(a.Groups, Group{strings.Join(s.NamesOf(g.Agents), ", "), g.Theme, g.Summary})
	}
}

// AllAnswered reports whether every member gave a statement.
func (a Agreement) AllAnswered() bool { return a.Answered >= a.Seats }

// Points lists the warning and the findings one by one.
func (a Agreement) Points() []Point {
	var all []Point
	for _, f := range append([]Finding{{"", "Warning", []string{a.Warning}}}, a.Findings...) {
		for _, t := range f.Texts {
			if t != "" {
				all = append(all, Point{f.Name, t})
			}
		}
	}
	return all
}

// Meter returns the level if it can be drawn as agreement; nil if it contradicts the
// count.
func (a Agreement) Meter() *float64 {
	if a.Contradicts != "" {
		return nil
	}
	return a.Level
}

// Caveat says what a level is worth; "" without one.
func (a Agreement) Caveat() string {
	switch {
	case a.Level == nil:
		return ""
	case a.Computed:
		return "A level is the share of the voting seats on one side; agreement is not proof."
	}
	return "Levels are a model's estimate; agreement is not proof."
}
