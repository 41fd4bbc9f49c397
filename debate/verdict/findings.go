package verdict

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

type report struct {
	debate.ReportedBySeat
	n      int // its number in the seat's list
	places []debate.CodePlace
	title  string // what is the same for all spellings
}

func (r report) ref() debate.FindingRef {
	return debate.FindingRef{Agent: r.Agent, N: r.n}
}

type defect struct {
	id      string
	reports []report
	into    *defect // the defect that two seats merged it into; itself if they did not
}

func (d defect) findersOf() []agents.ID {
	var out []agents.ID
	for _, r := range d.reports {
		if !slices.Contains(out, r.Agent) {
			out = append(out, r.Agent)
		}
	}
	return out
}

func reportsOf(s debate.Session) []report {
	var out []report
	at := newPlaces(s)
	for _, x := range responsesInPhase(s, s.History[0], "") {
		for i, f := range x.Statement.Findings {
			out = append(out, report{
				debate.ReportedBySeat{Agent: x.Turn.Agent, Finding: f}, i + 1, at.of(f.Where), labelKey(f.Title),
			})
		}
	}
	return out
}

// proposed reports whether two reports may be about the same defect by their places.
func proposed(a, b report) bool {
	return slices.ContainsFunc(a.places, func(p debate.CodePlace) bool {
		return slices.ContainsFunc(b.places, func(q debate.CodePlace) bool { return touch(p, q) })
	})
}

// sameTitle reports whether two reports have one title, at places that touch or where one names no lines.
// A place that does not exist confirms nothing.
func sameTitle(a, b report) bool {
	switch {
	case a.title != b.title:
		return false
	case proposed(a, b):
		return true
	case isAbsent(a) || isAbsent(b) || slices.ContainsFunc(a.places, hasLines) && slices.ContainsFunc(b.places, hasLines):
		return false
	}
	return !differentFiles(a, b)
}

func isAbsent(r report) bool {
	return len(r.places) > 0 && !slices.ContainsFunc(r.places, func(p debate.CodePlace) bool { return !p.Absent })
}

func differentFiles(a, b report) bool {
	known := func(p debate.CodePlace) bool { return p.File != "" }
	return slices.ContainsFunc(a.places, known) && slices.ContainsFunc(b.places, known) &&
		!slices.ContainsFunc(a.places, func(p debate.CodePlace) bool {
			return known(p) && slices.ContainsFunc(b.places, func(q debate.CodePlace) bool { return p.File == q.File })
		})
}

// merge puts reports into defects. Each is the same as every other of its defect: places make no chain.
func merge(reports []report, same func(a, b report) bool) (into []*defect) {
	for _, r := range reports {
		i := slices.IndexFunc(into, func(d *defect) bool {
			return !slices.ContainsFunc(d.reports, func(o report) bool { return !same(o, r) })
		})
		if i < 0 {
			i, into = len(into), append(into, &defect{id: "H" + strconv.Itoa(len(into)+1)})
		}
		into[i].reports = append(into[i].reports, r)
	}
	return into
}

// defectsOf returns the defects of a review: those of round 1, in which seats report blind.
func defectsOf(s debate.Session) []*defect {
	if !s.Mode.Reviews() || len(s.History) == 0 {
		return nil
	}
	return merge(reportsOf(s), sameBy(s.History[0].Same))
}

func byTitle(s debate.Session) []*defect { return merge(reportsOf(s), sameTitle) }

// sameBy compares reports by their titles, or by what a model said of those whose places touch.
func sameBy(said *debate.SameFindings) func(a, b report) bool {
	if said == nil {
		return sameTitle
	}
	group := map[debate.FindingRef]int{}
	for i, refs := range said.Groups {
		for _, ref := range refs {
			group[ref] = i + 1
		}
	}
	return func(a, b report) bool {
		return sameTitle(a, b) || group[a.ref()] != 0 && group[a.ref()] == group[b.ref()] && proposed(a, b)
	}
}

// Comparer returns who says which findings of round 1 are one defect, the light model or else the chair, and
// those whose places touch. A chair that is a member compares none of its own.
func Comparer(s debate.Session) (who agents.Profile, found []debate.ReviewFinding) {
	if !s.Mode.Reviews() || len(s.History) != 1 || s.Demo() {
		return who, nil
	}
	answered := s.History[0].Statements()
	switch {
	case s.Light != nil:
		who = *s.Light
	case s.Chair != nil:
		who = *s.Chair
	case len(answered) > 0:
		who, _ = s.Seat(answered[0].Turn.Agent)
	}
	all := slices.DeleteFunc(byTitle(s), func(d *defect) bool {
		return s.Light == nil && slices.Contains(d.findersOf(), who.ID)
	})
	for _, d := range all {
		if slices.ContainsFunc(all, func(o *defect) bool { return o != d && mayBeSame(*d, *o) }) {
			found = append(found, d.finding())
		}
	}
	return who, found
}

func mayBeSame(a, b defect) bool {
	return slices.ContainsFunc(a.reports, func(r report) bool {
		return slices.ContainsFunc(b.reports, func(o report) bool { return r.Agent != o.Agent && proposed(r, o) })
	})
}

// ReadSame reads groups of labels; an answer that puts different files together is ignored as a whole.
func ReadSame(s debate.Session, by agents.Profile, answer string) *debate.SameFindings {
	members, ok := statement.LastObject(answer, "groups")
	if !ok {
		return &debate.SameFindings{By: by.Name, Ignored: "it holds no groups"}
	}
	var groups []json.RawMessage
	_ = json.Unmarshal(members["groups"], &groups)
	out := &debate.SameFindings{By: by.Name}
	_, asked := Comparer(s)
	all := byTitle(s)
	for _, raw := range groups {
		var labels []string
		_ = json.Unmarshal(raw, &labels) // what is no list of labels names nothing
		var refs []debate.FindingRef
		var reports []report
		for _, label := range labels {
			id := strings.ToUpper(strings.Trim(label, " []()."))
			if i := slices.IndexFunc(asked, func(f debate.ReviewFinding) bool { return f.ID == id }); i >= 0 {
				asked, reports = slices.Delete(asked, i, i+1), append(reports, all[indexOf(all, id)].reports...)
			}
		}
		for i, r := range reports {
			if slices.ContainsFunc(reports[:i], func(o report) bool { return differentFiles(o, r) }) {
				return &debate.SameFindings{By: by.Name, Ignored: "it puts findings in different files together"}
			}
			refs = append(refs, r.ref())
		}
		if len(refs) > 1 {
			out.Groups = append(out.Groups, refs)
		}
	}
	return out
}

// FirstFindings returns the findings of round 1 by their ids, for the seats to judge.
func FirstFindings(s debate.Session) []debate.ReviewFinding {
	return text.Each(defectsOf(s), func(d *defect) debate.ReviewFinding { return d.finding() })
}

func (d defect) finding() debate.ReviewFinding {
	first := d.reports[0]
	f := debate.ReviewFinding{ID: d.id, State: debate.FindingSingle, Title: first.Title, FoundBy: d.findersOf()}
	if len(f.FoundBy) > 1 {
		f.State = debate.FindingAgreed
	}
	for _, r := range d.reports {
		f.Reports = append(f.Reports, r.ReportedBySeat)
		f.Why, f.Fix = cmp.Or(f.Why, r.Why), cmp.Or(f.Fix, r.Fix)
		for _, p := range r.places {
			if !slices.ContainsFunc(f.Places, func(q debate.CodePlace) bool { return p.String() == q.String() }) {
				f.Places = append(f.Places, p)
			}
		}
	}
	f.Severity = medianSeverity(f)
	return f
}

var severities = [...]debate.Severity{debate.SeverityHigh, debate.SeverityMedium, debate.SeverityLow}

func rank(v debate.Severity) int { return slices.Index(severities[:], v) }

// medianSeverity returns the median of the finders' first reports; of an even number the higher middle.
func medianSeverity(f debate.ReviewFinding) debate.Severity {
	var all []int
	for _, id := range f.FoundBy {
		i := slices.IndexFunc(f.Reports, func(r debate.ReportedBySeat) bool { return r.Agent == id })
		all = append(all, rank(f.Reports[i].Severity))
	}
	slices.Sort(all)
	return severities[max(0, all[(len(all)-1)/2])]
}

// Review returns the findings of a review, by severity and then by confirmations; nil for any other debate.
func Review(s debate.Session) []debate.ReviewFinding {
	if !s.Mode.Reviews() || len(s.History) == 0 {
		return nil
	}
	all := defectsOf(s)
	said := judgementsOf(s, all)
	joinSame(all, said)
	out := []debate.ReviewFinding{}
	for _, d := range all {
		whole := defect{id: d.id, reports: d.reports}
		for _, o := range all {
			if o.into == d && o != d {
				whole.reports = slices.Concat(whole.reports, o.reports)
			}
		}
		f := whole.finding()
		for _, j := range said {
			if on := all[indexOf(all, j.Finding)]; on == d || on.into == d {
				f.Judgements = append(f.Judgements, j)
			}
		}
		if d.into != d {
			f.MergedInto = d.into.id
		}
		f.State, f.OneModel = stateOf(s, f)
		out = append(out, f)
	}
	sortFindings(out)
	return out
}

// judgementsOf returns what seats say of others' findings; of two judgements the first.
func judgementsOf(s debate.Session, all []*defect) []debate.SeatJudgement {
	var out []debate.SeatJudgement
	if len(s.History) < debate.ReviewRounds {
		return nil
	}
	for _, x := range responsesInPhase(s, s.History[debate.ReviewRounds-1], "") {
		for _, j := range x.Statement.Judgements {
			i := indexOf(all, j.Finding)
			if i >= 0 && !slices.Contains(all[i].findersOf(), x.Turn.Agent) && !slices.ContainsFunc(out, func(o debate.SeatJudgement) bool {
				return o.Agent == x.Turn.Agent && o.Finding == j.Finding
			}) {
				out = append(out, debate.SeatJudgement{Agent: x.Turn.Agent, Judgement: j})
			}
		}
	}
	return out
}

// joinSame merges findings that two seats say are the same into the first of them.
func joinSame(all []*defect, said []debate.SeatJudgement) {
	by := map[[2]int][]agents.ID{}
	for _, j := range said {
		a, b := indexOf(all, j.Finding), indexOf(all, j.SameAs)
		if pair := [2]int{min(a, b), max(a, b)}; a >= 0 && b >= 0 && a != b && !slices.Contains(by[pair], j.Agent) {
			by[pair] = append(by[pair], j.Agent)
		}
	}
	for _, d := range all {
		d.into = d
	}
	for a := range all {
		for b := a + 1; b < len(all); b++ {
			if len(by[[2]int{a, b}]) < 2 {
				continue
			}
			one, other := indexOf(all, all[a].into.id), indexOf(all, all[b].into.id)
			for _, d := range all {
				if d.into == all[max(one, other)] {
					d.into = all[min(one, other)]
				}
			}
		}
	}
}

func indexOf(all []*defect, id string) int {
	return slices.IndexFunc(all, func(d *defect) bool { return d.id == id })
}

func stateOf(s debate.Session, f debate.ReviewFinding) (state debate.FindingState, oneModel bool) {
	yes, no := f.Opinions()
	switch with := len(f.FoundBy) + len(yes); {
	case len(no) == 0 && with >= 2:
		return debate.FindingAgreed, areOneModel(s, slices.Concat(f.FoundBy, yes))
	case len(no) == 0:
		return debate.FindingSingle, false
	case with >= 2 || len(no) == 1:
		return debate.FindingDisputed, false
	}
	return debate.FindingRefuted, false
}

func sortFindings(list []debate.ReviewFinding) {
	confirmations := func(f debate.ReviewFinding) int {
		yes, _ := f.Opinions()
		return len(f.FoundBy) + len(yes)
	}
	merged := func(f debate.ReviewFinding) int { return min(len(f.MergedInto), 1) }
	slices.SortStableFunc(list, func(a, b debate.ReviewFinding) int {
		return cmp.Or(merged(a)-merged(b), rank(a.Severity)-rank(b.Severity), confirmations(b)-confirmations(a))
	})
}

func seatsWhere(s debate.Session, holds func(agents.ID) bool) []agents.ID {
	return slices.DeleteFunc(s.SeatIDs(), func(id agents.ID) bool { return !holds(id) })
}

// FindingLines says of each finding of a review what came of it and who says so.
func FindingLines(s debate.Session) []string {
	var out []string
	for _, f := range Review(s) {
		if f.MergedInto != "" {
			out = append(out, fmt.Sprintf("%s is the same as %s.", f.ID, f.MergedInto))
			continue
		}
		line := fmt.Sprintf("%s, %s, %s: %s", f.ID, f.Severity, StateWords(f), f.Title)
		if len(f.Places) > 0 {
			line += " (" + f.Places[0].String() + ")"
		}
		yes, no := f.Opinions()
		line += text.Join("; true, say ", "; found by "+text.List(s.NamesOf(f.FoundBy)), text.List(s.NamesOf(yes)))
		line = text.Join("; not true, say ", line, text.List(s.NamesOf(no)))
		out = append(out, line+".")
	}
	return out
}
