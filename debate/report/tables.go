package report

import (
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
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

// resultsOf returns the tables of what was ranked in each round.
func resultsOf(s debate.Session) [][]Table {
	var all [][]Table
	for _, r := range s.History {
		all = append(all, resultTables(RankedIn(s, r.Number), s))
	}
	return all
}

// RankedIn returns the ranking of a round, nil if none was held.
func RankedIn(s debate.Session, round int) *debate.Results {
	if r := verdict.Results(s, round); r != nil && r.Ranking.Round == round {
		return r
	}
	return nil
}

// RoundCount is what a debate came to by the end of a round.
type RoundCount struct {
	Round  int                `json:"round"`
	Line   string             `json:"line"` // the result in words
	Result debate.PanelResult `json:"result"`
	Votes  []debate.SeatVote  `json:"votes"` // of the round
}

// CountRound counts what was said until the end of a round, with all text made safe.
func CountRound(s debate.Session, round int) RoundCount {
	s = s.AsOf(round)
	s.History = s.History[:round]
	c := verdict.Count(s)
	line := text.Sanitize(verdict.WordsOf(s, c).Result(c.Result))
	out := RoundCount{Round: round, Line: line, Result: c.Result, Votes: []debate.SeatVote{}}
	out.Result.Side = debate.Side(text.Sanitize(string(c.Result.Side)))
	for i, side := range c.Result.Sides {
		out.Result.Sides[i].Side = debate.Side(text.Sanitize(string(side.Side)))
	}
	for _, v := range c.Votes {
		if v.Round == round {
			v.Label, v.By = text.Sanitize(v.Label), text.Sanitize(v.By)
			out.Votes = append(out.Votes, v)
		}
	}
	return out
}
