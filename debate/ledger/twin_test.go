package ledger_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// asked returns the ledger of questions that different agents ask in round 1.
func asked(t *testing.T, queries ...string) ledger.Ledger {
	t.Helper()
	var l ledger.Ledger
	for i, q := range queries {
		turn := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: agents.ID(fmt.Sprint("m", i+1))}
		l = applied(t, l, turn, ledger.Question{Query: q, Reason: "why"})
	}
	return l
}

func applied(t *testing.T, l ledger.Ledger, turn agents.Turn, q ledger.Question) ledger.Ledger {
	t.Helper()
	_, events, err := l.Ask(turn, q.Query, q, ledger.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	return l.Apply(events...)
}

func TestTwin_isWhatAsksTheSameInOtherWords(t *testing.T) {
	for _, c := range []struct {
		first, second string
		twins         bool
	}{
		{"How many writes per second do you have at peak?", "What is the peak write rate per second?", true},
		{"What is your budget?", "What budget do you have?", true},
		{"Which database do you use today?", "What database is in use today?", true},
		{"What is the read load?", "What is the write load?", false},
		{"Does it hold 100 users?", "Does it hold 1000 users?", false},
		{"Does it hold 1,000 users?", "Would it hold 1,000 users", true},
		{"What happens in 2026?", "What happens in 2027?", false},
		{"Is there a date by which this has to be decided?", "What would it cost if this turned out wrong?", false},
		{"Who pays for phase B?", "Who pays for phase C?", false},
		{"What does plan A cost?", "Plan A: what does it cost?", true},
		{"Who decides?", "What decides it?", true},
		{"Is it so?", "How is it?", false},
		{"Wie viele Schreibvorgänge pro Sekunde habt ihr?", "Wie viele Schreibvorgänge sind es pro Sekunde?", true},
		{"Wie hoch ist das Budget für den Betrieb?", "Wie hoch ist das Risiko für den Betrieb?", false},
		{"Сколько записей в секунду?", "Сколько записей в секунду у вас?", true},
		{"予算はいくらですか", "予算はいくら", true},
		{"予算はいくらですか", "期限はいつですか", false},
	} {
		l := asked(t, c.first, c.second)
		twin, ok := l.Twin("C2")
		if ok != c.twins || ok && twin.ID != "C1" {
			t.Errorf("%q and %q: twin %q, %v; want %v", c.first, c.second, twin.ID, ok, c.twins)
		}
		if twin, ok := l.Twin("C1"); ok {
			t.Errorf("%q, which was first, has the twin %s", c.first, twin.ID)
		}
	}
}

func TestTwin_isOpenOrAnsweredAndOfABlockingRequestAlone(t *testing.T) {
	const first, second = "What is your budget?", "What budget do you have?"
	answered := func(l ledger.Ledger) ledger.Ledger {
		events, err := l.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "None."})
		if err != nil {
			t.Fatal(err)
		}
		return l.Apply(events...)
	}
	released := func(l ledger.Ledger) ledger.Ledger { l = answered(l); return l.Apply(l.Release(2)...) }
	l := asked(t, first, second)
	optional := applied(t, asked(t, first), agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "m9"},
		ledger.Question{Query: second, Reason: "why", Priority: ledger.Optional})
	for name, c := range map[string]struct {
		l    ledger.Ledger
		want bool
	}{
		"open": {l, true}, "answered": {answered(l), true}, "released": {released(l), false},
		"expired": {l.Apply(l.Expire()...), false}, "optional": {optional, false},
	} {
		if _, ok := c.l.Twin("C2"); ok != c.want {
			t.Errorf("%s: a twin is named: %v, want %v", name, ok, c.want)
		}
	}
}

func TestJoin_makesTheAskersAskersOfTheOther(t *testing.T) {
	l := applied(t, ledger.Ledger{}, agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "m1"},
		ledger.Question{Query: "What is your budget?", Reason: "why", Priority: ledger.Optional})
	second := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "m2"}
	l = applied(t, l, second, ledger.Question{Query: "What budget do you have?", Reason: "it decides"})
	before := l
	events, err := l.Join("C2", "C1")
	if err != nil {
		t.Fatal(err)
	}
	l = l.Apply(events...)
	c1, _ := l.Find("C1")
	c2, _ := l.Find("C2")
	if fmt.Sprint(c1.Askers()) != "[m1 m2]" || c1.Priority != ledger.Required || c1.State != ledger.Pending || !c1.Blocks() {
		t.Errorf("C1: %+v", c1)
	}
	if len(c2.Asks) > 0 || c2.State != ledger.Withdrawn || c2.JoinedTo != "C1" || c2.Blocks() {
		t.Errorf("C2: %+v", c2)
	}
	if old, _ := before.Find("C2"); len(old.Asks) != 1 {
		t.Errorf("the ledger before was changed: %+v", old)
	}
	if got := len(l.Blocking()); got != 1 {
		t.Errorf("%d requests block", got)
	}

	reply, more, err := l.Ask(agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "m3"}, "x",
		ledger.Question{Query: "What budget do you have?", Reason: "why"}, ledger.Caps{})
	if err != nil || reply.RequestID != "C1" || reply.Status != ledger.StatusDuplicate {
		t.Errorf("the same question later: %+v, %v", reply, err)
	}
	if c1, _ := l.Apply(more...).Find("C1"); fmt.Sprint(c1.Askers()) != "[m1 m2 m3]" {
		t.Errorf("askers %v", c1.Askers())
	}

	again := second // an agent whose turn is repeated reads what it was told before
	again.Attempt = 2
	told, more, err := l.Ask(again, "y", ledger.Question{Query: "What budget do you have?", Reason: "it decides"}, ledger.Caps{})
	if err != nil || told.RequestID != "C2" || told.Status != ledger.StatusQueued || len(more) != 1 || more[0].Request != "C1" {
		t.Errorf("told %+v, events %+v, %v", told, more, err)
	}

	for _, c := range []struct{ id, into, want string }{
		{"C2", "C1", "C2 is not open in this debate."},
		{"C1", "C2", "C2 can no longer be joined"},
		{"C1", "C1", "C1 cannot be joined to itself."},
		{"C9", "C1", "There is no question C9 in this debate."},
		{"C1", "C9", "There is no question C9 in this debate."},
		{"C2", "C9", "There is no question C9 in this debate."},
	} {
		var refused *ledger.SubmissionError
		if _, err := l.Join(c.id, c.into); !errors.As(err, &refused) || !strings.HasPrefix(refused.Text, c.want) {
			t.Errorf("%s joins %s: %v, want %q", c.id, c.into, err, c.want)
		}
	}
}
