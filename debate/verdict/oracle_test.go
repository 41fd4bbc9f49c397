package verdict_test

import (
	"encoding/json"
	"flag"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/must"
	"roundtable/internal/testing/oracle"
)

var panels = flag.Int("panels", 500, "how many generated panels are counted twice")

// TestCount_isThatOfTheOracle counts generated panels as the page says and compares.
func TestCount_isThatOfTheOracle(t *testing.T) {
	wrongOnce := []uint64{6093, 7859, 8598} // of 20,000
	for i := range *panels + len(wrongOnce) {
		seed := uint64(i + 1)
		if i >= *panels {
			seed = wrongOnce[i-*panels]
		}
		p := normalised(oracle.Generate(seed))
		switch p.Ended {
		case "chair":
			p.ReportCut = false
		case "signal", "crash", "hang": // such a debate waits to be resumed, or for its verdict
			p.Ended, p.ReportCut = "", false
			if s := sessionOf(t, p); len(s.History) == s.Rounds && !s.Current().Ended.IsZero() {
				p.Ended = "plan"
			}
		}
		s := sessionOf(t, p)
		got := wantOf(t, verdict.Count(s))
		expected := known(oracle.Judge(p), len(p.Turns) > 0)
		if p.Ended == "" { // a turn that has not come is not missed
			expected, got = unended(expected), unended(got)
		}
		if diff := cmp.Diff(expected, got, cmpopts.EquateEmpty(), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("seed %d, %s, %s, ended by %q (-oracle +count):\n%s", seed, p.Mode.Name, p.Question.Kind, p.Ended, diff)
		}
		for _, label := range labelsFor(p) {
			checkDemand(t, p, s, label)
		}
		if t.Failed() && testing.Short() {
			return
		}
	}
}

// normalised returns a panel without what the program does not tell apart: whether a turn that
// failed had been shown the evidence, judgements where there was nothing to judge, and in which of
// a seat's turns since its last vote a tool was called.
func normalised(p oracle.Panel) oracle.Panel {
	called := map[int][]string{} // by seat, since its last vote
	for i, turn := range p.Turns {
		called[turn.Seat] = append(called[turn.Seat], turn.Tools...)
		if turn.Phase == "vote" {
			p.Turns[i].Tools, called[turn.Seat] = called[turn.Seat], nil
		}
	}
	for i, turn := range p.Turns {
		if turn.State != "done" && p.Evidence > 0 {
			p.Turns[i].EvidenceCut = [][2]int{{1, p.Evidence}}
		}
		if p.Mode.Kind == "review" && turn.Round == 2 && turn.Judgements == nil && !slices.ContainsFunc(p.Turns, func(o oracle.Turn) bool {
			return o.Round == 1 && o.State == "done" &&
				slices.ContainsFunc(o.Findings, func(f oracle.Finding) bool { return !foundBy(p, f.Key, turn.Seat) })
		}) {
			p.Turns[i].Judgements = []oracle.Judgement{}
		}
	}
	return p
}

func foundBy(p oracle.Panel, key string, seat int) bool {
	return slices.ContainsFunc(p.Turns, func(o oracle.Turn) bool {
		return o.Seat == seat && o.State == "done" && slices.ContainsFunc(o.Findings, func(f oracle.Finding) bool { return f.Key == key })
	})
}

func labelsFor(p oracle.Panel) []string {
	switch {
	case p.Mode.Kind == "review":
		return []string{"clean", "no-agreed"}
	case p.Mode.Kind == "critique":
		return []string{verdict.CritiqueAnswered}
	case p.Question.Kind == "yes-no":
		return []string{"yes", "No."}
	case p.Question.Kind == "choice":
		return p.Question.Options[:2]
	case p.Question.Kind == "open":
		return []string{"redis", "a queue"}
	}
	return nil
}

func checkDemand(t *testing.T, p oracle.Panel, s debate.Session, label string) {
	cut := slices.ContainsFunc(verdict.Count(s).Cautions, func(c debate.Caution) bool { return c.ID == verdict.CautionCutPrompts })
	if verdict.CheckDemand(s, label) != nil || p.Ended == "" || p.Ended == "chair" || p.Mode.Kind == "review" && cut {
		return
	}
	for _, allow := range []bool{false, true} {
		d := verdict.Demand{Label: label, AllowUnanswered: allow}
		if allow {
			d.AllowUnread = []string{"*"}
		}
		got := verdict.Meets(s, d)
		if want := oracle.Require(p, label, allow, allow); got.Met != want {
			t.Errorf("seed %d, %s: %q is met: %v, of the oracle %v (%v, allow %v)", p.Seed, p.Mode.Name, label, got.Met, want, got.Reasons, allow)
		}
	}
}

// known returns what the oracle says, without what the program does not know yet.
func known(w oracle.Want, played bool) oracle.Want {
	w.Cautions = slices.DeleteFunc(w.Cautions, func(c oracle.Caution) bool {
		return c.ID == "unread_evidence" && !played
	})
	for _, r := range []*oracle.Result{&w.Result, w.Was} {
		if r != nil && r.Unit == "none" {
			r.Unit = "" // a bare count
		}
	}
	return w
}

// unended returns what is compared of a debate that has not ended.
func unended(w oracle.Want) oracle.Want {
	w.Cautions = slices.DeleteFunc(w.Cautions, func(c oracle.Caution) bool { return c.ID == "missed_turn" })
	w.More = 0
	return w
}

// wantOf returns a count in the form of the oracle, most of which is that of its JSON.
func wantOf(t *testing.T, c debate.Counted) (w oracle.Want) {
	cautions := c.Cautions
	c.Cautions = nil
	must.Do(t, json.Unmarshal(must.Get(json.Marshal(c))(t), &w))
	for i, v := range w.Votes {
		if v.State != string(debate.VoteRead) {
			w.Votes[i].Side = ""
		}
	}
	for _, k := range cautions {
		w.Cautions = append(w.Cautions, cautionOf(k))
		switch {
		case !k.Missing:
		case w.Gravest == "":
			w.Gravest = string(k.ID)
		default:
			w.More++
		}
	}
	if r := c.Result; r.Kind == debate.KindText {
		w.Result.Count, w.Result.Of, w.Result.Text = 0, 0, &oracle.Text{Which: "final", Seat: "ada", Critics: r.Count}
		switch {
		case r.Seat == "":
			w.Result.Text.Which = "none"
		case r.Draft:
			w.Result.Text.Which = "draft"
		}
	}
	return w
}

func cautionOf(k debate.Caution) oracle.Caution {
	out := oracle.Caution{ID: string(k.ID)}
	for _, i := range k.Items {
		switch k.ID {
		case verdict.CautionSharedTool, verdict.CautionNoQuestions, verdict.CautionBlind, verdict.CautionReportCut, verdict.CautionNarrow:
			out.Stands = true
		case verdict.CautionNotEnded:
			out.Rounds = append(out.Rounds, i.Round)
		case verdict.CautionStopped:
			out.Rounds, out.How = append(out.Rounds, max(i.Round, 1)), "after"
			if i.Within {
				out.How = "in"
			} else if i.Round == 0 {
				out.How = "before"
			}
		case verdict.CautionUnreadEvidence:
			out.Lines += i.Lines
		case verdict.CautionCutPrompts:
			out.Perhaps = append(out.Perhaps, i.Word == "perhaps")
			fallthrough
		default:
			if i.Seat != "" {
				out.Seats = append(out.Seats, string(i.Seat))
			}
			if i.Seat != "" && i.Round > 0 {
				out.Rounds = append(out.Rounds, i.Round)
			}
			if id := i.ID; id != "" {
				out.IDs = append(out.IDs, id)
			} else if i.Seat == agents.ID("") {
				out.IDs = append(out.IDs, "topic")
			}
		}
	}
	return out
}
