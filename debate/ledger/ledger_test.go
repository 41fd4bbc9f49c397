package ledger_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
)

// book is a ledger with the list of its events, as a store keeps both.
type book struct {
	testing.TB
	ledger.Ledger
	events []ledger.Event
	calls  int
}

func newBook(t testing.TB) *book { return &book{TB: t} }

// write numbers and applies events.
func (b *book) write(events ...ledger.Event) {
	b.Helper()
	for i := range events {
		events[i].Seq = int64(len(b.events) + i + 1)
	}
	b.Ledger = b.Apply(events...)
	b.events = append(b.events, events...)
}

func turnOf(agent agents.ID, round, attempt int) agents.Turn {
	return agents.Turn{Session: "s", Round: round, Attempt: attempt, Agent: agent}
}

func question(query string) ledger.Question {
	return ledger.Question{Query: query, Reason: "It decides."}
}

func optional(query string) ledger.Question {
	return ledger.Question{Query: query, Reason: "It helps.", Priority: ledger.Optional}
}

// ask puts a question under a call of its own.
func (b *book) ask(turn agents.Turn, q ledger.Question) ledger.Reply {
	b.Helper()
	b.calls++
	reply, events, err := b.Ledger.Ask(turn, fmt.Sprint("call ", b.calls), q, ledger.DefaultCaps)
	must.Do(b, err)
	b.write(events...)
	return reply
}

func answered(id, content string) ledger.Submission {
	return ledger.Submission{Request: id, Outcome: ledger.Answered, Content: content}
}

func unavailable(id, reason string) ledger.Submission {
	return ledger.Submission{Request: id, Outcome: ledger.Unavailable, Content: reason}
}

func (b *book) answer(subs ...ledger.Submission) {
	b.Helper()
	events := must.Get(b.Ledger.Answer(subs...))(b)
	b.write(events...)
}

// release hands over what there is, for a round, and returns the ids.
func (b *book) release(round int) []string {
	b.Helper()
	events := b.Release(round)
	b.write(events...)
	var ids []string
	for _, e := range events {
		ids = append(ids, e.Request)
	}
	return ids
}

func (b *book) reopen(id string) {
	b.Helper()
	b.write(ledger.Event{Request: id, Type: ledger.EventReopen, Actor: ledger.User})
}

func (b *book) request(id string) ledger.Request {
	b.Helper()
	r, ok := b.Find(id)
	if !ok {
		b.Fatalf("there is no %s", id)
	}
	return r
}

func (b *book) blocking() string {
	var ids []string
	for _, r := range b.Blocking() {
		ids = append(ids, r.ID)
	}
	return strings.Join(ids, " ")
}

// An answer and a reason need a character that says something and can be seen.
func TestAnswer_needsWords(t *testing.T) {
	for content, ok := range map[string]bool{
		"42": true, "ja": true, "是": true, "٣": true, "½": true, "👍": true, "✓": true, "+": true, "€": true, "yes.": true,
		"":                     false,
		"\t \u00a0\u2003\n":    false,
		"...":                  false,
		"-":                    false,
		"?!":                   false,
		"\u2800":               false, // pasted from sites that refuse an empty name
		"\u3164":               false,
		"\u115f\u1160\uffa0":   false,
		"\U00013441\U00013442": false,
		"\ue000":               false, // of private use
		"\U0001d159":           false,
		"\ufffc":               false, // what dictation and copied documents leave for a picture
		"\ufffd\ufffd":         false,
		"\u200b\u200d\ufeff":   false,
		"\u0301\u20e3":         false, // marks without a letter
		"\u00ad":               false,
		"\U000e0041":           false, // a tag
		"— …":                  false,
		"\u2800 x":             true,
	} {
		for _, outcome := range []ledger.Outcome{ledger.Answered, ledger.Unavailable} {
			b := newBook(t)
			b.ask(turnOf("ada", 1, 1), question("How many?"))
			_, err := b.Ledger.Answer(ledger.Submission{Request: "C1", Outcome: outcome, Content: content})
			if ok && err != nil || !ok && !errors.Is(err, ledger.ErrBlank) {
				t.Errorf("%q, %s: %v", content, outcome, err)
			}
		}
	}
}

func TestLedger_requiredBlocksUntilItIsResolvedAndOptionalNever(t *testing.T) { // R1, R5
	for _, q := range []ledger.Question{question("How many?"), optional("How many?")} {
		required := q.Priority != ledger.Optional
		for _, c := range []struct {
			name     string
			sub      *ledger.Submission
			refused  error
			resolves bool
		}{
			{"an answer", &ledger.Submission{Outcome: ledger.Answered, Content: " 12 "}, nil, true},
			{
				"at the limits",
				&ledger.Submission{
					Outcome: ledger.Answered, Content: strings.Repeat("é", ledger.MaxAnswer), Source: strings.Repeat("é", ledger.MaxSource),
				}, nil, true,
			},
			{"unavailable, with a reason", &ledger.Submission{Outcome: ledger.Unavailable, Content: "not counted"}, nil, true},
			{"unavailable, without a reason", &ledger.Submission{Outcome: ledger.Unavailable}, ledger.ErrBlank, false},
			{"no outcome", &ledger.Submission{Content: "12"}, ledger.ErrUnknown, false},
			{"nothing", nil, nil, false},
		} {
			t.Run(fmt.Sprintf("required %v, %s", required, c.name), func(t *testing.T) {
				b := newBook(t)
				b.ask(turnOf("ada", 1, 1), q)
				if c.sub != nil {
					c.sub.Request = "C1"
					events, err := b.Ledger.Answer(*c.sub)
					if !errors.Is(err, c.refused) {
						t.Fatalf("err = %v, want %v", err, c.refused)
					}
					b.write(events...)
				}
				if blocks := b.blocking() != ""; blocks != (required && !c.resolves) {
					t.Errorf("blocks: %v", blocks)
				}
				if released := b.release(2); (len(released) > 0) != c.resolves {
					t.Errorf("released: %v", released)
				}
			})
		}
	}
}

func TestExpire_closesWhatIsOpenAndReviveOpensItAgain(t *testing.T) {
	b := newBook(t)
	b.ask(turnOf("ada", 2, 1), question("required"))
	b.ask(turnOf("ada", 2, 1), optional("optional"))
	b.ask(turnOf("brook", 2, 1), question("answered"))
	b.ask(turnOf("brook", 2, 1), question("answered late"))
	b.ask(turnOf("brook", 2, 1), question("taken back"))
	b.answer(answered("C3", "yes"), answered("C5", "perhaps"))
	b.reopen("C5")
	b.write(b.Expire()...)
	if b.blocking() != "" || len(b.Expire()) != 0 {
		t.Errorf("after the end %q is blocking", b.blocking())
	}
	b.answer(answered("C4", "late"))
	b.answer(answered("C5", "perhaps")) // the same as what was taken back
	for id, want := range map[string]ledger.State{
		"C1": ledger.AfterVerdict, "C2": ledger.AfterVerdict, "C3": ledger.Resolved,
		"C4": ledger.Resolved, "C5": ledger.Resolved,
	} {
		if got := b.request(id).State; got != want {
			t.Errorf("at the end %s is %s, want %s", id, got, want)
		}
	}
	b.write(b.Revive()...)
	if got := b.blocking(); got != "C1" {
		t.Errorf("with more rounds %q is blocking, want C1", got)
	}
	if got := b.release(3); !slices.Equal(got, []string{"C3", "C4", "C5"}) {
		t.Errorf("released %v, want what was answered", got)
	}
}

func TestRequest_copyWithALowerSeqIsOlder(t *testing.T) {
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), question("one"))
	old := b.request("C1")
	b.ask(turnOf("ada", 1, 1), question("two"))
	if now := b.request("C1"); now.Seq != old.Seq {
		t.Errorf("an event of another question has moved %d to %d", old.Seq, now.Seq)
	}
	b.answer(answered("C1", "1"))
	if now := b.request("C1"); now.Seq <= old.Seq {
		t.Errorf("seq %d does not rise above %d", now.Seq, old.Seq)
	}
}

func TestApply_leavesTheLedgerItStartsFromAlone(t *testing.T) {
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), question("one"))
	b.ask(turnOf("ada", 1, 1), question("two"))
	b.answer(answered("C1", "1"))
	before, copied := b.Ledger, ledger.Fold(b.events)
	b.ask(turnOf("brook", 1, 1), question("one"))
	b.write(b.Supersede(turnOf("ada", 1, 2))...)
	b.release(2)
	if diff := cmp.Diff(copied, before); diff != "" {
		t.Errorf("the older ledger has changed (-want +got):\n%s", diff)
	}
}

func TestFold_passesOverWhatItDoesNotKnow(t *testing.T) {
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), question("one"))
	want := b.request("C1")
	b.write(ledger.Event{Request: "C1", Type: "sung"}, ledger.Event{Request: "C9", Type: ledger.EventAnswer},
		ledger.Event{Type: ledger.EventCap})
	if diff := cmp.Diff([]ledger.Request{want}, b.Requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// What was stored of a join by hand is folded as it was: the asks have moved,
// and the request that they left blocks nothing.
func TestLedger_showsAStoredJoin(t *testing.T) {
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), question("How many writes?"))
	b.ask(turnOf("brook", 1, 1), question("What writes, how many?"))
	for _, nowhere := range []string{"C2", "C7"} { // what no interface wrote changes nothing
		b.write(ledger.Event{Request: "C2", Type: ledger.EventJoin, Actor: ledger.User, Payload: ledger.Payload{Into: nowhere}})
	}
	b.write(ledger.Event{Request: "C2", Type: ledger.EventJoin, Actor: ledger.User, Payload: ledger.Payload{Into: "C1"}})
	if c1, c2 := b.request("C1"), b.request("C2"); len(c1.Asks) != 2 || c2.State != ledger.Withdrawn || c2.JoinedTo != "C1" ||
		b.blocking() != "C1" {
		t.Errorf("%+v and %+v", c1, c2)
	}
}

// The first call of a turn that joins a request is told, its further ones are not.
func TestRejoined_tellsFurtherCallsOfATurn(t *testing.T) {
	ada, brook := turnOf("ada", 1, 1), turnOf("brook", 1, 1)
	r := ledger.Request{Asks: []ledger.Ask{{Turn: ada, Call: "a1"}, {Turn: brook, Call: "b1"}, {Turn: brook, Call: "b2"}}}
	for call, want := range map[string]bool{"a1": false, "b1": false, "b2": true, "none": false} {
		if got := r.Rejoined(call); got != want {
			t.Errorf("%s: %v", call, got)
		}
	}
}

// A question keeps its reason when the agent that asked it alone has withdrawn.
func TestReason_ofAQuestionThatNobodyAsksAnyMore(t *testing.T) {
	r := ledger.Request{Asks: []ledger.Ask{{Reason: "It decides.", Withdrawn: true}}}
	if got, none := r.Reason(), (ledger.Request{}).Reason(); got != "It decides." || none != "" {
		t.Errorf("%q, %q", got, none)
	}
}

// What was restored once is not there twice.
func TestLedger_restoresARequestOnce(t *testing.T) {
	e := ledger.Event{Request: "C1", Type: ledger.EventRestore, Payload: ledger.Payload{Restored: &ledger.Request{ID: "C1", Query: "How many?"}}}
	if got := ledger.Fold([]ledger.Event{e, e}).Requests; len(got) != 1 || got[0].Query != "How many?" {
		t.Errorf("%+v", got)
	}
}
