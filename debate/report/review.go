package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Review is what a review found.
type Review struct {
	Findings []ReviewFinding // by severity, then by confirmations; without those of Refuted
	Refuted  []ReviewFinding
	None     string // says that there is no finding; "" if there is one
}

// ReviewFinding is a finding of a review in words.
type ReviewFinding struct {
	debate.ReviewFinding
	State string // such as "agreed, by one model"
	Where string // the first place that exists, else the first one, marked; or that there is none
	By    string // names of the seats that found it

	True, Untrue, Unsure int      // seats that judged it so; Unsure has those that did not judge it, too
	Judged               bool     // seats were asked to judge it
	Facts                []string // sentences about who found it and what the others say of it
	Quotes               []Quote
}

// Quote is a place of a finding with the lines that are there.
type Quote struct {
	Caption string // the place, and what is wrong with it
	Lines   string // with their numbers; "" if none are stored
}

// All returns the findings and then those that were refuted.
func (r Review) All() []ReviewFinding { return slices.Concat(r.Findings, r.Refuted) }

// RefutedTitle says how many findings were refuted; "" if none was.
func (r Review) RefutedTitle() string {
	if len(r.Refuted) == 0 {
		return ""
	}
	return text.Count(len(r.Refuted), "refuted finding")
}

// Head returns the finding in one line.
func (f ReviewFinding) Head() string {
	return strings.Join([]string{f.ID, string(f.Severity), f.State, f.Where, cmp.Or(f.Title, "no title")}, " · ")
}

// Heads returns findings in one line each.
func Heads(list []ReviewFinding) []string { return text.Each(list, ReviewFinding.Head) }

// Text returns the finding with why it is one and how to fix it.
func (f ReviewFinding) Text() string {
	parts := []string{f.Head(), f.Why}
	if f.Fix != "" {
		parts = append(parts, "Fix: "+f.Fix)
	}
	return text.Join("\n\n", parts...)
}

// reviewOf returns what was found; nil unless the debate is a review.
func reviewOf(s debate.Session, c debate.Counted) *Review {
	found := verdict.Review(s)
	if found == nil {
		return nil
	}
	var r Review
	for _, one := range found {
		switch f := findingOf(one, found, s); {
		case one.MergedInto != "":
		case one.State == debate.FindingRefuted:
			r.Refuted = append(r.Refuted, f)
		default:
			r.Findings = append(r.Findings, f)
		}
	}
	if len(r.Findings)+len(r.Refuted) == 0 {
		r.None = text.Sentence(verdict.WordsOf(s, c).Result(c.Result))
	}
	return &r
}

func findingOf(one debate.ReviewFinding, all []debate.ReviewFinding, s debate.Session) ReviewFinding {
	f := ReviewFinding{
		ReviewFinding: one, State: verdict.StateWords(one), Where: "no place stated", By: text.List(s.NamesOf(one.FoundBy)),
		Judged: len(one.Judgements) > 0 || len(s.History) >= debate.ReviewRounds,
	}
	if i := slices.IndexFunc(one.Places, func(p debate.CodePlace) bool { return !p.Absent }); i >= 0 {
		f.Where = one.Places[i].String()
		if times := one.Places[i].Times(); times != "" {
			f.Where += " (" + times + ")"
		}
	} else if len(one.Places) > 0 {
		f.Where = one.Places[0].String() + " (absent)"
	}
	f.Facts = append(f.Facts, foundBy(f, s))
	for _, x := range one.Reports {
		if x.Title != one.Title {
			f.Facts = append(f.Facts, fmt.Sprintf("%s calls it %q, %s.", s.NameOf(x.Agent), x.Title, x.Severity))
		}
	}
	yes, no := one.Opinions()
	f.True, f.Untrue = len(yes), len(no)
	var silent []agents.ID
	for _, p := range s.Seats {
		judged := slices.Contains(one.FoundBy, p.ID)
		for _, j := range one.Judgements {
			if j.Agent == p.ID {
				judged = true
				name := p.Name
				if j.Finding != one.ID { // that was merged into this one
					name += " of " + j.Finding
				}
				f.Facts = append(f.Facts, name+": "+j.Words())
			}
		}
		if f.Judged && !judged {
			silent = append(silent, p.ID)
		}
	}
	f.Unsure = max(len(s.Seats)-len(one.FoundBy)-f.True-f.Untrue, 0)
	if len(silent) > 0 {
		f.Facts = append(f.Facts, "Not judged by "+text.List(s.NamesOf(silent))+".")
	}
	for _, other := range all {
		if other.MergedInto == one.ID {
			f.Facts = append(f.Facts, fmt.Sprintf("%s, %q, was judged to be the same.", other.ID, other.Title))
		}
	}
	f.Quotes = append(f.Quotes, text.Each(one.Places, quoteOf)...)
	return f
}

func foundBy(f ReviewFinding, s debate.Session) string {
	var who []string
	for _, id := range f.FoundBy {
		name := s.NameOf(id)
		for _, x := range f.Reports {
			if x.Agent == id {
				name += " (" + string(x.Severity) + ")"
				break
			}
		}
		who = append(who, name)
	}
	return "Found by " + text.List(who) + "."
}

func quoteOf(p debate.CodePlace) Quote {
	q := Quote{Caption: p.String()}
	if p.Stated != "" && p.Stated != q.Caption {
		q.Caption += ", stated as " + p.Stated
	}
	if times := p.Times(); times != "" {
		q.Caption += ", " + times
	}
	switch {
	case p.Absent:
		q.Caption += ", where there are no lines"
	case p.Old:
		q.Caption += ", removed"
	}
	if p.Text == "" {
		q.Caption += "."
	} else {
		q.Caption += ":"
		q.Lines = text.NumberLines(text.CleanLines(p.Text)+"\n", max(cmp.Or(p.Line, p.Cited.From), 1))
	}
	return q
}
