// Package track folds how the verdicts of many debates turned out: how often they were right,
// and which model was.
//
// Everything here is a pure function of sessions. It imports debate/verdict for votes and sides,
// debate/report for tables and debate/stats for intervals; it reads no store and draws nothing.
package track

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/stats"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Track is how the verdicts of debates turned out.
type Track struct {
	Summary      string    `json:"summary"`     // in a sentence or two
	Verdicts     Count     `json:"verdicts"`    // all that can have a side
	FirstVotes   []Row     `json:"first_votes"` // by how the first votes were divided
	Shares       []Row     `json:"shares"`      // by the percentage of the last votes that its side had
	Confidence   []Row     `json:"confidence"`  // by the percentage that the chair stated
	Models       []Model   `json:"models"`
	Estimates    Estimates `json:"estimates"`
	Reviews      Reviews   `json:"reviews"`
	ByAssistants int       `json:"said_by_assistants"` // outcomes that no person said
	Demos        int       `json:"demos_left_out"`     // their answers are scripted
}

// Count counts verdicts by how they turned out. Only right and wrong ones are in the rate.
type Count struct {
	Right  int   `json:"right"`
	Wrong  int   `json:"wrong"`
	Mixed  int   `json:"mixed"`
	Open   int   `json:"open"`
	NoSide int   `json:"no_side"` // what was right is known, and the verdict took no side
	Rate   *Rate `json:"rate"`    // null under stats.LeastForRate
}

// Rate is a share with its Wilson interval at 95 %.
type Rate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Row is the count of some verdicts.
type Row struct {
	Name string `json:"name"`
	Count
}

// Model is how the first votes of a model turned out. The copies of a model in one debate are
// one.
type Model struct {
	Model   string `json:"model"`
	Right   int    `json:"right"`
	Wrong   int    `json:"wrong"`
	Rate    *Rate  `json:"rate"`
	Against int    `json:"right_against_majority"`
	With    int    `json:"wrong_with_majority"`
	Differs int    `json:"differs"`  // from the majority
	Of      int    `json:"compared"` // right or wrong where it is known whether it differs
	Mixed   int    `json:"mixed"`
	Open    int    `json:"open"`
	Unknown int    `json:"unknown"` // nobody has said whether its answer is what was right
	Divided int    `json:"divided"` // its copies took different sides
	NoSide  int    `json:"no_side"` // it spoke and took none
}

// Estimates are the debates about a figure.
type Estimates struct {
	Known  int        `json:"known"`
	Mixed  int        `json:"mixed"`
	Open   int        `json:"open"`
	Inside int        `json:"inside_range"`
	Ranges int        `json:"ranges"`        // of those that are known
	Error  *float64   `json:"error_percent"` // the median, without the sign; null if there is none
	List   []Estimate `json:"list"`
}

// Estimate is one debate about a figure that is known now.
type Estimate struct {
	Session string   `json:"session"`
	Name    string   `json:"name"`
	Error   *float64 `json:"error_percent"` // above 0: too high; null: the figure is 0, or there is no median
	Inside  *bool    `json:"inside_range"`  // null without a range
	Outcome string   `json:"outcome"`       // in words
}

// Reviews are the debates whose verdict is a list of findings.
type Reviews struct {
	Known    int        `json:"known"`
	Mixed    int        `json:"mixed"`
	Open     int        `json:"open"`
	Findings []Findings `json:"findings"` // by the state that the review gave them
}

// Findings counts the findings of a state in reviews of which something is known.
type Findings struct {
	State  debate.FindingState `json:"state"`
	Real   int                 `json:"real"`
	False  int                 `json:"false"`
	Unsaid int                 `json:"unsaid"`
}

// The divisions of first votes.
const (
	unanimous = "unanimous"
	majority  = "majority"
	split     = "split"
	other     = "other" // one voter, or no majority and no two sides
)

// notStated is the row of verdicts whose chair stated no confidence.
const notStated = "not_stated"

// Fold returns how the verdicts of sessions turned out. Debates of evaluations and those whose
// present verdict nobody has spoken of do not count, and neither does the scripted demo.
func Fold(sessions []debate.Session) Track {
	f := folding{cast: map[string]bool{}, models: map[string]*Model{}, findings: map[debate.FindingState]*Findings{}}
	f.FirstVotes = rows(unanimous, majority, split, other)
	f.Shares = rows("100", "75-99", "51-74")
	f.Confidence = rows("90-100", "75-89", "50-74", "0-49", notStated)
	sessions = slices.Clone(sessions)
	slices.SortStableFunc(sessions, func(a, b debate.Session) int {
		x, _ := a.Settled()
		y, _ := b.Settled()
		return cmp.Or(pending(x)-pending(y), y.At.Compare(x.At), strings.Compare(a.ID, b.ID))
	})
	for _, s := range sessions {
		f.add(s)
	}
	return f.close()
}

func rows(names ...string) []Row {
	out := make([]Row, len(names))
	for i, name := range names {
		out[i].Name = name
	}
	return out
}

// pending orders outcomes that say what was right before those that do not.
func pending(v debate.Settlement) int {
	if v.Result == debate.ResultOpen || v.Result == debate.ResultMixed {
		return 1
	}
	return 0
}

// folding is a track that is being made.
type folding struct {
	Track
	cast     map[string]bool // first votes that were counted
	models   map[string]*Model
	findings map[debate.FindingState]*Findings
	errors   []float64 // of estimates, without their sign
}

func (f *folding) add(s debate.Session) {
	v, ok := s.Settled()
	switch {
	case !ok || s.Eval != nil:
		return
	case s.Demo():
		f.Demos++
		return
	}
	if v.Author.Kind == ledger.Assistant {
		f.ByAssistants++
	}
	switch {
	case s.Verdict.Findings != nil:
		f.review(s, v)
	case s.Question == debate.QuestionEstimate:
		f.estimate(verdict.Recounted(s), v)
	default:
		s = verdict.Recounted(s)
		f.side(s, v)
		f.votes(s, v)
	}
}

// side counts a verdict that can have a side.
func (f *folding) side(s debate.Session, v debate.Settlement) {
	f.Verdicts.add(v.Result)
	at(f.FirstVotes, division(s.Verdict.Baseline)).add(v.Result)
	if s.Verdict.Side == nil {
		return
	}
	t := s.Verdict.Final
	switch share := float64(t.Votes[*s.Verdict.Side]) / float64(max(t.Voters, 1)); {
	case share >= 1:
		f.Shares[0].add(v.Result)
	case share >= 0.75:
		f.Shares[1].add(v.Result)
	default:
		f.Shares[2].add(v.Result)
	}
	switch c := s.Verdict.Confidence; {
	case c == nil:
		at(f.Confidence, notStated).add(v.Result)
	case *c >= 0.9:
		f.Confidence[0].add(v.Result)
	case *c >= 0.75:
		f.Confidence[1].add(v.Result)
	case *c >= 0.5:
		f.Confidence[2].add(v.Result)
	default:
		f.Confidence[3].add(v.Result)
	}
}

func at(rows []Row, name string) *Row {
	return &rows[slices.IndexFunc(rows, func(r Row) bool { return r.Name == name })]
}

// division says how votes were divided.
func division(t debate.Tally) string {
	switch {
	case t.Voters < 2:
		return other
	case t.Majority != debate.Undecided && t.Votes[t.Majority] == t.Voters:
		return unanimous
	case t.Majority != debate.Undecided:
		return majority
	case t.Split:
		return split
	}
	return other
}

func (c *Count) add(r debate.Result) {
	switch r {
	case debate.ResultRight:
		c.Right++
	case debate.ResultWrong:
		c.Wrong++
	case debate.ResultMixed:
		c.Mixed++
	case debate.ResultOpen:
		c.Open++
	case debate.ResultKnown:
		c.NoSide++
	case debate.ResultNone:
	}
}

// votes counts the first votes of a debate for the models that cast them. Those that a fork or
// an import has copied have the times of the original, and count once.
func (f *folding) votes(s debate.Session, v debate.Settlement) {
	cast := verdict.FirstVotes(s)
	var order []string
	taken, key := map[string][]debate.Side{}, s.Topic
	for _, one := range cast {
		name := modelOf(s.SpeakerOf(debate.ForMember, one.Turn))
		if _, ok := taken[name]; !ok {
			order = append(order, name)
		}
		taken[name] = append(taken[name], one.Side)
		if one.Began.IsZero() {
			key += "\n" + s.ID
		}
		key += fmt.Sprintf("\n%s %s %d", one.Turn.Agent, name, one.Began.UnixNano())
	}
	if f.cast[key] {
		return
	}
	f.cast[key] = true
	q := verdict.SidesOf(s)
	for _, name := range order {
		if f.models[name] == nil {
			f.models[name] = &Model{Model: name}
		}
		f.models[name].add(q, s.Verdict, v, taken[name])
	}
}

// modelOf names the model of a seat. Agents with a loop of their own all call theirs "default".
func modelOf(p agents.Profile) string {
	if p.Loop {
		return p.Provider + "/" + p.Model
	}
	return cmp.Or(p.Model, p.Provider)
}

// add counts the sides that the copies of a model took in a debate.
func (m *Model) add(q verdict.Sides, v *debate.Verdict, settled debate.Settlement, sides []debate.Side) {
	sides = slices.Compact(slices.Sorted(slices.Values(sides)))
	sides = slices.DeleteFunc(sides, func(side debate.Side) bool { return side == debate.Undecided })
	switch {
	case len(sides) == 0:
		m.NoSide++
		return
	case len(sides) > 1:
		m.Divided++
		return
	case settled.Result == debate.ResultMixed:
		m.Mixed++
		return
	case settled.Result == debate.ResultOpen:
		m.Open++
		return
	}
	right, known := isRight(q, v, settled, sides[0])
	switch {
	case !known:
		m.Unknown++
		return
	case right:
		m.Right++
	default:
		m.Wrong++
	}
	if v.Baseline.Majority == debate.Undecided {
		return
	}
	same, known := q.Compare(sides[0], v.Baseline.Majority)
	if !known {
		return
	}
	m.Of++
	switch {
	case !same && right:
		m.Differs++
		m.Against++
	case !same:
		m.Differs++
	case !right:
		m.With++
	}
}

// isRight reports whether a side is what was right; known is false if that cannot be said.
func isRight(q verdict.Sides, v *debate.Verdict, settled debate.Settlement, side debate.Side) (right, known bool) {
	if settled.Result == debate.ResultWrong && v.Side != nil && side == *v.Side {
		return false, true
	}
	if settled.Side == debate.Undecided {
		return false, false
	}
	return q.Compare(side, settled.Side)
}

func (f *folding) estimate(s debate.Session, v debate.Settlement) {
	e := &f.Estimates
	switch {
	case v.Result == debate.ResultOpen:
		e.Open++
		return
	case v.Actual == nil:
		e.Mixed++
		return
	}
	e.Known++
	one := Estimate{Session: s.ID, Name: s.Name(), Outcome: verdict.SettledPhrase(s, v)}
	if m := s.Verdict.Final.Median; m != nil {
		if percent, ok := verdict.EstimateError(*m, *v.Actual); ok {
			one.Error = &percent
			f.errors = append(f.errors, math.Abs(percent))
		}
		if inside, ok := verdict.InsideRange(*m, *v.Actual); ok {
			one.Inside = &inside
			e.Ranges++
			if inside {
				e.Inside++
			}
		}
	}
	e.List = append(e.List, one)
}

func (f *folding) review(s debate.Session, v debate.Settlement) {
	switch {
	case v.Result == debate.ResultOpen:
		f.Reviews.Open++
		return
	case v.Result == debate.ResultMixed:
		f.Reviews.Mixed++
		return
	}
	f.Reviews.Known++
	for _, found := range s.Verdict.Findings.List {
		count := f.findings[found.State]
		if count == nil {
			count = &Findings{State: found.State}
			f.findings[found.State] = count
		}
		if found.MergedInto != "" {
			continue
		}
		i := slices.IndexFunc(v.Findings, func(o debate.SettledFinding) bool { return o.ID == found.ID })
		switch {
		case i < 0:
			count.Unsaid++
		case v.Findings[i].Real:
			count.Real++
		default:
			count.False++
		}
	}
}

// close computes the rates and puts everything in order.
func (f *folding) close() Track {
	f.Verdicts.Rate = rate(f.Verdicts.Right, f.Verdicts.Wrong)
	for _, rows := range [][]Row{f.FirstVotes, f.Shares, f.Confidence} {
		for i := range rows {
			rows[i].Rate = rate(rows[i].Right, rows[i].Wrong)
		}
	}
	f.Models, f.Reviews.Findings = []Model{}, []Findings{}
	for _, m := range f.models {
		m.Rate = rate(m.Right, m.Wrong)
		f.Models = append(f.Models, *m)
	}
	slices.SortFunc(f.Models, func(a, b Model) int {
		return cmp.Or(b.Right+b.Wrong-a.Right-a.Wrong, b.Right-a.Right, strings.Compare(a.Model, b.Model))
	})
	for _, state := range []debate.FindingState{
		debate.FindingConfirmed, debate.FindingDisputed, debate.FindingOneSeat, debate.FindingRefuted,
	} {
		if count := f.findings[state]; count != nil {
			f.Reviews.Findings = append(f.Reviews.Findings, *count)
		}
	}
	if e := &f.Estimates; len(f.errors) > 0 {
		middle := median(f.errors)
		e.Error = &middle
	}
	if f.Estimates.List == nil {
		f.Estimates.List = []Estimate{}
	}
	f.Summary = f.summary()
	return f.Track
}

func rate(right, wrong int) *Rate {
	n := right + wrong
	if n < stats.LeastForRate {
		return nil
	}
	low, high := stats.Wilson(right, n)
	return &Rate{Value: float64(right) / float64(n), Low: low, High: high}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Empty reports whether nobody has said how a verdict turned out, not even that it is open.
func (t Track) Empty() bool {
	return t.settled()+t.Estimates.settled()+t.Reviews.settled()+t.open() == 0
}

func (t Track) settled() int {
	return t.Verdicts.Right + t.Verdicts.Wrong + t.Verdicts.Mixed + t.Verdicts.NoSide
}

func (t Track) open() int { return t.Verdicts.Open + t.Estimates.Open + t.Reviews.Open }

func (e Estimates) settled() int { return e.Known + e.Mixed }

func (r Reviews) settled() int { return r.Known + r.Mixed }

// summary says in sentences how the verdicts turned out.
func (t Track) summary() string {
	var out []string
	if n := t.settled(); n > 0 {
		words := fmt.Sprintf("%d settled: %d right", n, t.Verdicts.Right)
		for _, more := range []struct {
			n    int
			word string
		}{{t.Verdicts.Wrong, "wrong"}, {t.Verdicts.Mixed, "mixed"}, {t.Verdicts.NoSide, "without a side"}} {
			if more.n > 0 {
				words += fmt.Sprintf(", %d %s", more.n, more.word)
			}
		}
		out = append(out, words+".")
	}
	if u := at(t.FirstVotes, unanimous); u.Right+u.Wrong > 0 {
		out = append(out, fmt.Sprintf("Unanimous first votes: %s right.", ofAll(u.Right, u.Wrong)))
	}
	if n := t.Estimates.settled(); n > 0 {
		out = append(out, text.Count(n, "estimate")+" settled.")
	}
	if n := t.Reviews.settled(); n > 0 {
		out = append(out, text.Count(n, "review")+" settled.")
	}
	if len(out) == 0 {
		out = append(out, "No verdict has turned out yet.")
	}
	if n := t.open(); n > 0 {
		out = append(out, fmt.Sprintf("Still open: %d.", n))
	}
	return strings.Join(out, " ")
}

func ofAll(right, wrong int) string { return fmt.Sprintf("%d of %d", right, right+wrong) }
