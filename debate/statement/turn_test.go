package statement_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/debate/statement"
)

// passageForms are what a model writes in one completion of a turn. Words are what is
// left of it as prose, side is what its block states.
var passageForms = map[string]struct{ text, prose, side string }{
	"nothing":        {"", "", ""},
	"spaces":         {" \n", "", ""},
	"short":          {"My statement stands as above.", "My statement stands as above.", ""},
	"half":           {strings.TrimSpace(strings.Repeat("half ", 10)), strings.TrimSpace(strings.Repeat("half ", 10)), ""},
	"long":           {strings.TrimSpace(strings.Repeat("long ", 20)), strings.TrimSpace(strings.Repeat("long ", 20)), ""},
	"long and block": {strings.Repeat("yes ", 20) + block("yes"), strings.TrimSpace(strings.Repeat("yes ", 20)), "yes"},
	"short and block": {
		"I still say no.\n" + block("no"), "I still say no.", "no",
	},
	"block alone": {block("no"), "", "no"},
}

func block(stance string) string {
	return "\n```json\n{\"position\": \"It is " + stance + ".\", \"vote\": \"" + stance + "\"}\n```"
}

// The last text is the statement only if it is one; what was said before a tool call is
// never lost.
func TestParseTurn_takesTheStatementWhereverItStands(t *testing.T) {
	for _, c := range []struct {
		turn []string // names of forms
		want []string // of those that are the statement
		side string
	}{
		{[]string{"long"}, []string{"long"}, ""},
		{[]string{"long and block"}, []string{"long and block"}, "yes"},
		{[]string{"block alone"}, []string{"block alone"}, "no"},
		{[]string{"nothing", "long"}, []string{"long"}, ""},
		{[]string{"short", "long"}, []string{"long"}, ""},
		{[]string{"short", "long and block"}, []string{"long and block"}, "yes"},
		{[]string{"half", "long"}, []string{"long"}, ""},
		{[]string{"long", "half"}, []string{"half"}, ""},
		{[]string{"long", "long"}, []string{"long"}, ""},
		{[]string{"long", "short"}, []string{"long", "short"}, ""},
		{[]string{"long", "nothing"}, []string{"long"}, ""},
		{[]string{"long", "spaces"}, []string{"long"}, ""},
		{[]string{"long", "short and block"}, []string{"long", "short and block"}, "no"},
		{[]string{"long", "block alone"}, []string{"long", "block alone"}, "no"},
		{[]string{"long", "long and block"}, []string{"long and block"}, "yes"},
		{[]string{"long and block", "short"}, []string{"long and block", "short"}, "yes"},
		{[]string{"long and block", "nothing"}, []string{"long and block"}, "yes"},
		{[]string{"long and block", "half"}, []string{"long and block", "half"}, "yes"},
		{[]string{"long and block", "long"}, []string{"long and block", "long"}, "yes"},
		{[]string{"long and block", "short and block"}, []string{"long and block", "short and block"}, "no"},
		{[]string{"long and block", "block alone"}, []string{"long and block", "block alone"}, "no"},
		{[]string{"long and block", "long and block"}, []string{"long and block"}, "yes"},
		{[]string{"short and block", "long"}, []string{"short and block", "long"}, "no"},
		{[]string{"short and block", "long and block"}, []string{"long and block"}, "yes"},
		{[]string{"short and block", "nothing"}, []string{"short and block"}, "no"},
		{[]string{"block alone", "nothing"}, []string{"block alone"}, "no"},
		{[]string{"block alone", "short"}, []string{"block alone", "short"}, "no"},
		{[]string{"block alone", "long"}, []string{"block alone", "long"}, "no"},
		{[]string{"short", "short"}, []string{"short"}, ""},
		{[]string{"short", "nothing"}, []string{"short"}, ""},
		{[]string{"nothing", "nothing", "long"}, []string{"long"}, ""},
		{[]string{"nothing", "long", "nothing"}, []string{"long"}, ""},
		{[]string{"long", "nothing", "nothing", "nothing"}, []string{"long"}, ""},
		{[]string{"short", "long", "short"}, []string{"short", "long", "short"}, ""},
		{[]string{"long", "short", "long"}, []string{"long"}, ""},
		{[]string{"long and block", "short", "nothing"}, []string{"long and block", "short"}, "yes"},
		{[]string{"long", "block alone", "short"}, []string{"long", "block alone", "short"}, "no"},
		{[]string{"short", "long and block", "short"}, []string{"short", "long and block", "short"}, "yes"},
		{[]string{"long", "short", "long and block"}, []string{"long and block"}, "yes"},
		{[]string{"nothing", "nothing"}, nil, ""},
	} {
		t.Run(fmt.Sprint(c.turn), func(t *testing.T) {
			var texts, prose []string
			for _, name := range c.turn {
				texts = append(texts, passageForms[name].text)
			}
			for _, name := range c.want {
				if p := passageForms[name].prose; p != "" {
					prose = append(prose, p)
				}
			}
			got := statement.ParseTurn(texts, nil)
			if words := strings.Join(strings.Fields(got.Body), " "); words != strings.Join(strings.Fields(strings.Join(prose, " ")), " ") {
				t.Errorf("the statement is %q, want %q", got.Body, prose)
			}
			if got.Vote != c.side {
				t.Errorf("its vote is %q, want %q", got.Vote, c.side)
			}
		})
	}
}
