package verdict_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/text"
)

func sides(counts ...any) (out []debate.SideCount) {
	for i := 0; i < len(counts); i += 2 {
		out = append(out, debate.SideCount{Side: debate.Side(counts[i].(string)), Count: counts[i+1].(int)})
	}
	return out
}

func estimated(of, undecided int, numbers ...float64) debate.PanelResult {
	n := len(numbers)
	median := (numbers[(n-1)/2] + numbers[n/2]) / 2
	return debate.PanelResult{
		Kind: debate.KindEstimate, Of: of, Count: n, Undecided: undecided, Numbers: numbers, Unit: "weeks",
		Median: &median, Least: &numbers[0], Greatest: &numbers[n-1],
	}
}

func found(read int, counts debate.FindingCounts) debate.PanelResult {
	return debate.PanelResult{Kind: debate.KindFindings, Of: 3, Count: read, Findings: &counts}
}

// wordsOf returns the words of a result of a question.
func wordsOf(t testing.TB, question debate.QuestionKind, c debate.Counted, requests ...ledger.Request) verdict.Words {
	f := debatetest.New(t, "collaborative", 3, "Ada", "Bob", "Cleo")
	f.Question, f.Requests = question, requests
	f.Mode.Options = []string{"Postgres 17", "C++", "Only SQL", "C1", "Ship it!"}
	if c.Result.Kind == debate.KindRanking || c.Result.Due > 0 {
		f.Mode = debatetest.Mode(t, "council")
	}
	for _, n := range append(c.Result.Numbers, 0) {
		c.Votes = append(c.Votes, debate.SeatVote{Value: &n})
	}
	return verdict.WordsOf(f.Session, c)
}

func TestWords_ofEachResult(t *testing.T) {
	place := func(seat string, place, points int) debate.RankedSeat {
		return debate.RankedSeat{Seat: agents.ID(strings.ToLower(seat)), Place: place, Points: points}
	}
	for _, c := range []struct {
		want     string
		question debate.QuestionKind
		is       debate.PanelResult
	}{
		{"Yes, 2 of 3; no 1", "yes-no", debate.PanelResult{Kind: "side", Side: "yes", Count: 2, Of: 3, Sides: sides("yes", 2, "no", 1)}},
		{"No, 3 of 3", "yes-no", debate.PanelResult{Kind: "side", Side: "no", Count: 3, Of: 3, Sides: sides("no", 3)}},
		{
			"Split of 8: yes 3, no 1, undecided 2", "yes-no",
			debate.PanelResult{Kind: "split", Of: 8, Sides: sides("yes", 3, "no", 1), Undecided: 2},
		},
		{"No majority of 3: yes 1, undecided 1", "yes-no", debate.PanelResult{Kind: "no_majority", Of: 3, Sides: sides("yes", 1), Undecided: 1}},
		{"Undecided, 2 of 3; yes 1", "yes-no", debate.PanelResult{Kind: "undecided", Of: 3, Count: 2, Sides: sides("yes", 1), Undecided: 2}},
		{"No votes of 3", "yes-no", debate.PanelResult{Kind: "no_votes", Of: 3}},
		{"No vote in this mode", "yes-no", debate.PanelResult{Kind: "none"}},
		{"Median 6 weeks (4 to 9), 3 of 5; undecided 1", "estimate", estimated(5, 1, 4, 6, 9)},
		{"Median 6 weeks, 3 of 3", "estimate", estimated(3, 0, 6, 6, 6)},
		{"Median 2.5 weeks (2 to 3), 2 of 2", "estimate", estimated(2, 0, 2, 3)},
		{
			"No median of 5: 4, 9 weeks; undecided 1", "estimate",
			debate.PanelResult{Kind: "no_majority", Of: 5, Numbers: []float64{4, 9}, Unit: "weeks", Undecided: 1},
		},
		{"No median of 5: undecided 2", "estimate", debate.PanelResult{Kind: "no_majority", Of: 5, Undecided: 2}},
		{"Cleo first by points, 5 (Ada 4, Bob 0), 3 of 3", "open", debate.PanelResult{
			Kind: "ranking", Of: 3, Due: 3, Ballots: 3,
			Places: []debate.RankedSeat{place("Cleo", 1, 5), place("Ada", 2, 4), place("Bob", 3, 0)},
		}},
		{"Tie of Ada and Bob by points, 3 each", "open", debate.PanelResult{
			Kind: "ranking", Of: 3, Due: 3, Ballots: 3,
			Places: []debate.RankedSeat{place("Ada", 1, 3), place("Bob", 1, 3), place("Cleo", 3, 0)},
		}},
		{"No ranking, 1 of 5 ballots", "open", debate.PanelResult{Kind: "no_majority", Of: 5, Due: 5, Ballots: 1}},
		{"Only Cleo answered", "open", debate.PanelResult{Kind: "ranking", Of: 3, Due: 3, Ballots: 2, Places: []debate.RankedSeat{place("Cleo", 1, 0)}}},
		{
			"6 findings: 2 agreed, 1 disputed, 3 by one seat; 2 high", "open",
			found(3, debate.FindingCounts{Agreed: 2, Disputed: 1, Single: 3, Refuted: 4, High: 2}),
		},
		{"1 finding: 1 disputed", "open", found(1, debate.FindingCounts{Disputed: 1})},
		{"No findings", "open", found(1, debate.FindingCounts{})},
		{"No findings, 2 refuted", "open", found(2, debate.FindingCounts{Refuted: 2})},
		{"No findings read of 3", "open", found(0, debate.FindingCounts{})},
		{
			"Postgres 17, 2 of 3; “Ship it!” 1", "choice",
			debate.PanelResult{Kind: "side", Side: "Postgres 17", Count: 2, Of: 3, Sides: sides("Postgres 17", 2, "Ship it!", 1)},
		},
		{"C++, 2 of 3; “Only SQL” 1", "choice", debate.PanelResult{Kind: "side", Side: "C++", Count: 2, Of: 3, Sides: sides("C++", 2, "Only SQL", 1)}},
		{"Split of 2: “no idea” 1, “Wait for it” 1", "open", debate.PanelResult{Kind: "split", Of: 2, Sides: sides("no idea", 1, "Wait for it", 1)}},
	} {
		t.Run(c.want, func(t *testing.T) {
			if got := wordsOf(t, c.question, debate.Counted{Result: c.is}).Line().String(); got != c.want {
				t.Errorf("it reads\n%s", got)
			}
		})
	}
}

// allCautions has each caution once, the gravest first.
func allCautions() []debate.Caution {
	in := func(seat agents.ID, round int) debate.CautionItem {
		return debate.CautionItem{Seat: seat, Round: round}
	}
	return []debate.Caution{
		{ID: verdict.CautionUnanswered, Items: []debate.CautionItem{{ID: "C1", Word: "nobody knows"}, {ID: "C2"}}},
		{ID: verdict.CautionOpenQuestion, Items: []debate.CautionItem{{ID: "C3"}}},
		{ID: verdict.CautionUnreadAnswer, Items: []debate.CautionItem{{ID: "C4"}}},
		{ID: verdict.CautionOtherAuthor, Items: []debate.CautionItem{{ID: "C5", Word: "claude-code"}, {Word: "codex"}}},
		{ID: verdict.CautionNotEnded, Missing: true, Items: []debate.CautionItem{{Round: 1, Of: 3}}},
		{ID: verdict.CautionStopped, Missing: true, Items: []debate.CautionItem{{Round: 2, Of: 3, Within: true, Word: "budget"}}},
		{ID: verdict.CautionNoVote, Missing: true, Items: []debate.CautionItem{{Seat: "bob"}}},
		{ID: verdict.CautionUnreadableVote, Missing: true, Items: []debate.CautionItem{{Seat: "ada"}}},
		{ID: verdict.CautionStaleVote, Missing: true, Items: []debate.CautionItem{in("ada", 1), in("bob", 2)}},
		{ID: verdict.CautionCutPrompts, Items: []debate.CautionItem{in("ada", 2), {Seat: "bob", Round: 1, Word: "perhaps"}}},
		{ID: verdict.CautionReportCut, Items: []debate.CautionItem{{}}},
		{ID: verdict.CautionUnreadEvidence, Items: []debate.CautionItem{{Lines: 40}}},
		{ID: verdict.CautionMissedTurn, Items: []debate.CautionItem{in("cleo", 1)}},
		{ID: verdict.CautionSharedTool, Items: []debate.CautionItem{{Round: 1}}},
		{ID: verdict.CautionChangedModel, Items: []debate.CautionItem{{Seat: "ada"}}},
		{ID: verdict.CautionOneModel, Items: []debate.CautionItem{{Seat: "ada"}, {Seat: "bob"}}},
		{ID: verdict.CautionOneVoter, Items: []debate.CautionItem{{Seat: "ada"}}},
		{ID: verdict.CautionNarrow, Items: []debate.CautionItem{{}}},
		{ID: verdict.CautionNoQuestions, Items: []debate.CautionItem{{}}},
		{ID: verdict.CautionUnknownCitation, Items: []debate.CautionItem{{ID: "F9:1-3"}}},
		{ID: verdict.CautionBlind, Items: []debate.CautionItem{{Round: 1, Of: 3}}},
	}
}

func TestWords_ofEachCaution(t *testing.T) {
	want := []string{
		"C1 unanswered: nobody knows, C2 unanswered", "C3 open", "C4 answered, not read", "C5 by claude-code, the topic by codex",
		"not ended, after round 1 of 3", "stopped by the budget, in round 2 of 3", "no vote: Bob", "unreadable vote: Ada",
		"old vote: Ada in round 1, Bob in round 2", "prompt cut: Ada in round 2, Bob in round 1 (perhaps)", "the chair's prompt cut",
		"40 lines of evidence shown to no seat", "missed turn: Cleo in round 1", "a tool that may change something, shared by blind seats",
		"another model: Ada", "one model: Ada, Bob", "only voting seat: Ada", "no majority with one vote fewer", "no questions possible",
		"unknown citation: F9:1-3", "all agreed blind, after round 1 of 3",
	}
	w := wordsOf(t, "yes-no", debate.Counted{Result: debate.PanelResult{Kind: "no_votes", Of: 3}, Cautions: allCautions()})
	for i, got := range w.Cautions() {
		if got != want[i] || text.Width(got) > 80 {
			t.Errorf("caution %d reads %q, want %q", i, got, want[i])
		}
	}
}

func TestWords_lineHasAllParts(t *testing.T) {
	by := func(name string) ledger.Request {
		a := ledger.Answer{Revision: 1, Outcome: ledger.Answered, Content: "12", Author: ledger.Author{Kind: ledger.Assistant, Door: name}}
		return ledger.Request{
			ID: "C1", Priority: ledger.Required, State: ledger.Released, Answers: []ledger.Answer{a},
			Delivered: []ledger.Delivery{{Round: 2, Revision: 1}},
		}
	}
	gone := ledger.Request{ID: "C2", Priority: ledger.Required, State: ledger.Unanswered}
	late := ledger.Request{ID: "C3", Priority: ledger.Required, State: ledger.AfterVerdict}
	others := debate.Caution{ID: verdict.CautionOtherAuthor, Items: []debate.CautionItem{{ID: "C1", Word: "claude-code"}, {Word: "codex"}}}
	unanswered := func(ids ...string) debate.Caution {
		c := debate.Caution{ID: verdict.CautionUnanswered}
		for _, id := range ids {
			c.Items = append(c.Items, debate.CautionItem{ID: id})
		}
		return c
	}
	split := debate.PanelResult{Kind: "split", Of: 3, Sides: sides("yes", 1, "no", 1)}
	yes := debate.PanelResult{Kind: "side", Side: "yes", Count: 2, Of: 3, Sides: sides("yes", 2, "no", 1)}
	lacks := func(cautions ...debate.Caution) []debate.Caution {
		for i := range cautions {
			cautions[i].Missing, cautions[i].Items[0].Counted = true, true
		}
		return cautions
	}
	for _, c := range []struct {
		want     string
		is       debate.Counted
		requests []ledger.Request
	}{
		{"Demo · Yes, 2 of 3; no 1", debate.Counted{Result: yes, Demo: true}, nil},
		{
			"Yes, 2 of 3; no 1 · C1 by claude-code",
			debate.Counted{Result: yes, Cautions: []debate.Caution{others}},
			[]ledger.Request{by("claude-code")},
		},
		{
			"Yes, 2 of 3; no 1 · C2 unanswered",
			debate.Counted{Result: yes, Cautions: []debate.Caution{unanswered("C2"), others}},
			[]ledger.Request{by("claude-code"), gone},
		},
		{
			"Yes, 2 of 3; no 1 · C2 +1 unanswered",
			debate.Counted{Result: yes, Cautions: []debate.Caution{unanswered("C2", "C2", "C9")}},
			[]ledger.Request{gone, gone},
		},
		{
			"Yes, 2 of 3; no 1 · C1 by claude-code · C3 open",
			debate.Counted{Result: yes, Cautions: []debate.Caution{
				{ID: verdict.CautionOpenQuestion, Items: []debate.CautionItem{{ID: "C3"}}}, others,
			}},
			[]ledger.Request{by("claude-code"), late},
		},
		{
			"Yes, 2 of 3; no 1 · incomplete (no vote: Bob; 1 more) · was split; Cleo moved by C1 · C4 answered, not read",
			debate.Counted{Result: yes, Was: &split, Moved: []debate.Mover{{Seat: "cleo", By: "C1"}}, Cautions: append(
				[]debate.Caution{{ID: verdict.CautionUnreadAnswer, Items: []debate.CautionItem{{ID: "C4"}}}},
				lacks(debate.Caution{ID: verdict.CautionNoVote, Items: []debate.CautionItem{{Seat: "bob"}}},
					debate.Caution{ID: verdict.CautionMissedTurn, Items: []debate.CautionItem{{Seat: "ada", Round: 2}}})...)},
			nil,
		},
		{
			"Split of 3: yes 1, no 1 · was yes; Ada moved by Bob, Bob moved",
			debate.Counted{Result: split, Was: &yes, Moved: []debate.Mover{{Seat: "ada", By: "bob"}, {Seat: "bob", By: "?"}}},
			nil,
		},
		{
			"Split of 3: yes 1, no 1 · was yes; 3 moved",
			debate.Counted{Result: split, Was: &yes, Moved: []debate.Mover{{Seat: "ada"}, {Seat: "bob"}, {Seat: "cleo"}}},
			nil,
		},
	} {
		t.Run(c.want, func(t *testing.T) {
			if got := wordsOf(t, "yes-no", c.is, c.requests...).Line().String(); got != c.want {
				t.Errorf("it reads\n%s", got)
			}
		})
	}
}

// TestWords_fit60Columns fits the longest line of each kind.
func TestWords_fit60Columns(t *testing.T) {
	long := "a label of forty characters, neither mor"
	var eight []debate.SideCount
	for i := range 8 {
		eight = append(eight, debate.SideCount{Side: debate.Side(fmt.Sprint(i, long)), Count: 1})
	}
	numbers := []float64{-123456789.125, 2.5, 3, 4, 5, 6, 7, 1e15}
	var places []debate.RankedSeat
	var moved []debate.Mover
	for i := range 8 {
		seat := agents.ID(fmt.Sprint(i, " ", long))
		places, moved = append(places, debate.RankedSeat{Seat: seat, Place: i + 1, Points: 40 - i}), append(moved, debate.Mover{Seat: seat})
	}
	tie := append([]debate.RankedSeat(nil), places...)
	for i := range tie {
		tie[i].Place, tie[i].Points = 1, 20
	}
	all := allCautions()
	for _, c := range all {
		c.Items[0].Counted = c.Missing
	}
	all[8].Items = []debate.CautionItem{
		{Seat: agents.ID(long), Round: 1, Counted: true}, {Seat: agents.ID(long + "2"), Round: 1, Counted: true},
	}
	who := ledger.Request{ID: "C123", Priority: ledger.Required, State: ledger.AfterVerdict}
	for _, r := range []debate.PanelResult{
		{Kind: "side", Side: eight[0].Side, Count: 5, Of: 8, Sides: append(sides(string(eight[0].Side), 5), eight[1:4]...)},
		{Kind: "split", Of: 8, Sides: eight},
		{Kind: "undecided", Of: 8, Undecided: 5, Sides: eight[:3]},
		{Kind: "no_majority", Of: 8, Undecided: 3, Sides: eight[:1]},
		{Kind: "no_majority", Of: 17, Undecided: 3, Numbers: numbers, Unit: "a unit that is far too long"},
		estimated(8, 0, numbers...),
		{Kind: "ranking", Of: 8, Due: 8, Ballots: 8, Places: places},
		{Kind: "ranking", Of: 8, Due: 8, Ballots: 8, Places: tie},
		{Kind: "findings", Of: 8, Count: 8, Findings: &debate.FindingCounts{Agreed: 12, Disputed: 12, Single: 12, High: 36}},
		{Kind: "no_votes", Of: 8},
		{Kind: "none"},
	} {
		question := debate.QuestionOpen
		if len(r.Numbers) > 0 {
			question = debate.QuestionEstimate
		}
		c := debate.Counted{Result: r, Demo: true, Cautions: all, Was: &r, Moved: moved}
		w := wordsOf(t, question, c, who, who)
		if line := w.Line().Within(60); text.Width(line) > 60 {
			t.Errorf("%s: %d columns: %s", r.Kind, text.Width(line), line)
		}
		last := w.Line().String()
		for width := text.Width(last); width >= 60; width-- {
			line := w.Line().Within(width)
			if text.Width(line) > width || text.Width(line) > text.Width(last) {
				t.Fatalf("%s: of %d columns %d: %s", r.Kind, width, text.Width(line), line)
			}
			last = line
		}
	}
}

// A ranking without room names the first and two more.
func TestWords_numbersWithoutRoomAreThree(t *testing.T) {
	r := debate.PanelResult{Kind: "no_majority", Of: 9, Numbers: []float64{math.Copysign(0, -1), 9, 11, 17, 23, 31, 44, 58, 63}, Unit: "weeks"}
	line := wordsOf(t, "open", debate.Counted{Result: r}).Line()
	if got, want := line.Within(45), "No majority of 9: 0, 9, 11, 6 more weeks"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWords_aRankingWithoutRoomNamesThree(t *testing.T) {
	r := debate.PanelResult{Kind: "ranking", Of: 5, Due: 5, Ballots: 5}
	for i, seat := range []agents.ID{"Ada", "Bob", "Cleo", "Dee", "Eli"} {
		r.Places = append(r.Places, debate.RankedSeat{Seat: seat, Place: i + 1, Points: 20 - i})
	}
	line := wordsOf(t, "open", debate.Counted{Result: r}).Line()
	for width, want := range map[int]string{
		100: "Ada first by points, 20 (Bob 19, Cleo 18, Dee 17, Eli 16), 5 of 5",
		60:  "Ada first by points, 20 (Bob 19, Cleo 18, 2 more), 5 of 5",
	} {
		if got := line.Within(width); got != want {
			t.Errorf("%d columns: %s", width, got)
		}
	}
}
