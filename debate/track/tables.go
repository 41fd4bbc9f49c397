package track

import (
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/debate/stats"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// HowTo says how outcomes are said, for somebody who has said none. Key is the key for it.
func HowTo(key string) string {
	return fmt.Sprintf("Say how a verdict turned out, and this shows how often verdicts and models are right: "+
		"with %s on the list of debates or on a verdict, or with `roundtable outcome ID right`.", key)
}

// Tables returns what the track says besides its summary, for a screen or a terminal. Tables
// without a row are left out.
func (t Track) Tables() []report.Table {
	var out []report.Table
	for _, one := range []report.Table{
		counts("Verdicts by first votes", t.FirstVotes),
		counts("Verdicts by the share of the last votes for their side", t.Shares),
		counts("Verdicts by the confidence that the chair stated", t.Confidence),
		t.models(), t.estimates(), t.findings(),
	} {
		if len(one.Rows) > 0 {
			out = append(out, one)
		}
	}
	return out
}

// Notes returns how the figures are meant, and what is not in them.
func (t Track) Notes() []string {
	var out []string
	if t.settled() > 0 {
		out = append(out, fmt.Sprintf("A rate is told from %d on, with its 95%% interval (Wilson). Mixed and open outcomes are in none.",
			stats.LeastForRate))
	}
	if t.ByAssistants > 0 {
		out = append(out, fmt.Sprintf("%s said by an assistant, not by you.", was(t.ByAssistants, "outcome")))
	}
	if t.Demos > 0 {
		out = append(out, fmt.Sprintf("%s left out: %s answers are scripted.", was(t.Demos, "demo debate"),
			text.Inflect(t.Demos, "its", "their")))
	}
	return out
}

func was(n int, word string) string { return text.Count(n, word) + text.Inflect(n, " was", " were") }

func counts(title string, rows []Row) report.Table {
	t := report.Table{Title: title, Head: []string{"", "right", "rate", "besides"}}
	for _, r := range rows {
		if r.Right+r.Wrong+r.Mixed+r.Open+r.NoSide > 0 {
			t.Rows = append(t.Rows, []string{
				rowName(r.Name), ofAll(r.Right, r.Wrong), r.Rate.String(),
				besides(amount{r.Mixed, "mixed"}, amount{r.Open, "open"}, amount{r.NoSide, "no side"}),
			})
		}
	}
	return t
}

// rowName returns the name of a row in words.
func rowName(name string) string {
	if strings.Trim(name, "0123456789-") == "" {
		return name + "%"
	}
	return strings.ReplaceAll(name, "_", " ")
}

// String returns the rate with its interval; "" without one.
func (r *Rate) String() string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%.0f%% (%.0f-%.0f%%)", 100*r.Value, 100*r.Low, 100*r.High)
}

// amount is how many of something are not in a rate.
type amount struct {
	n    int
	word string
}

func besides(all ...amount) string {
	var out []string
	for _, a := range all {
		if a.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", a.n, a.word))
		}
	}
	return strings.Join(out, ", ")
}

func (t Track) models() report.Table {
	out := report.Table{
		Title: "First votes by model",
		Head:  []string{"", "right", "rate", "right against", "wrong with", "differs", "besides"},
	}
	for _, m := range t.Models {
		out.Rows = append(out.Rows, []string{
			text.Line(m.Model), ofAll(m.Right, m.Wrong), m.Rate.String(), fmt.Sprint(m.Against), fmt.Sprint(m.With),
			fmt.Sprintf("%d of %d", m.Differs, m.Of),
			besides(amount{m.Mixed, "mixed"}, amount{m.Open, "open"}, amount{m.Unknown, "not comparable"},
				amount{m.Divided, "divided"}, amount{m.NoSide, "no side"}),
		})
	}
	if len(out.Rows) > 0 {
		out.Notes = []string{"Against, with and differs are about the majority of the first votes. " +
			"A model in several seats of a debate counts once there, as the model that the seat had then."}
	}
	return out
}

func (t Track) estimates() report.Table {
	out := report.Table{Title: "Estimates", Head: []string{"", "outcome"}}
	for _, e := range t.Estimates.List {
		out.Rows = append(out.Rows, []string{e.Session + " " + text.Clip(text.Line(e.Name), 40), e.Outcome})
	}
	if e := t.Estimates; e.Error != nil {
		out.Notes = append(out.Notes, fmt.Sprintf("Off by %.0f%% in the middle (median). Inside the range: %d of %d.", *e.Error, e.Inside,
			e.Ranges))
	}
	return out
}

func (t Track) findings() report.Table {
	out := report.Table{Title: "Findings of reviews", Head: []string{"", "real", "false", "not said"}}
	for _, f := range t.Reviews.Findings {
		state := verdict.StateWords(debate.ReviewFinding{State: f.State})
		out.Rows = append(out.Rows, []string{state, fmt.Sprint(f.Real), fmt.Sprint(f.False), fmt.Sprint(f.Unsaid)})
	}
	return out
}
