package ledger_test

import (
	"testing"

	"roundtable/debate/ledger"
)

func TestAuthor_isNamedUnlessItIsTheUser(t *testing.T) {
	form := ledger.Author{Kind: ledger.Person, Door: ledger.FormDoor, Client: "claude-code"}
	for _, c := range []struct {
		by                             ledger.Author
		direct                         bool
		note, sender, said, from, bare string
	}{
		{ledger.ByPerson("command"), true, "", "You", "answered", "the books", ""},
		{ledger.Author{}, false, "", "Message", "answered", "the books, who answered was not stored", "who answered was not stored"},
		{
			ledger.Author{Kind: ledger.Assistant, Door: "claude-code"},
			false, "from claude-code, not you", "claude-code",
			"answered by claude-code, not you", "the books, from claude-code, not you", "from claude-code, not you",
		},
		{
			ledger.Author{Kind: ledger.Assistant},
			false, "from an assistant, not you", "An assistant",
			"answered by an assistant, not you", "the books, from an assistant, not you", "from an assistant, not you",
		},
		{
			ledger.Author{Kind: ledger.Evaluation, Door: "eval"},
			false, "from the data set of an evaluation", "The evaluation", "answered by the data set of an evaluation",
			"the books, from the data set of an evaluation", "from the data set of an evaluation",
		},
		{
			form, false, "in claude-code's form", "You", "answered in claude-code's form", "the books, in claude-code's form",
			"in claude-code's form",
		},
	} {
		a := ledger.Answer{Outcome: ledger.Answered, Author: c.by}
		if c.by.Direct() != c.direct || c.by.Note() != c.note || c.by.Sender() != c.sender || a.Said() != c.said || a.From() != c.bare {
			t.Errorf("%+v: %t, %q, %q, %q, %q", c.by, c.by.Direct(), c.by.Note(), c.by.Sender(), a.Said(), a.From())
		}
		if a.Source = "the books"; a.From() != c.from {
			t.Errorf("%+v with a source: %q, want %q", c.by, a.From(), c.from)
		}
	}
}
