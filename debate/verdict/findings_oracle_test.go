package verdict_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

// oracleReview is a review that is made up, and what it has to come to. Findings of a place
// number are within three lines of each other, and far from those of any other number.
type oracleReview struct {
	*rand.Rand
	f       *debatetest.Scenario
	defects []*oracleDefect
	said    map[string]map[agents.ID]debate.Judgement // by finding; the first of each seat
	unread  map[agents.ID]bool
	cut     map[agents.ID]bool
}

type oracleDefect struct {
	id, title string // as it was first written
	defect    string // the title without its spelling
	place     int
	reports   []oracleReport
	group     int // of findings that are the same, by the number of the first of them
}

type oracleReport struct {
	seat     agents.ID
	severity debate.Severity
}

// outcome is what is compared of a finding.
type outcome struct {
	ID, Title, Into string
	State           debate.FindingState
	Severity        debate.Severity
	OneModel        bool
	Found, Yes, No  []agents.ID
}

var oracleSeverities = []debate.Severity{debate.SeverityHigh, debate.SeverityMedium, debate.SeverityLow}

const (
	absentPlace = -1
	placeLines  = 20
	places      = 4 // in each of two files
)

func TestFindings_countsRandomReviewsAsAnOracleDoes(t *testing.T) {
	for seed := range uint64(500) {
		o := newOracleReview(t, seed)
		o.find(1)
		o.f.EndRound()
		o.find(2)
		o.f.EndRound()
		o.merge()
		var got []outcome
		for _, x := range verdict.Review(o.f.Session).List {
			yes, no := x.Opinions()
			got = append(got, outcome{
				x.ID, x.Title, x.MergedInto, x.State, x.Severity, x.OneModel,
				slices.Sorted(slices.Values(x.FoundBy)), slices.Sorted(slices.Values(yes)), slices.Sorted(slices.Values(no)),
			})
		}
		want := o.outcomes()
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
		o.checkRest(t, seed, want)
	}
}

func (o *oracleReview) checkRest(t *testing.T, seed uint64, want []outcome) {
	t.Helper()
	var counts debate.FindingCounts
	for _, x := range want {
		n := map[debate.FindingState]*int{
			debate.FindingAgreed: &counts.Agreed, debate.FindingDisputed: &counts.Disputed, debate.FindingSingle: &counts.Single,
			debate.FindingRefuted: &counts.Refuted,
		}[x.State]
		if x.Into != "" {
			continue
		}
		*n++
		if x.State != debate.FindingRefuted && x.Severity == debate.SeverityHigh {
			counts.High++
		}
	}
	c := verdict.Count(o.f.Session)
	if *c.Result.Findings != counts {
		t.Fatalf("seed %d: %+v, want %+v", seed, *c.Result.Findings, counts)
	}
	unread := map[agents.ID]bool{}
	for _, k := range c.Cautions {
		for _, i := range k.Items {
			unread[i.Seat] = unread[i.Seat] || k.ID == verdict.CautionUnreadableVote || k.ID == verdict.CautionMissedTurn
		}
	}
	for _, p := range o.f.Seats {
		if want := o.unread[p.ID] || o.cut[p.ID]; unread[p.ID] != want {
			t.Fatalf("seed %d: lists of %s are missing is %v, want %v", seed, p.ID, unread[p.ID], want)
		}
	}
}

func newOracleReview(t *testing.T, seed uint64) *oracleReview {
	r := rand.New(rand.NewPCG(seed, 7))
	names := []string{"Ada", "Brook", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal"}[:2+r.IntN(7)]
	o := &oracleReview{
		Rand: r, f: debatetest.New(t, "review", 2, names...), said: map[string]map[agents.ID]debate.Judgement{},
		unread: map[agents.ID]bool{}, cut: map[agents.ID]bool{},
	}
	for i := range o.f.Seats {
		o.f.Seats[i].Model = fmt.Sprint("m", r.IntN(1+int(seed%4)))
	}
	o.f.Bring(debate.NewEvidence("pr.diff", debate.EvidenceDiff, addedFiles("a.go", "b.go"), ""))
	return o
}

// addedFiles is a diff that adds files, each with all its places.
func addedFiles(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		n := places * placeLines
		fmt.Fprintf(&b, "--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n", name, n)
		for i := range n {
			fmt.Fprintf(&b, "+line %d of %s\n", i+1, name)
		}
	}
	return b.String()
}

// where writes a place in one of the forms that seats use.
func (o *oracleReview) where(place int) string {
	if place == absentPlace {
		return fmt.Sprintf("gone.go:%d", 1+o.IntN(5))
	}
	file, line := place/places, place%places*placeLines+5+o.IntN(4)
	name := []string{"a.go", "b.go"}[file]
	cited := file*(places*placeLines+3) + 3 + line
	return []string{
		fmt.Sprintf("F1:%d", cited), fmt.Sprintf("[F1:%d-%d]", cited, cited),
		fmt.Sprintf("%s:%d", name, line), fmt.Sprintf("b/%s, line %d", name, line),
	}[o.IntN(4)]
}

// find has every seat speak in a round, and counts what it reports as far as it can be read.
func (o *oracleReview) find(round int) {
	o.f.BeginRound("")
	first := slices.Clone(o.defects) // of round 1, when it is round 2
	for _, p := range o.f.Seats {
		switch o.IntN(12) {
		case 0:
			o.f.FailTurn(p.ID)
			o.unread[p.ID] = true
			continue
		case 1:
			o.f.Say(p.ID, "I see nothing that I could put into a list.")
			others := slices.ContainsFunc(first, func(d *oracleDefect) bool { return !d.foundBy(p.ID) })
			if round == 1 || others {
				o.unread[p.ID] = true
			}
			continue
		}
		o.f.Say(p.ID, o.statement(p.ID, round, first))
	}
}

// statement returns what a seat says, and notes it.
func (o *oracleReview) statement(seat agents.ID, round int, first []*oracleDefect) string {
	judgements := ""
	if round == 2 {
		judgements = `, "judgements": ` + o.judge(seat, first)
	}
	var list []string
	for range o.IntN(5) {
		place := o.IntN(2*places+1) - 1
		title := fmt.Sprintf("Defect %d", o.IntN(3))
		written := []string{title, strings.ToUpper(title), title + ".", strings.Replace(title, " ", "  ", 1)}[o.IntN(4)]
		severity := oracleSeverities[o.IntN(3)]
		list = append(list, fmt.Sprintf(`{"title": %q, "where": %q, "severity": %q, "why": "So."}`, written, o.where(place), severity))
		if round == 1 { // what is reported later counts for nothing
			o.report(seat, place, written, title, severity)
		}
	}
	start := "So.\n\n```json\n{\"position\": \"It has defects.\", \"confidence\": 0.5" + judgements + `, "findings": [` + strings.Join(list, ", ")
	if len(list) > 0 && o.IntN(10) == 0 { // the last one is cut off
		o.cut[seat] = true
		return start + `, {"title": "Anoth`
	}
	return start + "]}\n```"
}

func (o *oracleReview) report(seat agents.ID, place int, written, title string, severity debate.Severity) {
	r := oracleReport{seat, severity}
	for _, d := range o.defects {
		if place != absentPlace && d.place == place && d.defect == title {
			d.reports = append(d.reports, r)
			return
		}
	}
	o.defects = append(o.defects, &oracleDefect{
		id: fmt.Sprint("H", len(o.defects)+1), title: written, defect: title, place: place,
		reports: []oracleReport{r}, group: len(o.defects),
	})
}

func (d *oracleDefect) foundBy(seat agents.ID) bool {
	return slices.ContainsFunc(d.reports, func(r oracleReport) bool { return r.seat == seat })
}

// judge returns a list of judgements, some of them of nothing or of a seat's own.
func (o *oracleReview) judge(seat agents.ID, first []*oracleDefect) string {
	list := []debate.Judgement{}
	for range first {
		j := debate.Judgement{
			Finding: fmt.Sprint("H", 1+o.IntN(len(first)+1)), Why: "So.",
			True: []debate.Opinion{debate.OpinionYes, debate.OpinionYes, debate.OpinionNo, debate.OpinionUnsure, ""}[o.IntN(5)],
		}
		if o.IntN(4) == 0 {
			j.SameAs = fmt.Sprint("H", 1+o.IntN(min(len(first), 4)+1))
		}
		list = append(list, j)
		if !slices.ContainsFunc(first, func(d *oracleDefect) bool { return d.id == j.Finding && !d.foundBy(seat) }) {
			continue
		}
		if o.said[j.Finding] == nil {
			o.said[j.Finding] = map[agents.ID]debate.Judgement{}
		}
		if _, before := o.said[j.Finding][seat]; !before {
			o.said[j.Finding][seat] = j
		}
	}
	raw, _ := json.Marshal(list)
	return string(raw)
}

// merge joins findings that two seats say are the same.
func (o *oracleReview) merge() {
	for i, a := range o.defects {
		for _, b := range o.defects[i+1:] {
			says := map[agents.ID]bool{}
			for seat, j := range o.said[a.id] {
				says[seat] = says[seat] || j.SameAs == b.id
			}
			for seat, j := range o.said[b.id] {
				says[seat] = says[seat] || j.SameAs == a.id
			}
			maps.DeleteFunc(says, func(_ agents.ID, same bool) bool { return !same })
			if len(says) < 2 {
				continue
			}
			from, to := max(a.group, b.group), min(a.group, b.group)
			for _, d := range o.defects {
				if d.group == from {
					d.group = to
				}
			}
		}
	}
}

// outcomes returns what the findings have to come to, in their order.
func (o *oracleReview) outcomes() []outcome {
	var out []outcome
	for i, d := range o.defects {
		about := []*oracleDefect{d}
		x := outcome{ID: d.id, Title: d.title}
		if d.group == i {
			for _, other := range o.defects[i+1:] {
				if other.group == i {
					about = append(about, other)
				}
			}
		} else {
			x.Into = o.defects[d.group].id
		}
		grades, says := map[agents.ID]int{}, map[agents.ID]map[debate.Opinion]bool{}
		for _, one := range about {
			for _, r := range one.reports {
				if _, known := grades[r.seat]; !known {
					grades[r.seat] = slices.Index(oracleSeverities, r.severity)
				}
			}
			for seat, j := range o.said[one.id] {
				if says[seat] == nil {
					says[seat] = map[debate.Opinion]bool{}
				}
				says[seat][j.True] = true
			}
		}
		for seat, s := range says {
			_, own := grades[seat]
			switch {
			case own || s[debate.OpinionYes] == s[debate.OpinionNo]:
			case s[debate.OpinionYes]:
				x.Yes = append(x.Yes, seat)
			default:
				x.No = append(x.No, seat)
			}
		}
		x.Found = slices.Sorted(maps.Keys(grades))
		slices.Sort(x.Yes)
		slices.Sort(x.No)
		sorted := slices.Sorted(maps.Values(grades))
		x.Severity = oracleSeverities[sorted[(len(sorted)-1)/2]]
		x.State, x.OneModel = o.state(x)
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b outcome) int {
		merged := func(x outcome) int { return len(x.Into[:min(1, len(x.Into))]) }
		return cmp.Or(merged(a)-merged(b), slices.Index(oracleSeverities, a.Severity)-slices.Index(oracleSeverities, b.Severity),
			len(b.Found)+len(b.Yes)-len(a.Found)-len(a.Yes))
	})
	return out
}

func (o *oracleReview) state(x outcome) (debate.FindingState, bool) {
	f, y, n := len(x.Found), len(x.Yes), len(x.No)
	switch {
	case f+y >= 2 && n == 0:
		models := map[string]bool{}
		for _, p := range o.f.Seats {
			if slices.Contains(x.Found, p.ID) || slices.Contains(x.Yes, p.ID) {
				models[p.Model] = true
			}
		}
		return debate.FindingAgreed, len(models) == 1
	case n >= 1 && (f+y >= 2 || n == 1):
		return debate.FindingDisputed, false
	case f == 1 && y == 0 && n >= 2:
		return debate.FindingRefuted, false
	}
	return debate.FindingSingle, false
}
