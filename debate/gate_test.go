package debate_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

func TestOpenRequests_listsRequiredOnesFirst(t *testing.T) {
	f := debatetest.New(t, "collaborative", 2, "Ada", "Brook")
	f.BeginRound("")
	f.Ask("ada", ledger.Question{Query: "Is there a date?", Priority: ledger.Optional})
	f.Ask("ada", ledger.Question{Query: "Answered."})
	f.Ask("brook", ledger.Question{Query: "How many?"})
	f.Ask("brook", ledger.Question{Query: "Who decides?"})
	f.EndRound()
	f.Answer(ledger.Submission{Request: "C2", Outcome: ledger.Answered, Content: "Yes."})
	var ids []string
	for _, r := range f.OpenRequests() {
		ids = append(ids, r.ID)
	}
	if diff := cmp.Diff([]string{"C3", "C4", "C1"}, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBegin_refusesWhileRequiredQuestionsAreOpen(t *testing.T) { // R1, R2
	f := debatetest.New(t, "collaborative", 2, "Ada", "Brook", "Cy")
	f.BeginRound("")
	f.Ask("ada", ledger.Question{Query: "How many?"})
	f.Ask("brook", ledger.Question{Query: "how many"})
	f.Ask("cy", ledger.Question{Query: "Is there a date?", Priority: ledger.Optional})
	f.Ask("cy", ledger.Question{Query: "Who decides?"})
	f.Ask("cy", ledger.Question{Query: "Answered."})
	f.EndRound()
	f.Answer(ledger.Submission{Request: "C4", Outcome: ledger.Answered, Content: "Yes."})
	_, release, err := f.Begin(debate.Focus{})
	var blocked *debate.BlockedError
	if !errors.As(err, &blocked) || len(blocked.Requests) != 2 || blocked.Session != "k7m2" || blocked.Round != 2 {
		t.Fatalf("err = %#v, want a BlockedError with two requests", err)
	}
	if release != nil {
		t.Errorf("it releases %+v all the same", release)
	}
	for _, want := range []string{"round 2", "[C1]", "ada, brook", "How many?", "[C3]", "cy", "Who decides?"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the refusal does not name %s:\n%v", want, err)
		}
	}
	for _, no := range []string{"C2", "C4"} {
		if strings.Contains(err.Error(), no) {
			t.Errorf("the refusal names %s, which does not block:\n%v", no, err)
		}
	}
	if diff := cmp.Diff(blocked.Requests, f.Unanswered()); diff != "" {
		t.Errorf("the refusal and the gate differ:\n%s", diff)
	}
}

func TestBegin_refusesWhereNoRoundIsNext(t *testing.T) {
	under := debatetest.New(t, "collaborative", 2, "Ada", "Brook")
	under.BeginRound("")
	last := debatetest.New(t, "collaborative", 1, "Ada", "Brook")
	last.PlayRound("So.")
	stopped := debatetest.New(t, "collaborative", 2, "Ada", "Brook")
	stopped.Stopped = debate.StoppedByUser
	for name, f := range map[string]*debatetest.Scenario{
		"a round is under way": under, "none is left": last,
		"the debate was stopped": stopped,
	} {
		if _, _, err := f.Begin(debate.Focus{}); !errors.Is(err, debate.ErrNotReady) {
			t.Errorf("%s: err = %v, want ErrNotReady", name, err)
		}
	}
}

func TestBegin_namesAllThatTheRoundStartsFrom(t *testing.T) {
	f := debatetest.New(t, "collaborative", 3, "Ada", "Brook")
	f.BeginRound("")
	f.Ask("ada", ledger.Question{Query: "How many?"})
	f.Say("ada", "So.")
	f.FailTurn("brook")
	again := f.Response("brook")
	again.Turn.Attempt = 2
	f.Current().Responses = append(f.Current().Responses, again)
	f.EndRound()
	f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "10"})
	f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "12"})
	m, release, err := f.Begin(debate.Focus{Text: "What of the cost?"})
	must.Do(t, err)
	want := debate.Manifest{
		Session: "k7m2", Round: 2, Rounds: 3, Seats: []agents.ID{"ada", "brook"}, Responses: []string{"r1.s0.ada.a1", "r1.s0.brook.a2"},
		Facts: []debate.FactRef{{ID: "C1", Revision: 2}}, Focus: "What of the cost?", Seed: "b478c3bc55999f2e", Config: "cfg",
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("manifest (-want +got):\n%s", diff)
	}
	if len(release) != 1 || release[0].Type != ledger.EventRelease || release[0].Payload.Revision != 2 || release[0].Payload.Round != 2 {
		t.Errorf("release = %+v", release)
	}
	if s := f.MustRequest("C1").State; s != ledger.Resolved {
		t.Errorf("beginning has changed the session: C1 is %s", s)
	}
}

func TestManifest_hashIsStable(t *testing.T) {
	m := debate.Manifest{
		Session: "s", Round: 2, Rounds: 3, Seats: []agents.ID{"brook", "ada"},
		Responses: []string{"r1.s0.ada.a1"}, Facts: []debate.FactRef{{ID: "C1", Revision: 1}}, Focus: "f", Config: "c",
	}
	// Sessions keep this hash: what is hashed must never change its form.
	const want = "80d87c62523c7ddb2ac2fbdeedc17690c19af02c127137fea03f146fe0b5887f"
	if got := m.Hash(); got != want {
		t.Errorf("Hash() = %s, want %s", got, want)
	}
}
