package statement_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roundtable/debate"
	"roundtable/debate/statement"
)

func floatPointer(v float64) *float64 { return &v }

func TestParseStatement_readsWhatIsThereAndInventsNothing(t *testing.T) {
	const cut = "its summary was cut off"
	const two = "it has 2 summaries; number 2 was read"
	for _, c := range []struct {
		name, text string
		want       debate.Statement
	}{
		{"prose alone", "I think so.\n", debate.Statement{Body: "I think so."}},
		{"nothing", "", debate.Statement{}},
		{
			"all members in a json fence",
			"I think so.\n\n```json\n{\"position\": \" Yes, do it. \", \"confidence\": 0.7, \"vote\": \"Yes\", " +
				"\"citations\": [\"RFC 1\"], \"context_used\": [\"C1\"]}\n```\n",
			debate.Statement{
				Body: "I think so.", Position: "Yes, do it.", Confidence: floatPointer(0.7), Vote: "Yes",
				Citations: []string{"RFC 1"}, ContextUsed: []string{"C1"},
			},
		},
		{"no language", "Prose.\n```\n{\"position\": \"p\"}\n```", debate.Statement{Body: "Prose.", Position: "p"}},
		{
			"language in capitals, indented, more backticks", "Prose.\n  ````JSON\n  {\"position\": \"p\"}\n  ````",
			debate.Statement{Body: "Prose.", Position: "p"},
		},
		{"carriage returns", "Prose.\r\n```json\r\n{\"position\": \"p\"}\r\n```\r\n", debate.Statement{Body: "Prose.", Position: "p"}},
		{"fences on the line of the object", "Prose.\n```json {\"position\": \"p\"}```", debate.Statement{Body: "Prose.", Position: "p"}},
		{"no closing fence", "Prose.\n```json\n{\"position\": \"p\"}\n", debate.Statement{Body: "Prose.", Position: "p"}},
		{"half a closing fence", "Prose.\n```json\n{\"position\": \"p\"}\n``", debate.Statement{Body: "Prose.", Position: "p"}},
		{
			"cut off in a later member", "Prose.\n```json\n{\"position\": \"p\", \"confidence\": 0.4, \"vote\": \"ye",
			debate.Statement{Body: "Prose.", Position: "p", Confidence: floatPointer(0.4), Notes: []string{`its summary is readable up to "vote"`}},
		},
		{
			"cut off in the first member", "Prose.\n```json\n{\"position\": \"I hold th",
			debate.Statement{Body: "Prose.", Notes: []string{`its summary is readable up to "position"`}},
		},
		{"cut off after the fence", "Prose.\n```json", debate.Statement{Body: "Prose.", Notes: []string{cut}}},
		{"bare object after prose", "Prose.\n{\"position\": \"p\", \"vote\": \"no\"}", debate.Statement{
			Body:     "Prose.",
			Position: "p", Vote: "no",
		}},
		{"bare object alone", "{\n  \"position\": \"p\",\n  \"confidence\": 1\n}", debate.Statement{Position: "p", Confidence: floatPointer(1)}},
		{"bare object behind a prefix", "My answer: {\"position\": \"p\"}", debate.Statement{Body: "My answer:", Position: "p"}},
		{
			"bare object with one member at the end", "I am sure\n{\"confidence\": 1}",
			debate.Statement{Body: "I am sure", Confidence: floatPointer(1)},
		},
		{
			"bare object with one member in the middle is prose", "It logs\n{\"confidence\": 1}\nand ends.",
			debate.Statement{Body: "It logs\n{\"confidence\": 1}\nand ends."},
		},
		{
			"structured part in the middle", "Send\n```json\n{\"position\": \"p\"}\n```\nand wait.",
			debate.Statement{Body: "Send\n\nand wait.", Position: "p"},
		},
		{
			"structured parts in the middle and at the end", "Send\n```json\n{\"position\": \"a\"}\n```\nand " +
				"wait.\n\n```json\n{\"position\": \"p\"}\n```",
			debate.Statement{Body: "Send\n\nand wait.", Position: "p", Notes: []string{two}},
		},
		{
			"bare object with two members in the middle", "My vote: {\"position\": \"p\", \"vote\": \"no\"} as before.",
			debate.Statement{Body: "My vote:\n\nas before.", Position: "p", Vote: "no"},
		},
		{
			"style sheets and code are prose", "So:\n```css\na { position: absolute; }\n```\nand `{position: 1}` in\n```go\nx := T{position: 2}\n```",
			debate.Statement{Body: "So:\n```css\na { position: absolute; }\n```\nand `{position: 1}` in\n```go\nx := T{position: 2}\n```"},
		},
		{
			"a fenced block beats a quotation in later prose",
			"Prose.\n```json\n{\"position\": \"p\", \"vote\": \"no\"}\n```\nNot {\"position\": \"q\", \"vote\": \"yes\"} then.",
			debate.Statement{
				Body: "Prose.\n\nNot\n\nthen.", Position: "p", Vote: "no",
				Notes: []string{"it has 2 summaries; number 1 was read"},
			},
		},
		{
			"a bare object at the end beats a fenced block",
			"Prose.\n```json\n{\"position\": \"p\"}\n```\nOr rather:\n{\"position\": \"q\"}",
			debate.Statement{Body: "Prose.\n\nOr rather:", Position: "q", Notes: []string{two}},
		},
		{
			"one member in another language is no structured part", "So:\n```css\n{ \"position\": \"absolute\" }\n```",
			debate.Statement{Body: "So:\n```css\n{ \"position\": \"absolute\" }\n```"},
		},
		{
			"fences in the middle of a line", "So ```json {\"position\": \"p\", \"vote\": \"no\"} ``` it is.",
			debate.Statement{Body: "So ```json\n\n``` it is.", Position: "p", Vote: "no"},
		},
		{
			"an example before the structured part stays", "Set\n```json\n{\"port\": 80}\n```\nand wait.\n\n{\"position\": \"p\"}",
			debate.Statement{Body: "Set\n```json\n{\"port\": 80}\n```\nand wait.", Position: "p"},
		},
		{
			"an object that states nothing is an example", "Configure it so:\n```json\n{\"port\": 80}\n```",
			debate.Statement{Body: "Configure it so:\n```json\n{\"port\": 80}\n```"},
		},
		{
			"an example right before the structured part stays", "So:\n```json\n{\"port\": 80}\n```\n```json\n{\"position\": \"p\"}\n```",
			debate.Statement{Body: "So:\n```json\n{\"port\": 80}\n```", Position: "p"},
		},
		{"the last of two structured parts counts", "Prose.\n```json\n{\"position\": \"a\"}\n```\n\n```json\n{\"position\": " +
			"\"b\"}\n```", debate.Statement{Body: "Prose.", Position: "b", Notes: []string{two}}},
		{
			"another language at the end", "Run\n```go\nfunc main() {}\n```",
			debate.Statement{Body: "Run\n```go\nfunc main() {}\n```"},
		},
		{
			"a block of code left open before", "Run\n```go\nfunc main() {}\n\n```json\n{\"position\": \"p\"}\n```",
			debate.Statement{Body: "Run\n```go\nfunc main() {}", Position: "p"},
		},
		{"a fence inside a string", "Prose.\n```json\n{\"position\": \"use ```go fences\"}\n```", debate.Statement{
			Body:     "Prose.",
			Position: "use ```go fences",
		}},
		{
			"unknown members", "Prose.\n```json\n{\"mood\": [1], \"position\": \"p\", \"x\": null}\n```",
			debate.Statement{Body: "Prose.", Position: "p"},
		},
		{"names in capitals", "Prose.\n```json\n{\"Position\": \"p\", \"VOTE\": \"undecided\"}\n```", debate.Statement{
			Body:     "Prose.",
			Position: "p", Vote: "undecided",
		}},
		{"members of the wrong type", "Prose.\n```json\n{\"position\": [\"p\"], \"vote\": [1], \"citations\": {\"a\": 1}, " +
			"\"context_used\": [1, null]}\n```", debate.Statement{Body: "Prose.", Notes: []string{
			"position is not text", "vote is neither a text nor a number", "citations is not a list of texts", `context_used "1" is not a question`,
		}}},
		{"in a list", `[{"position": "p", "vote": "no"}]`, debate.Statement{Body: "[\n\n]", Position: "p", Vote: "no"}},
		{"in another object it is prose", `{"a": {"vote": "no"}}`, debate.Statement{Body: `{"a": {"vote": "no"}}`}},
		{
			"a string for a list", "Prose.\n```json\n{\"citations\": \"RFC 1\", \"context_used\": \"C3\"}\n```",
			debate.Statement{Body: "Prose.", Citations: []string{"RFC 1"}, ContextUsed: []string{"C3"}},
		},
		{
			"requests in other words", "Prose.\n```json\n{\"context_used\": [\"[c2]\", \"C02\", \" [ C10 ] \", \"C0\", \"the " +
				"budget\", \"C1234567\"]}\n```",
			debate.Statement{Body: "Prose.", ContextUsed: []string{"C2", "C10"}, Notes: []string{
				`context_used "C0" is not a question`, `context_used "the budget" is not a question`, `context_used "C1234567" is not a question`,
			}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := statement.Parse(c.text)
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

func TestParseStatement_readsConfidences(t *testing.T) {
	for _, c := range []struct {
		json string
		want *float64
		note string
	}{
		{"0", floatPointer(0), ""},
		{"-0.0", floatPointer(0), ""},
		{"0.735", floatPointer(0.735), ""},
		{"1", floatPointer(1), ""},
		{`"0.6"`, floatPointer(0.6), ""},
		{`" .5 "`, floatPointer(0.5), ""},
		{`"70%"`, floatPointer(0.7), ""},
		{`"70 %"`, floatPointer(0.7), "confidence 70 % was read as 70%"},
		{`"0%"`, floatPointer(0), ""},
		{`"5%"`, floatPointer(0.05), ""},
		{`"80 percent"`, nil, "confidence 80 percent is not a number from 0 to 1"},
		{`"8/10"`, nil, "confidence 8/10 is not a number from 0 to 1"},
		{"55", floatPointer(0.55), "confidence 55 was read as 55%"},
		{`"70"`, floatPointer(0.7), "confidence 70 was read as 70%"},
		{"10.5", floatPointer(0.105), "confidence 10.5 was read as 10.5%"},
		{"100", floatPointer(1), "confidence 100 was read as 100%"},
		{"1.7", nil, "confidence 1.7 is not a number from 0 to 1"},
		{"8", nil, "confidence 8 is not a number from 0 to 1"},
		{"10", nil, "confidence 10 is not a number from 0 to 1"},
		{"101", nil, "confidence 101 is not a number from 0 to 1"},
		{"-3", nil, "confidence -3 is not a number from 0 to 1"},
		{`"170%"`, nil, "confidence 170% is not a number from 0 to 1"},
		{`"-1%"`, nil, "confidence -1% is not a number from 0 to 1"},
		{"null", nil, ""},
		{`"high"`, nil, "confidence high is not a number from 0 to 1"},
		{`"NaN"`, nil, "confidence NaN is not a number from 0 to 1"},
		{`"Inf"`, nil, "confidence Inf is not a number from 0 to 1"},
		{"1e999", nil, "confidence 1e999 is not a number from 0 to 1"},
		{"[0.5]", nil, "confidence [0.5] is not a number from 0 to 1"},
		{"true", nil, "confidence true is not a number from 0 to 1"},
		{`"` + strings.Repeat("x", 100) + `"`, nil, "confidence " + strings.Repeat("x", 40) + " is not a number from 0 to 1"},
	} {
		got := statement.Parse("Prose.\n```json\n{\"position\": \"p\", \"confidence\": " + c.json + "}\n```")
		if diff := cmp.Diff(c.want, got.Confidence); diff != "" {
			t.Errorf("confidence of %s (-want +got):\n%s", c.json, diff)
		}
		if note := strings.Join(got.Notes, "; "); note != c.note {
			t.Errorf("note on %s = %q, want %q", c.json, note, c.note)
		}
	}
}

// texts that end with a structured part, and where it begins.
var withBlock = []string{
	"Prose.\n\n|```json\n{\"position\": \"p\", \"confidence\": 0.5}\n```",
	"Prose.\n|```\n{\n  \"position\": \"p\"\n}\n```\n",
	"A `word` and\n```go\nfunc main() {}\n```\nmore.\n\n|  ```JSON\n  {\"vote\": \"yes\"}\n  ```",
	"Send\n```json\n{\"port\": 80}\n```\nand wait.\n|```json\n{\"position\": \"p\"}\n```",
	"Prose.\n|{\"position\": \"p\", \"citations\": [\"a\"]}",
	"|{\n  \"position\": \"p\"\n}",
}

func TestHideStructuredPart_keepsWhatIsNoBlock(t *testing.T) {
	for _, text := range []string{
		"",
		"Prose.\n",
		"Use `code` and ```more``` of it",
		"```go\nfunc main() {}\n```",
		"```\nplain\n```",
		"```json\n[1]\n```",
		"```json\n{\"port\": 80}\n```",
		"A set {1, 2}",
		"It logs {\"port\": 80}",
	} {
		if got := statement.HideStructuredPart(text); got != strings.TrimSpace(text) {
			t.Errorf("HideStructuredPart(%q) = %q, want all of it", text, got)
		}
	}
}

func FuzzParseStatement(f *testing.F) {
	for _, c := range withBlock {
		f.Add(strings.Replace(c, "|", "", 1))
	}
	for _, seed := range []string{
		"```", "``````", "```json", "```json {", "{", "{\"", "\n{\n{", "```\n{}\n```\n```json\n{\"position\":1}",
		"{\"position\":\"a\"}\n{\"position\":\"b\"}",
		"```json\n{\"confidence\":\"70%\",\"context_used\":\"[c2]\"}\n```\n```json\n{\"vote\":0",
		"a```b`{\"position\":0}", "\xff\xfe{\"position\":\"\xff\"}",
		"~~~\n[{'position': 'a', vote: True}]\n~~~\nmore", "{\"response\": {\"position\": \"a \"b\" c\", \"vote\": \"no\"}} more",
		"{position: a, b (c), /* d */ vote: no,} e {\"vote\": 1}", "```json\n{\"position\": \"a, \"vote\": \"no\"}\n```",
		"\r```{", "```{" + strings.Repeat("0", 99) + strings.Repeat(" ", 99), "00{\"0\": {\"0\": 0, \"scores\":  , 0\f",
		"```json\n{\"position\": \"a\"}```{\"vote\": \"yes\", \"confidence\": 1}\n```", "```json\n{\"position\": \"```json\n```\n{\"vote\": \"yes\", \"vote\": 1}\n```",
		"{“vote”: “a”} {“vote”: “b”}", "a {\"estimate\": {\"value\": 1, \"range\": [1, 2]}, \"scores\": [{\"score\": \"7/10\"}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := statement.Parse(text)
		if !isSubsequence(s.Body, text) {
			t.Fatalf("the body %q is not a part of %q", s.Body, text)
		}
		plain := !strings.Contains(text, "{") && !strings.Contains(strings.ToLower(text), "json")
		if plain && s.Body != strings.TrimSpace(text) {
			t.Fatalf("the body of %q is %q", text, s.Body)
		}
		if c := s.Confidence; c != nil && !(*c >= 0 && *c <= 1) {
			t.Fatalf("confidence %v is not within 0..1", *c)
		}
		if shown := statement.HideStructuredPart(text); !strings.HasPrefix(s.Body, shown) {
			t.Fatalf("HideStructuredPart(%q) = %q is not the beginning of the body %q", text, shown, s.Body)
		}
		var stream statement.ProseStream
		if shown := stream.Write(text[:len(text)/2]) + stream.Write(text[len(text)/2:]); !isSubsequence(shown, text) {
			t.Fatalf("of %q it shows %q while it streams", text, shown)
		}
	})
}

// isSubsequence reports whether the bytes of part are in text in that order, white space
// aside.
func isSubsequence(part, text string) bool {
	for _, c := range []byte(strings.Join(strings.Fields(part), "")) {
		n := strings.IndexByte(text, c)
		if n < 0 {
			return false
		}
		text = text[n+1:]
	}
	return true
}
