package report

import (
	"cmp"
	"fmt"
	"slices"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Conclusion is what a session comes to, in words. A surface lays it out and adds none.
type Conclusion struct {
	Counted   debate.Counted
	Line      debate.Line
	Settled   string // how the verdict turned out, such as "Outcome: right"; "" if that is not stored
	Author    Author
	Text      string   // the chair's, in Markdown
	Notes     []string // about it, and what of the evidence no seat was shown, in sentences
	Pick      *Pick    // the strongest single answer; nil without one
	Review    *Review
	Votes     VoteTable
	Table     Table // the votes and their results, or the places of a ranking
	Cautions  []string
	Positions []PositionsOfSide
	Cited     []Cited // citations of evidence
}

// Author names who wrote the chair's text. Cause says why the text is missing or not the newest.
type Author struct {
	Name, Model string
	Member      bool   // also a member of the panel
	After       string // such as "after round 2 of 3", where later rounds have begun; "" otherwise
	Cause       string // why there is no text, or no newer one, as a sentence
}

// Pick is the strongest single answer, whole and as it was given.
type Pick struct {
	Heading string
	Reason  string // why the chair picked it; "" for the first of a ranking
	Text    string // Markdown
}

func pickOf(s debate.Session, c debate.Counted, safe func(string) string) *Pick {
	id, reason := verdict.PickOf(s, c)
	for _, x := range verdict.NewestStatements(s) {
		if x.Turn.Agent == id {
			return &Pick{
				Heading: "Strongest single answer: " + text.Line(s.NameOf(id)), Reason: text.Line(reason),
				Text: safe(cmp.Or(x.Statement.Body, x.Statement.Position)),
			}
		}
	}
	return nil
}

// Conclude returns what a session comes to, with all text made safe, for a screen by [text.Sanitize].
func Conclude(s debate.Session, safe func(string) string) Conclusion {
	counted := verdict.Count(s)
	words := verdict.WordsOf(s, counted)
	c := Conclusion{
		Counted: counted, Line: words.Line(), Cautions: words.Cautions(), Votes: VotesOf(s, counted),
		Pick:   pickOf(s, counted, safe),
		Review: scrub(reviewOf(s, counted), safe), Positions: scrub(PositionsOf(s, counted), safe),
		Cited: scrub(citedOf(s), safe),
	}
	c.Table = c.tableOf(s)
	if s.Mode.Critiques() { // the text is what counts
		c.Positions = nil
	}
	if v := s.Report(); v != nil {
		c.Text = safe(v.Text)
		if line := verdict.SettledLine(s); line != "" {
			c.Settled = "Outcome: " + line
		}
		c.Notes = scrub(slices.Concat(v.Notes, coverageOf(s)), safe)
		c.Author = Author{Name: text.Line(v.ChairName), Model: text.Line(v.ChairModel), Member: v.ChairIsMember}
		if v.Round > 0 && v.Round < len(s.History) || s.Verdict == nil || s.Verdict.Text != v.Text {
			c.Author.After = fmt.Sprintf("after round %d of %d", v.Round, s.Rounds)
		}
	}
	if v := s.Verdict; v != nil && v.Cause != "" {
		c.Author.Cause = "No report: " + text.Line(text.Sentence(v.Cause))
		if v.OverBudget {
			c.Author.Cause += " A larger budget has it written."
		}
	}
	return c
}

// coverageOf lists the lines shown to no seat, and says why similar findings were not compared.
func coverageOf(s debate.Session) []string {
	out := verdict.CoverageSentences(s)
	if len(s.History) > 0 && s.History[0].Same != nil && s.History[0].Same.Ignored != "" {
		same := s.History[0].Same
		out = append(out, fmt.Sprintf("Findings are one by title and place alone: %s could not compare them (%s).", same.By, same.Ignored))
	}
	return out
}

// Byline names the author of the chair's text, with the reason if the text is missing or old.
func (c Conclusion) Byline() string {
	by := text.Join(" ", "Written", c.Author.After, "by", text.Join(", ", c.Author.Name, c.Author.Model))
	switch {
	case c.Author.Name == "":
		return cmp.Or(c.Author.Cause, "No chair wrote a report.")
	case c.Author.Member:
		by += ", a seat"
	}
	return text.Join(" ", c.Author.Cause, by+".")
}

// Lines returns the table of the votes, or of the ranking, as lines of text.
func (c Conclusion) Lines() []string {
	return append(text.Columns(c.Table.lines()), c.Table.Notes...)
}

// CautionsTitle is the heading of the cautions.
const CautionsTitle = "Missing and weak"

func (c Conclusion) tableOf(s debate.Session) Table {
	t := c.Votes.Table()
	if r := c.Counted.Result; len(r.Places) > 0 {
		t.Title, t.Head = "Ranking", []string{"Place", "Answer of", "Points", "First places"}
		for _, p := range r.Places {
			t.row(fmt.Sprint(p.Place), text.Line(s.NameOf(p.Seat)), fmt.Sprint(p.Points), fmt.Sprint(p.Firsts))
		}
	}
	if who, ok := s.Writer(); ok {
		t.Title, t.Head = "Concerns", []string{"Concern", "By", "What it is", "What " + text.Line(who.Name) + " did"}
		for _, x := range s.Concerns() {
			t.row(x.ID, text.Line(s.NameOf(x.By)), text.Line(x.Title), x.Does.Word())
		}
	}
	return t
}
