package report

import (
	"cmp"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// VoteTable is the votes of a debate: a row for each voting seat, a column for each round.
type VoteTable struct {
	Rounds []int
	Rows   []VoteRow
	Key    []string // meanings of the letters in the cells; nil: the cells have the sides
	First  string   // what the first votes came to; "" where votes were cast once
	Now    string   // what the votes come to; "" in a critique
	Spent  string   // what the debate took, and what of it came after the first votes

	words verdict.Words
}

// VoteRow is the votes of a seat.
type VoteRow struct {
	Seat  agents.ID
	Name  string
	Cells []VoteCell // one for each round
	By    string     // what changed its vote, as far as that can be checked
}

// VoteCell is a vote in words.
type VoteCell struct {
	Text string // with an arrow before it if it differs from the vote before
	Side debate.Side
	vote debate.SeatVote
}

// VotesOf returns the table of what a session comes to.
func VotesOf(s debate.Session, c debate.Counted) VoteTable {
	words := verdict.WordsOf(s, c)
	t := VoteTable{Spent: "Spent: " + spentWords(s, budget.TotalSpending(s)), words: words}
	if after := verdict.SpentAfterFirst(s); after.Calls > 0 {
		t.Spent += "; after the first votes " + spentWords(s, after)
	}
	if !s.Mode.Critiques() {
		t.Now = words.Result(c.Result)
	}
	for _, v := range c.Votes {
		if !slices.Contains(t.Rounds, v.Round) {
			t.Rounds = append(t.Rounds, v.Round)
		}
		n := len(t.Rows)
		if n == 0 || t.Rows[n-1].Seat != v.Seat {
			t.Rows, n = append(t.Rows, VoteRow{Seat: v.Seat, Name: text.Line(s.NameOf(v.Seat))}), n+1
		}
		row := &t.Rows[n-1]
		row.Cells = append(row.Cells, VoteCell{words.Vote(v, words.VoteLabel(v)), v.Side, v})
		if v.By != "" {
			row.By = words.By(v.By)
		}
	}
	if len(t.Rounds) > 1 {
		t.First = words.Result(verdict.FirstResult(s))
	}
	return t
}

// Within returns the table for so many columns: with first and newest round only, then with letters.
func (t VoteTable) Within(columns int) VoteTable {
	if n := len(t.Rounds); t.width() > columns && n > 2 {
		t.Rounds = []int{t.Rounds[0], t.Rounds[n-1]}
		t.Rows = slices.Clone(t.Rows)
		for i, row := range t.Rows {
			newest := t.overall(row)
			t.Rows[i].Cells = []VoteCell{row.Cells[0], newest}
			if newest.vote.Arrow == "" {
				t.Rows[i].By = ""
			}
		}
	}
	if t.width() > columns {
		t = t.lettered()
	}
	return t
}

// overall returns the newest cell of a row with the arrow that is due after its first one.
func (t VoteTable) overall(row VoteRow) VoteCell {
	newest := row.Cells[len(row.Cells)-1]
	first, v := row.Cells[0].vote, newest.vote
	v.Arrow = ""
	said := func(v debate.SeatVote) bool { return v.State == debate.VoteRead || v.State == debate.VoteUndecided }
	if said(first) && said(v) && t.words.VoteLabel(first) != t.words.VoteLabel(v) {
		for _, c := range row.Cells {
			if v.Arrow != debate.ArrowModel {
				v.Arrow = cmp.Or(c.vote.Arrow, v.Arrow)
			}
		}
	}
	return VoteCell{t.words.Vote(v, t.words.VoteLabel(v)), v.Side, v}
}

func (t VoteTable) width() int {
	widths := map[int]int{}
	for _, row := range t.Rows {
		widths[-1] = max(widths[-1], text.Width(row.Name))
		widths[-2] = max(widths[-2], text.Width(row.By))
		for i, c := range row.Cells {
			widths[i] = max(widths[i], text.Width(c.Text))
		}
	}
	sum := 0
	for _, w := range widths {
		sum += w + 2
	}
	return sum
}

func (t VoteTable) lettered() VoteTable {
	var sides []debate.Side
	t.Key, t.Rows = nil, slices.Clone(t.Rows)
	for i := range t.Rows {
		row := &t.Rows[i]
		row.Cells = slices.Clone(row.Cells)
		for j, c := range row.Cells {
			if c.vote.State != debate.VoteRead || c.vote.Value != nil {
				continue
			}
			at := slices.Index(sides, c.Side)
			if at < 0 {
				at, sides = len(sides), append(sides, c.Side)
				t.Key = append(t.Key, letter(at)+" "+text.Line(string(c.Side)))
			}
			row.Cells[j].Text = t.words.Vote(c.vote, letter(at))
		}
	}
	return t
}

func letter(n int) string { return string(rune('A' + n%26)) }

// Table returns the table with the results below it.
func (t VoteTable) Table() Table {
	if len(t.Rows) == 0 {
		return Table{Notes: []string{t.Spent}}
	}
	out := Table{Title: "Votes", Head: []string{"Seat"}}
	by := slices.ContainsFunc(t.Rows, func(r VoteRow) bool { return r.By != "" })
	for _, n := range t.Rounds {
		out.Head = append(out.Head, fmt.Sprintf("Round %d", n))
	}
	if by {
		out.Head = append(out.Head, "By")
	}
	for _, r := range t.Rows {
		row := []string{r.Name}
		for _, c := range r.Cells {
			row = append(row, c.Text)
		}
		if by {
			row = append(row, r.By)
		}
		out.row(row...)
	}
	out.Notes = slices.Concat(t.Key, t.Results())
	return out
}

// Results returns what the first votes and the last come to, and what it took, a line each.
func (t VoteTable) Results() []string {
	var out []string
	if t.First != "" {
		out = append(out, "First votes: "+t.First)
	}
	if t.Now != "" {
		out = append(out, "Now: "+t.Now)
	}
	return append(out, t.Spent)
}

func spentWords(s debate.Session, a debate.Spending) string {
	return text.Count(a.Calls, "call") + ", " + Spent(a.Usage, a.Cost, s.Speakers()...)
}

// Position is what a seat holds, as its newest vote says.
type Position struct {
	Seat       agents.ID
	Name, Role string
	Confidence *float64
	Text       string
}

// PositionsOfSide are the positions of the seats that hold a side.
type PositionsOfSide struct {
	Side string // in words; "" where nobody votes
	All  []Position
}

// Title heads the positions of a side.
func (p PositionsOfSide) Title() string { return text.Join(": ", "Positions", p.Side) }

// PositionsOf returns everybody's position by side, the side of most first.
func PositionsOf(s debate.Session, c debate.Counted) []PositionsOfSide {
	words := verdict.WordsOf(s, c)
	var out []PositionsOfSide
	add := func(side string, p Position) {
		i := slices.IndexFunc(out, func(o PositionsOfSide) bool { return o.Side == side })
		if i < 0 {
			i, out = len(out), append(out, PositionsOfSide{Side: side})
		}
		out[i].All = append(out[i].All, p)
	}
	for _, x := range verdict.NewestStatements(s) {
		p := Position{
			Seat: x.Turn.Agent, Name: text.Line(s.NameOf(x.Turn.Agent)), Role: x.Role,
			Confidence: x.Statement.Confidence, Text: x.Statement.Position,
		}
		side := ""
		if len(c.Votes) > 0 {
			side = "no vote"
		}
		for _, v := range c.Votes {
			if v.Seat == x.Turn.Agent && v.Round == x.Turn.Round {
				side = words.VoteLabel(v)
				if v.Side != debate.Undecided {
					side = words.Label(v.Side)
				}
			}
		}
		add(side, p)
	}
	slices.SortStableFunc(out, func(a, b PositionsOfSide) int { return len(b.All) - len(a.All) })
	return out
}
