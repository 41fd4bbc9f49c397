package ledger_test

import (
	"testing"

	"roundtable/debate/ledger"
)

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
