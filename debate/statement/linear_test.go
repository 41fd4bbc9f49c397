package statement_test

import (
	"strings"
	"testing"

	"roundtable/debate/statement"
)

// hostile are pieces which, repeated, once made reading an answer slow, or may.
var hostile = map[string]string{
	"prose":            "A sentence of prose with a [C1] and some `code` in it. ",
	"open fences":      "```json\n",
	"other fences":     "```json\n~~~json\n",
	"fenced objects":   "```json\n{\"position\": \"a\", \"vote\": \n",
	"brackets":         "{[",
	"open objects":     `{"position":"`,
	"objects on lines": "{\"position\": \"a\", \"vote\": \"yes\"} x\n",
	"objects in a row": `{"position": "a", "vote": "yes"} x `,
	"commas":           `{position: a` + strings.Repeat(",", 900),
	"quotes":           `{"position": "` + strings.Repeat(`" , `, 200),
	"comments":         "{position: /* ",
	"blank":            `{"position":1,"vote":2} x` + strings.Repeat(" ", 400),
	"deep":             `{"a":[`,
	"names":            `{"position":{a` + strings.Repeat(`"a`, 300),
	"unclear":          `{"position": 1, "a": "b "c d", "e": f "g" h}` + "\n",
	"quoted lines":     "> {\"position\": \"a\", \"vote\": \"yes\"}\n",
	"nested fences":    "````\n```json\n{\"position\": \"a\", \"vote\": \"yes\"}\n```\n````\n",
	"backticks":        "`",
	"spaces":           " ",
	"long language":    "```" + strings.Repeat("x", 300) + "\n",
}

// maxLooked is how often each byte of an answer is looked at at most, beside a number of
// bytes that does not grow with it.
const maxLooked = 8

func TestParse_isLinear(t *testing.T) {
	for name, piece := range hostile {
		for _, size := range []int{1 << 10, 60 << 10} {
			text := strings.Repeat(piece, size/len(piece)+1)[:size]
			for _, piece := range []int{max(4, size>>16), 5000} {
				parsed, streamed := statement.LookedAt(text, piece)
				if parsed > maxLooked*size+statement.ParseWork {
					t.Errorf("%s, %d bytes: looks at %.1f times as many", name, size, float64(parsed)/float64(size))
				}
				if streamed > maxLooked*size+statement.ParseWork {
					t.Errorf("%s, %d bytes in pieces of %d: looks at %.1f times as many", name, size, piece, float64(streamed)/float64(size))
				}
			}
		}
	}
}
