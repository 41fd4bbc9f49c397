package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate/stats"
	"roundtable/internal/text"
)

// Report is what an evaluation came to.
type Report struct {
	Name      string   `json:"name"`
	Mode      string   `json:"mode"`
	Facts     string   `json:"facts"`
	Baseline  string   `json:"baseline"`  // the seat that was named beforehand
	Summary   string   `json:"summary"`   // how panel, baseline and best seat compare
	Can       string   `json:"can_show"`  // what this number of questions can show
	Questions int      `json:"questions"` // that could be read
	Played    int      `json:"played"`    // to their end
	Bad       []BadRow `json:"unreadable"`
	Arms      []Arm    `json:"arms"`
	ToRight   int      `json:"to_right"`        // questions on which the vote of round 1 was wrong and the panel right
	ToWrong   int      `json:"to_wrong"`        // the other way around
	Effective *float64 `json:"effective_votes"` // independent seats that these are worth; null if that cannot be said
	Results   []Result `json:"results"`
}

// Arm is one way to answer all questions.
type Arm struct {
	Arm    string        `json:"arm"`
	Name   string        `json:"name"`
	Right  int           `json:"right"`
	Low    float64       `json:"low"` // Wilson interval at 95 %
	High   float64       `json:"high"`
	Better int           `json:"better"` // questions on which this arm was right and the baseline was not
	Worse  int           `json:"worse"`  // the other way around
	P      float64       `json:"p"`      // McNemar mid-p of these
	Grades map[Grade]int `json:"grades"`
}

// NewReport adds the figures of results to what is known of an evaluation beforehand.
func NewReport(r Report, seats []agents.Profile, results []Result) Report {
	r.Results, r.Played, r.Arms = results, len(results), []Arm{}
	r.Summary, r.Can = "No question has been played to its end.", CanShow(r.Questions)
	if r.Played == 0 {
		return r
	}
	for _, p := range seats {
		r.Arms = append(r.Arms, r.arm(string(p.ID), p.Name))
	}
	r.Summary, r.Can, r.Effective = r.summary(), CanShow(r.Played), r.effectiveVotes()
	r.Arms = append(r.Arms, r.arm(armVote, armVote))
	if pick := r.arm(armPick, armPick); pick.Grades[gradeMissing] < r.Played {
		r.Arms = append(r.Arms, pick)
	}
	r.Arms = append(r.Arms, r.arm(armPanel, armPanel))
	r.ToRight, r.ToWrong = r.differ(armPanel, armVote)
	return r
}

func (r Report) arm(id, name string) Arm {
	arm := Arm{Arm: id, Name: name, Grades: map[Grade]int{}}
	for _, one := range r.Results {
		arm.Grades[cmp.Or(one.Answers[id].Grade, gradeMissing)]++
	}
	arm.Right = arm.Grades[gradeRight]
	arm.Low, arm.High = stats.Wilson(arm.Right, r.Played)
	arm.Better, arm.Worse = r.differ(id, r.Baseline)
	arm.P = stats.McNemar(arm.Better, arm.Worse)
	return arm
}

func (r Report) differ(one, other string) (better, worse int) {
	for _, result := range r.Results {
		switch a, b := result.Answers[one].Grade == gradeRight, result.Answers[other].Grade == gradeRight; {
		case a && !b:
			better++
		case b && !a:
			worse++
		}
	}
	return better, worse
}

// effectiveVotes returns how many independent seats those of the panel are worth, by how far their
// errors correlate. It is nil under 20 questions, and if fewer than two pairs were right and wrong.
func (r Report) effectiveVotes() *float64 {
	total, pairs := 0.0, 0
	for i, a := range r.Arms {
		for _, b := range r.Arms[:i] {
			better, worse := r.differ(a.Arm, b.Arm)
			if phi, ok := stats.Phi(a.Right-better, better, worse, r.Played-a.Right-worse); ok {
				total, pairs = total+phi, pairs+1
			}
		}
	}
	if pairs < 2 || r.Played < 20 {
		return nil
	}
	worth := stats.EffectiveSeats(len(r.Arms), total/float64(pairs))
	return &worth
}

func (r Report) summary() string {
	panel, base := r.arm(armPanel, armPanel), r.Arms[slices.IndexFunc(r.Arms, func(a Arm) bool { return a.Arm == r.Baseline })]
	best := slices.MaxFunc(r.Arms, func(a, b Arm) int { return a.Right - b.Right })
	name, chosen := text.Line(base.Name), best.Right > base.Right
	s := fmt.Sprintf("The panel was right in %d of %d, %s (named beforehand) in %d", panel.Right, r.Played, name, base.Right)
	if chosen {
		s += fmt.Sprintf(", the best seat, chosen afterwards, in %d", best.Right)
	} else {
		s += ", and no other seat in more"
	}
	word := "better than"
	switch {
	case panel.P >= stats.Alpha:
		word = "no difference can be shown from"
	case panel.Better < panel.Worse:
		word = "worse than"
	}
	s += fmt.Sprintf(": %s %s (%d:%d, mid-p %s)", word, name, panel.Better, panel.Worse, pValue(panel.P))
	if !chosen {
		return s + "."
	}
	better, worse := r.differ(best.Arm, armPanel)
	word = map[int]string{-1: "less well", 0: "as well", 1: "better"}[cmp.Compare(better, worse)]
	return s + fmt.Sprintf("; the best seat alone did %s (%d:%d, mid-p %s).", word, better, worse, pValue(stats.McNemar(better, worse)))
}

// pValue formats a p-value so that it never seems to be on the other side of stats.Alpha.
func pValue(p float64) string {
	short := strconv.FormatFloat(p, 'f', 2, 64)
	switch {
	case p < 0.01:
		return "<0.01"
	case p < stats.Alpha && short == "0.05":
		return "<0.05"
	}
	return short
}

// CanShow says what a number of questions can show: how clearly one arm has to win those on
// which the two differ.
func CanShow(n int) string {
	var parts []string
	for _, differ := range slices.Compact([]int{n / 10, n / 5, 2 * n / 5, n}) {
		if won, ok := stats.Wins(differ); ok {
			parts = append(parts, fmt.Sprintf("on %d, from %d:%d", differ, won, differ-won))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("With %s no difference can be shown.", text.Count(n, "question"))
	}
	return fmt.Sprintf("With %s a difference is shown, if the two differ %s.", text.Count(n, "question"), strings.Join(parts, "; "))
}

// Text returns the report for people.
func (r Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", r.Summary, r.Can)
	fmt.Fprintf(&b, "%s, facts %s: %d of %s played to the end\n", r.Mode, r.Facts, r.Played, text.Count(r.Questions, "question"))
	rows := [][]string{{"", "right", "95 %", "better:worse", "mid-p", "undecided", "missing", "unreadable"}}
	for _, a := range r.Arms {
		versus, p := fmt.Sprintf("%d:%d", a.Better, a.Worse), pValue(a.P)
		if a.Arm == r.Baseline {
			versus, p = "baseline", ""
		}
		rows = append(rows, []string{
			text.Line(a.Name), fmt.Sprintf("%d of %d", a.Right, r.Played), fmt.Sprintf("%.0f-%.0f %%", 100*a.Low, 100*a.High), versus, p,
			fmt.Sprint(a.Grades[gradeUndecided]), fmt.Sprint(a.Grades[gradeMissing]), fmt.Sprint(a.Grades[gradeUnreadable]),
		})
	}
	if r.Played == 0 {
		return b.String()
	}
	for _, line := range text.Columns(rows) {
		b.WriteString("  " + line + "\n")
	}
	fmt.Fprintf(&b, "  Vote of round 1 to panel: %s wrong to right, %d right to wrong.\n", text.Count(r.ToRight, "question"), r.ToWrong)
	if r.Effective != nil {
		fmt.Fprintf(&b, "  The seats are worth %.2f independent ones.\n", *r.Effective)
	}
	return b.String()
}
