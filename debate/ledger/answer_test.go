package ledger_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate/ledger"
)

func TestAnswer_isTakenWholeOrNotAtAll(t *testing.T) { // R3
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), question("one"))
	b.ask(turnOf("ada", 1, 1), question("two"))
	b.ask(turnOf("brook", 1, 1), question("three"))
	b.ask(turnOf("cy", 1, 1), question("four"))
	b.answer(answered("C2", "2"))
	b.release(2)
	b.write(b.Supersede(turnOf("brook", 1, 2))...)
	for _, c := range []struct {
		name string
		bad  ledger.Submission
		want error
	}{
		{"unknown", answered("C9", "x"), ledger.ErrUnknown},
		{"of another debate", answered("D1", "x"), ledger.ErrUnknown},
		{"no id", answered("", "x"), ledger.ErrUnknown},
		{"repeated", answered("C1", "other"), ledger.ErrRepeated},
		{"frozen", answered("C2", "other"), ledger.ErrFrozen},
		{"withdrawn", answered("C3", "x"), ledger.ErrUnknown},
		{"blank", answered("C4", " "), ledger.ErrBlank},
		{"too long", answered("C4", strings.Repeat("é", ledger.MaxAnswer+1)), ledger.ErrTooLong},
		{"source too long", ledger.Submission{Request: "C4", Outcome: ledger.Answered, Content: "x", Source: strings.Repeat("é",
			ledger.MaxSource+1)}, ledger.ErrTooLong},
	} {
		events, err := b.Ledger.Answer(answered("C1", "1"), c.bad)
		if !errors.Is(err, c.want) || events != nil {
			t.Errorf("%s: err = %v with %d events, want %v and none", c.name, err, len(events), c.want)
		}
		var refused *ledger.SubmissionError
		if !errors.As(err, &refused) || refused.Request != c.bad.Request || !strings.Contains(err.Error(), c.bad.Request) {
			t.Errorf("%s: the refusal %q does not name %s", c.name, err, c.bad.Request)
		}
	}
}

func TestAnswer_editBeforeReleaseIsARevisionAndTheLastOneWins(t *testing.T) { // R12
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), question("How many?"))
	b.answer(answered("C1", "10"))
	b.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: " 12\n", Source: " the books "})
	if events, err := b.Ledger.Answer(ledger.Submission{
		Request: "C1", Outcome: ledger.Answered, Content: "12",
		Source: "the books",
	}); err != nil || len(events) != 0 {
		t.Errorf("the same again makes %d events, %v", len(events), err)
	}
	b.answer(unavailable("C1", "12"))
	b.release(2)
	r := b.request("C1")
	want := []ledger.Answer{
		{Revision: 1, Outcome: ledger.Answered, Content: "10"},
		{Revision: 2, Outcome: ledger.Answered, Content: "12", Source: "the books"},
		{Revision: 3, Outcome: ledger.Unavailable, Content: "12"},
	}
	if diff := cmp.Diff(want, r.Answers); diff != "" {
		t.Errorf("revisions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]ledger.Delivery{{Revision: 3, Round: 2}}, r.Delivered); diff != "" {
		t.Errorf("delivered (-want +got):\n%s", diff)
	}
}

func TestAnswer_afterTheReleaseIsACorrectionForTheNextOne(t *testing.T) { // R12
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), question("How many?"))
	early := answered("C1", "10")
	early.Correct = true // there is nothing to correct yet
	b.answer(early)
	b.release(2)
	var frozen *ledger.SubmissionError
	if _, err := b.Ledger.Answer(answered("C1", "12")); !errors.As(err, &frozen) || !errors.Is(err, ledger.ErrFrozen) ||
		!strings.Contains(frozen.Text, "round 2") {
		t.Errorf("err = %v, want one that names the round", err)
	}
	correction := answered("C1", "12")
	correction.Correct = true
	b.answer(correction)
	r := b.request("C1")
	if r.State != ledger.Released || b.blocking() != "" {
		t.Errorf("state = %s, blocking %q", r.State, b.blocking())
	}
	if a, ok := r.Undelivered(); !ok || a.Content != "12" || !a.Correction {
		t.Errorf("waiting for the next release: %+v %v", a, ok)
	}
	if got := b.ask(turnOf("brook", 2, 1), question("how many")); got.Answer != "10" {
		t.Errorf("before the release the agents are told %q, want the revision they were given", got.Answer)
	}
	b.release(3)
	if got := b.ask(turnOf("brook", 3, 1), question("how many")); got.Answer != "12" {
		t.Errorf("after the release the agents are told %q", got.Answer)
	}
	if got := b.release(4); got != nil {
		t.Errorf("delivered once more: %v", got)
	}
	want := []ledger.Delivery{{Revision: 1, Round: 2}, {Revision: 2, Round: 3}}
	if diff := cmp.Diff(want, b.request("C1").Delivered); diff != "" {
		t.Errorf("delivered (-want +got):\n%s", diff)
	}
	if a, _ := b.request("C1").Revision(1); a.Content != "10" || a.Correction {
		t.Errorf("the first revision has become %+v", a)
	}
}

// Databases of earlier versions have events that take an answer back.
func TestFold_reopensARequestUntilItIsReleased(t *testing.T) {
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), question("How many?"))
	b.reopen("C1") // open already
	b.answer(answered("C1", "10"))
	b.reopen("C1")
	if _, ok := b.request("C1").Answer(); ok || b.blocking() != "C1" {
		t.Errorf("an answer that was taken back stands; blocking %q", b.blocking())
	}
	if got := b.release(2); got != nil {
		t.Errorf("released what was taken back: %v", got)
	}
	b.answer(answered("C1", "10"))
	if a, ok := b.request("C1").Answer(); !ok || a.Revision != 2 {
		t.Errorf("answered the same once more: %+v %v", a, ok)
	}
	b.release(2)
	b.reopen("C1")
	if r := b.request("C1"); r.State != ledger.Released {
		t.Errorf("reopening what was released makes it %s", r.State)
	}
}

func TestAuthor_isNamedUnlessItIsTheUser(t *testing.T) {
	form := ledger.Author{Kind: ledger.Person, Door: "form", Client: "claude-code"}
	for _, c := range []struct {
		by                     ledger.Author
		note, said, from, bare string
	}{
		{ledger.ByPerson("command"), "", "answered", "“the books”", ""},
		{ledger.Author{}, "", "answered", "“the books”, who answered was not stored", "who answered was not stored"},
		{
			ledger.Author{Kind: ledger.Assistant, Door: "claude-code"},
			"from “claude-code”, not you",
			"answered by “claude-code”, not you", "“the books”, from “claude-code”, not you", "from “claude-code”, not you",
		},
		{
			ledger.Author{Kind: ledger.Assistant},
			"from an assistant, not you",
			"answered by an assistant, not you", "“the books”, from an assistant, not you", "from an assistant, not you",
		},
		{
			ledger.Author{Kind: ledger.Evaluation, Door: "eval"},
			"from the data set of an evaluation", "answered by the data set of an evaluation",
			"“the books”, from the data set of an evaluation", "from the data set of an evaluation",
		},
		{form, "", "answered", "“the books”", ""},
		{form.Accepted("claude-code", "42 a second", "43 a second"), "", "answered", "“the books”", ""},
		{
			form.Accepted("claude-code", "42\na second", "42 a second"), "proposed by “claude-code”, accepted by you",
			"proposed by “claude-code”, accepted by you", "“the books”, proposed by “claude-code”, accepted by you",
			"proposed by “claude-code”, accepted by you",
		},
	} {
		a := ledger.Answer{Outcome: ledger.Answered, Author: c.by}
		aside := ""
		if c.note != "" {
			aside = " (" + c.note + ")"
		}
		if c.by.Note() != c.note || c.by.Aside() != aside || a.Said() != c.said || a.From() != c.bare {
			t.Errorf("%+v: %q, %q, %q, %q", c.by, c.by.Note(), c.by.Aside(), a.Said(), a.From())
		}
		if a.Source = "the books"; a.From() != c.from {
			t.Errorf("%+v with a source: %q, want %q", c.by, a.From(), c.from)
		}
	}
	if got, other := form.String(), (ledger.Author{Kind: ledger.Person}).String(); got != "you (form)" || other != "you" {
		t.Errorf("%q, %q", got, other)
	}
}
