package ledger_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

func TestAsk_anAskOfThreeAgentsIsOneRequestWithTheHighestPriority(t *testing.T) { // R8, R9
	b := newBook(t)
	first := b.ask(turnOf("ada", 1, 1), optional("How many users?"))
	second := b.ask(turnOf("brook", 1, 1), ledger.Question{Query: " how  MANY users ", Reason: "mine"})
	b.ask(turnOf("cy", 1, 1), optional("How many users"))
	if first.Status != ledger.StatusQueued || second.Status != ledger.StatusDuplicate || second.RequestID != "C1" {
		t.Errorf("replies: %+v, %+v", first, second)
	}
	r := b.request("C1")
	if len(b.Requests) != 1 || r.Query != "How many users?" || r.Priority != ledger.Required || r.Round != 1 {
		t.Errorf("request = %+v", r)
	}
	want := []ledger.Ask{
		{Turn: turnOf("ada", 1, 1), Call: "call 1", Query: "How many users?", Reason: "It helps.", Priority: ledger.Optional},
		{Turn: turnOf("brook", 1, 1), Call: "call 2", Query: "how  MANY users", Reason: "mine", Priority: ledger.Required},
		{Turn: turnOf("cy", 1, 1), Call: "call 3", Query: "How many users", Reason: "It helps.", Priority: ledger.Optional},
	}
	if diff := cmp.Diff(want, r.Asks, cmpopts.IgnoreFields(ledger.Ask{}, "Reply")); diff != "" {
		t.Errorf("asks (-want +got):\n%s", diff)
	}
	if got := r.Askers(); !slices.Equal(got, []agents.ID{"ada", "brook", "cy"}) {
		t.Errorf("askers = %v", got)
	}
	b.answer(answered("C1", "12"))
	if got := b.ask(turnOf("dee", 1, 1), question("how many users")); got.Status != ledger.StatusDuplicate || got.Answer != "" {
		t.Errorf("before the release: %+v, want nothing of the answer", got)
	}
	if r := b.request("C1"); r.State != ledger.Resolved || len(r.Asks) != 4 {
		t.Errorf("a late ask has changed the state to %s", r.State)
	}
}

func TestAsk_anIdJoinsItsRequest(t *testing.T) {
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), optional("How many users?"))
	for i, query := range []string{"C1", "[c1]", " C1 "} {
		got := b.ask(turnOf(agents.ID(fmt.Sprint("seat", i)), 2, 1), optional(query))
		if got.RequestID != "C1" || got.Status != ledger.StatusDuplicate {
			t.Errorf("%q: %+v", query, got)
		}
	}
	if r := b.request("C1"); len(b.Requests) != 1 || len(r.Askers()) != 4 || r.Asks[1].Query != "How many users?" {
		t.Errorf("requests = %+v", b.Requests)
	}
	if got := b.ask(turnOf("brook", 2, 1), optional("C7")); got.Status != ledger.StatusQueued {
		t.Errorf("an id that names no request: %+v", got)
	}
}

func TestAsk_whatWasReleasedIsToldAtOnce(t *testing.T) { // R10
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), question("How many?"))
	b.ask(turnOf("ada", 1, 1), question("Who decides?"))
	b.answer(answered("C1", "12"), unavailable("C2", "nobody yet"))
	b.release(2)
	before := len(b.events)
	if got := b.ask(turnOf("brook", 2, 1), question("how many")); got.Status != ledger.StatusAnswered || got.Answer != "12" ||
		got.RequestID != "C1" {
		t.Errorf("answered: %+v", got)
	}
	if got := b.ask(turnOf("brook", 2, 1), question("who decides")); got.Status != ledger.StatusUnavailable || got.Answer != "nobody yet" {
		t.Errorf("unavailable: %+v", got)
	}
	if len(b.events) != before || b.blocking() != "" {
		t.Errorf("%d events more, blocking %q", len(b.events)-before, b.blocking())
	}
	refresh := ledger.Question{Query: "how many", Reason: "It is June now.", Refresh: true}
	if got := b.ask(turnOf("brook", 2, 1), refresh); got.RequestID != "C3" || got.Status != ledger.StatusQueued {
		t.Errorf("refreshed: %+v", got)
	}
	if r := b.request("C3"); r.FollowUpOf != "C1" || b.blocking() != "C3" || r.Asks[0].Reason != "It is June now." {
		t.Errorf("the refreshed request = %+v, blocking %q", r, b.blocking())
	}
	if got := b.ask(turnOf("cy", 2, 1), question("how many?")); got.RequestID != "C3" || got.Status != ledger.StatusDuplicate {
		t.Errorf("asked while it is refreshed: %+v", got)
	}
}

func TestAsk_aRefreshThatWasTakenBackHidesNoAnswer(t *testing.T) {
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), question("How many?"))
	b.answer(answered("C1", "12"))
	b.release(2)
	refresh := question("How many?")
	refresh.Refresh = true
	b.ask(turnOf("brook", 2, 1), refresh)
	b.write(b.Supersede(turnOf("brook", 2, 2))...)
	if got := b.ask(turnOf("cy", 2, 1), question("How many?")); got.Status != ledger.StatusAnswered || got.Answer != "12" {
		t.Errorf("reply = %+v, want the answer of C1", got)
	}
}

// What a program said is not said to be the user's.
func TestAsk_whatAProgramAnsweredIsCalledThat(t *testing.T) {
	for said, sub := range map[string]ledger.Submission{
		"A program (aide), not the user, has answered this; cite it as [C1].": answered("C1", "12"),
		"A program (aide), not the user, was asked and cannot say;": {
			Request: "C1", Outcome: ledger.Unavailable, Content: "Nobody knows.",
		},
	} {
		b := newBook(t)
		b.ask(turnOf("ada", 1, 1), question("How many?"))
		sub.By = ledger.Author{Kind: ledger.Assistant, Door: "aide"}
		b.answer(sub)
		b.release(2)
		if got := b.ask(turnOf("brook", 2, 1), question("How many?")); !strings.HasPrefix(got.Message, said) {
			t.Errorf("reply = %+v, want %q", got, said)
		}
	}
}

func TestAsk_aTurnThatStartsAgainReadsTheSameReplies(t *testing.T) { // R13
	b := newBook(t)
	old, fresh := turnOf("brook", 1, 1), turnOf("brook", 1, 2)
	b.ask(turnOf("ada", 1, 1), question("Who decides?"))
	first := []ledger.Reply{b.ask(old, question("How many?")), b.ask(old, question("How many?")), b.ask(old, question("who decides"))}
	b.answer(answered("C1", "me"))
	second := []ledger.Reply{b.ask(fresh, question("How many?")), b.ask(fresh, question("How many?")), b.ask(fresh, question("who decides"))}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("replies (-first attempt +second):\n%s", diff)
	}
	if first[0].Status != ledger.StatusQueued || first[1].Status != ledger.StatusDuplicate {
		t.Errorf("the first attempt was told %+v", first)
	}
	if events := b.Supersede(fresh); events != nil {
		t.Errorf("what it asked again is taken back: %+v", events)
	}
	third := []ledger.Status{}
	for range 3 {
		third = append(third, b.ask(turnOf("brook", 1, 3), question("How many?")).Status)
	}
	if want := []ledger.Status{ledger.StatusQueued, ledger.StatusDuplicate, ledger.StatusDuplicate}; !slices.Equal(third, want) {
		t.Errorf("the third attempt, which asks once more, is told %v, want %v", third, want)
	}
}

func TestAsk_numbersCountOnFromTheLastOne(t *testing.T) {
	b := newBook(t)
	for _, query := range []string{"one", "two", "three"} {
		b.ask(turnOf("ada", 1, 1), question(query))
	}
	b.Requests = b.Requests[1:] // of a fork that left the first one behind
	if got := b.ask(turnOf("brook", 1, 1), question("four")); got.RequestID != "C4" {
		t.Errorf("the next request is %s, want C4", got.RequestID)
	}
}

func TestSupersede_takesBackWhatTheNewAttemptDidNotAskAgain(t *testing.T) { // R13
	b := newBook(t)
	old, fresh := turnOf("ada", 1, 1), turnOf("ada", 1, 2)
	b.ask(old, question("dropped"))
	b.ask(old, question("kept"))
	b.ask(old, question("answered"))
	b.ask(turnOf("brook", 1, 1), optional("shared"))
	b.ask(old, question("shared"))
	b.answer(answered("C3", "yes"))
	if b.Supersede(old) != nil {
		t.Error("a first attempt takes something back")
	}
	b.ask(fresh, optional("kept"))
	b.write(b.Supersede(fresh)...)
	for id, want := range map[string]ledger.State{"C1": ledger.Withdrawn, "C2": ledger.Pending, "C3": ledger.Resolved, "C4": ledger.Pending} {
		if got := b.request(id).State; got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	if got := b.request("C4"); got.Priority != ledger.Optional || !slices.Equal(got.Askers(), []agents.ID{"brook"}) {
		t.Errorf("of C4 is left %s by %v, want what brook asks", got.Priority, got.Askers())
	}
	if got := b.blocking(); got != "C2" {
		t.Errorf("blocking %q", got)
	}
	if b.Supersede(fresh) != nil {
		t.Error("taking back twice changes something")
	}
	if got := b.ask(turnOf("cy", 1, 1), question("dropped")); got.RequestID != "C1" || b.blocking() != "C1 C2" {
		t.Errorf("asked again by another: %+v, blocking %q", got, b.blocking())
	}
}

func TestSupersede_leavesOtherTurnsAlone(t *testing.T) {
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), question("in round 1"))
	step := turnOf("ada", 2, 1)
	step.Step = 1
	b.ask(step, question("in step 1"))
	if events := b.Supersede(turnOf("ada", 2, 2)); events != nil {
		t.Errorf("taken back: %+v", events)
	}
}

func TestAsk_isRefusedAboveTheCapsButDuplicatesAreNot(t *testing.T) { // R15
	b := newBook(t)
	for i := range 3 {
		b.ask(turnOf("ada", 1, 1), question(fmt.Sprint("question ", i)))
	}
	if _, _, err := b.Ledger.Ask(turnOf("ada", 1, 1), "x", question("one more"), ledger.Caps{PerRound: 1}); !errors.Is(err, ledger.ErrCap) {
		t.Errorf("err = %v, want the cap of 1", err)
	}
	_, events, err := b.Ledger.Ask(turnOf("ada", 1, 1), "x", question("one more"), ledger.DefaultCaps)
	if !errors.Is(err, ledger.ErrCap) || !strings.Contains(err.Error(), "3") {
		t.Errorf("err = %v, want the cap of 3", err)
	}
	if len(events) != 1 || events[0].Type != ledger.EventCap || events[0].Actor != "ada" || events[0].Payload.Query != "one more" {
		t.Errorf("events = %+v, want one that tells of it", events)
	}
	b.write(events...)
	if len(b.Requests) != 3 {
		t.Errorf("%d requests, want 3", len(b.Requests))
	}
	if got := b.ask(turnOf("ada", 1, 1), question("question 0")); got.Status != ledger.StatusDuplicate {
		t.Errorf("a duplicate above the cap: %+v", got)
	}
	if got := b.ask(turnOf("brook", 1, 1), question("of brook")); got.RequestID != "C4" {
		t.Errorf("another agent: %+v", got)
	}
	if got := b.ask(turnOf("ada", 2, 1), question("in round 2")); got.RequestID != "C5" {
		t.Errorf("another round: %+v", got)
	}
	for _, n := range []int{1, 5} {
		_, _, err := b.Ledger.Ask(turnOf("cy", 2, 1), "x", question("the sixth"), ledger.Caps{PerSession: n})
		if !errors.Is(err, ledger.ErrCap) || !strings.Contains(err.Error(), fmt.Sprint(n, " per session")) {
			t.Errorf("err = %v, want the cap of the session", err)
		}
	}
	if _, _, err := b.Ledger.Ask(turnOf("ada", 2, 1), "x", question("the sixth"), ledger.Caps{}); err != nil {
		t.Errorf("without caps: %v", err)
	}
}

func TestAsk_aNewAttemptHasRoomToAskInOtherWords(t *testing.T) {
	b := newBook(t)
	for i := range 3 {
		b.ask(turnOf("ada", 1, 1), question(fmt.Sprint("first words ", i)))
	}
	b.answer(answered("C3", "yes"))
	for i := range 2 {
		b.ask(turnOf("ada", 1, 2), question(fmt.Sprint("other words ", i)))
	}
	if _, _, err := b.Ledger.Ask(turnOf("ada", 1, 2), "x", question("other words 2"), ledger.DefaultCaps); !errors.Is(err, ledger.ErrCap) {
		t.Errorf("err = %v: what is answered stays and counts", err)
	}
	b.write(b.Supersede(turnOf("ada", 1, 2))...)
	if got := b.blocking(); got != "C4 C5" {
		t.Errorf("blocking %q, want the questions of the new attempt", got)
	}
}

func TestAsk_namesTheFieldAtFaultAndQueuesNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		q    ledger.Question
		want string // "" means that it is taken
	}{
		{"no query", ledger.Question{Reason: "r"}, "query"},
		{"blank query", ledger.Question{Query: " \n", Reason: "r"}, "query"},
		{"long query", ledger.Question{Query: strings.Repeat("é", 1001), Reason: "r"}, "query"},
		{"no reason", ledger.Question{Query: "q"}, "reason"},
		{"long reason", ledger.Question{Query: "q", Reason: strings.Repeat("é", 501)}, "reason"},
		{"another priority", ledger.Question{Query: "q", Reason: "r", Priority: "urgent"}, "priority"},
		{"at the limits", ledger.Question{Query: strings.Repeat("é", 1000) + " ", Reason: strings.Repeat("é", 500)}, ""},
	} {
		_, events, err := ledger.Ledger{}.Ask(turnOf("ada", 1, 1), "x", c.q, ledger.DefaultCaps)
		if c.want == "" {
			if err != nil || events[0].Payload.Priority != ledger.Required {
				t.Errorf("%s: %v, want it required by default", c.name, err)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || len(events) > 0 {
			t.Errorf("%s: err = %v with %d events, want one that names %s", c.name, err, len(events), c.want)
		}
	}
}

func TestKey_equalsForTheSameQuestion(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"itself", "How many?", "How many?", true},
		{"case", "How Many?", "hOW mANY?", true},
		{"white space", "How many?", " How\u00a0\n many\t?", true},
		{"trailing punctuation", "How many?", "How many", true},
		{"more trailing punctuation", "How many", "How many ?!… »", true},
		{"full width", "How many?", "Ｈｏｗ　ｍａｎｙ？", true},
		{"composed and decomposed", "Café?", "Cafe\u0301", true},
		{"ligature", "Which file?", "Which ﬁle", true},
		{"other capitals", "ÉTÉ?", "été", true},
		{"punctuation inside", "How many, in all?", "How many in all?", false},
		{"leading punctuation", "(How many", "How many", false},
		{"another word", "How many?", "How much?", false},
		{"accent", "Resume?", "Résumé?", false},
		{"a mark that is part of the word", "Is it in C#?", "Is it in C?", false},
		{"a sign that is part of the word", "Is it in C++?", "Is it in C?", false},
		{"a percentage", "How many %?", "How many?", false},
	} {
		if same := ledger.Key(c.a) == ledger.Key(c.b); same != c.same {
			t.Errorf("%s: %q and %q are the same question: %v", c.name, c.a, c.b, same)
		}
	}
}
