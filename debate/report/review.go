package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Review is what a review found.
type Review struct {
	Findings []ReviewFinding // by severity, then by confirmations; without those of Refuted
	Refuted  []ReviewFinding
	Notes    []string // sentences about lists that are incomplete and judgements that are missing
}

// ReviewFinding is a finding of a review in words.
type ReviewFinding struct {
	debate.ReviewFinding
	State string // such as "confirmed, by one model"
	Where string // the first place, or that there is none
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

// reviewOf returns what a verdict says was found; nil unless it is of a review. Findings
// that were merged are facts of those that they were merged into.
func reviewOf(v debate.Verdict, s debate.Session) *Review {
	if v.Findings == nil {
		return nil
	}
	r := Review{Notes: reviewNotes(*v.Findings, s)}
	for _, one := range v.Findings.List {
		switch f := findingOf(one, *v.Findings, s); {
		case one.MergedInto != "":
		case one.State == debate.FindingRefuted:
			r.Refuted = append(r.Refuted, f)
		default:
			r.Findings = append(r.Findings, f)
		}
	}
	return &r
}

func reviewNotes(all debate.Findings, s debate.Session) []string {
	var notes []string
	if len(all.List) == 0 {
		notes = append(notes, "Nothing was found.")
	}
	if all.Unjudged {
		notes = append(notes, "No seat was asked to judge the findings: the review had one round.")
	}
	if n := len(all.Incomplete); n > 0 {
		notes = append(notes, fmt.Sprintf("Incomplete %s of findings, which %s cut off: %s.", text.Plural(n, "list"),
			text.Inflect(n, "was", "were"), text.List(s.NamesOf(all.Incomplete))))
	}
	if len(all.Unread) > 0 {
		notes = append(notes, fmt.Sprintf("Findings or judgements are missing or could not be read: %s.",
			text.List(s.NamesOf(all.Unread))))
	}
	return notes
}

func findingOf(one debate.ReviewFinding, all debate.Findings, s debate.Session) ReviewFinding {
	f := ReviewFinding{
		ReviewFinding: one, State: findingState(one), Where: "no place stated", By: text.List(s.NamesOf(one.FoundBy)),
		Judged: len(one.Judgements) > 0 || one.Round < 2 && !all.Unjudged,
	}
	if len(one.Places) > 0 {
		f.Where = one.Places[0].String()
	}
	f.Facts = append(f.Facts, foundBy(f, s))
	for _, x := range one.Reports {
		if x.Title != one.Title {
			f.Facts = append(f.Facts, fmt.Sprintf("%s calls it %q, %s.", s.NameOf(x.Agent), x.Title, x.Severity))
		}
	}
	var silent []agents.ID
	for _, p := range s.Seats {
		i := slices.IndexFunc(one.Judgements, func(j debate.SeatJudgement) bool { return j.Agent == p.ID })
		switch {
		case i >= 0:
			f.count(one.Judgements[i].True)
			f.Facts = append(f.Facts, judgementText(p.Name, one.Judgements[i]))
		case f.Judged && !slices.Contains(one.FoundBy, p.ID):
			f.Unsure++
			silent = append(silent, p.ID)
		}
	}
	if len(silent) > 0 {
		f.Facts = append(f.Facts, "Not judged by "+text.List(s.NamesOf(silent))+".")
	}
	for _, other := range all.List {
		if other.MergedInto == one.ID {
			f.Facts = append(f.Facts, fmt.Sprintf("%s, %q, was judged to be the same.", other.ID, other.Title))
		}
	}
	for _, p := range one.Places {
		f.Quotes = append(f.Quotes, quoteOf(p))
	}
	return f
}

func (f *ReviewFinding) count(o debate.Opinion) {
	switch o {
	case debate.OpinionYes:
		f.True++
	case debate.OpinionNo:
		f.Untrue++
	case debate.OpinionUnsure:
		f.Unsure++
	default:
		f.Unsure++
	}
}

func findingState(f debate.ReviewFinding) string {
	switch f.State {
	case debate.FindingConfirmed:
		if f.OneModel {
			return "confirmed, by one model"
		}
		return "confirmed"
	case debate.FindingDisputed:
		return "disputed"
	case debate.FindingRefuted:
		return "refuted"
	case debate.FindingOneSeat:
		return "one seat only"
	}
	return string(f.State)
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
	line := "Found by " + text.List(who)
	if !f.Judged && f.Round > 1 {
		line += fmt.Sprintf(", round %d, not judged", f.Round)
	}
	return line + "."
}

func judgementText(name string, j debate.SeatJudgement) string {
	line := name + " cannot tell"
	switch j.True {
	case debate.OpinionYes:
		line = name + ": true"
	case debate.OpinionNo:
		line = name + ": not true"
	case debate.OpinionUnsure:
	default:
		line = name + ": not stated"
	}
	switch j.WorthFixing {
	case debate.OpinionYes:
		line += ", worth fixing"
	case debate.OpinionNo:
		line += ", not worth fixing"
	case debate.OpinionUnsure:
	}
	if j.SameAs != "" {
		line += ", the same as " + j.SameAs
	}
	return strings.TrimSpace(line + ". " + text.Sentence(j.Why))
}

func quoteOf(p debate.CodePlace) Quote {
	q := Quote{Caption: p.String()}
	if p.Stated != "" && p.Stated != q.Caption {
		q.Caption += ", stated as " + p.Stated
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
		q.Lines = text.NumberLines(text.SanitizeLines(p.Text)+"\n", max(cmp.Or(p.Line, p.Cited.From), 1))
	}
	return q
}

// bestSeatLine says how many of the confirmed findings one seat alone would have had; "" if
// none is confirmed.
func bestSeatLine(f debate.Findings, s debate.Session) string {
	confirmed := 0
	for _, one := range f.List {
		if one.State == debate.FindingConfirmed && one.MergedInto == "" {
			confirmed++
		}
	}
	if confirmed == 0 || f.Best == "" {
		return ""
	}
	return fmt.Sprintf("The best single seat, %s, found %d of %s.", s.NameOf(f.Best), f.BestCount,
		text.Count(confirmed, "confirmed finding"))
}
