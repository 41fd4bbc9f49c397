package statement_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/statement"
)

// Forms in which models write the structured part of a statement. Position, side and
// confidence are read rightly, or are not stated and have a note.
func TestParseStatement_readsTheFormsInWhichModelsWriteTheStructuredPart(t *testing.T) {
	const (
		object   = `{"position": "Use Go", "vote": "yes", "confidence": 0.7}`
		repaired = "its summary was repaired"
		second   = "it has 2 summaries; the last one could not be read, an earlier one was"
	)
	for _, c := range []struct {
		name, text string
		position   string
		vote       string
		confidence float64 // 0: not stated
		notes      string
	}{
		{"as asked for", "Prose.\n```json\n" + object + "\n```", "Use Go", "yes", 0.7, ""},
		{"a sentence after it", "```json\n" + object + "\n```\nProse.", "Use Go", "yes", 0.7, ""},
		{"a second one that only begins", "Prose.\n```json\n" + object + "\n```\n```json\n{\"pos", "Use Go", "yes", 0.7, second},
		{"a fence after it", "Prose.\n```json\n" + object + "\n```\n```json\n", "Use Go", "yes", 0.7, second},
		{"a second one cut off in its first text", "Prose.\n" + object + "\n```json\n{\"position\": \"Us", "Use Go", "yes", 0.7, second},
		{"bare, before the prose", object + "\nProse.", "Use Go", "yes", 0.7, ""},
		{"tildes", "Prose.\n~~~json\n" + object + "\n~~~", "Use Go", "yes", 0.7, ""},
		{"tildes without a language", "Prose.\n~~~\n" + object + "\n~~~\n", "Use Go", "yes", 0.7, ""},
		{"another language", "Prose.\n```javascript\n" + object + "\n```", "Use Go", "yes", 0.7, ""},
		{
			"a line break in a text", "Prose.\n```json\n{\"position\": \"Use\nGo\", \"vote\": \"yes\", \"confidence\": 0.7}\n```",
			"Use\nGo", "yes", 0.7, repaired,
		},
		{"single quotes", "Prose.\n```json\n{'position': 'It's Go', 'vote': 'yes', 'confidence': 0.7}\n```", "It's Go", "yes", 0.7, repaired},
		{"curved quotes", "Prose.\n{“position”: “Use Go”, “vote”: “yes”, “confidence”: 0.7}", "Use Go", "yes", 0.7, repaired},
		{
			"unescaped quotes", "Prose.\n```json\n{\"position\": \"the \"best\" one\", \"vote\": \"yes\", \"confidence\": 0.7}\n```",
			`the "best" one`, "yes", 0.7, repaired,
		},
		{
			"unescaped quotes at the ends", "Prose.\n```json\n{\"position\": \"\"Go\" or \"Zig\"\", \"vote\": \"yes\", \"confidence\": 0.7}\n```",
			`"Go" or "Zig"`, "yes", 0.7, repaired,
		},
		{
			"unescaped quotes before a comma",
			"Prose.\n```json\n{\"position\": \"He said, \"yes\", and \"no\".\", \"vote\": \"yes\", \"confidence\": 0.7}\n```",
			`He said, "yes", and "no".`, "yes", 0.7, repaired,
		},
		{
			"unescaped quotes like a member",
			"Prose.\n```json\n{\"position\": \"He said \"yes\", \"no\": never\", \"vote\": \"yes\", \"confidence\": 0.7}\n```",
			`He said "yes`, "yes", 0.7, repaired,
		},
		{
			"comments",
			"Prose.\n```jsonc\n{ // mine\n  \"position\": \"Use Go\", /* or Zig */ \"vote\": \"yes\",\n  \"confidence\": 0.7 // of 1\n}\n```",
			"Use Go", "yes", 0.7, repaired,
		},
		{"trailing commas", "Prose.\n{\"position\": \"Use Go\", \"vote\": \"yes\", \"citations\": [\"a\",], \"confidence\": 0.7,}", "Use Go", "yes", 0.7, repaired},
		{
			"commas and braces too many", "Prose.\n```json\n{\"position\": \"Use Go\",, \"vote\": \"yes\", , \"confidence\": 0.7}}\n```",
			"Use Go", "yes", 0.7, repaired,
		},
		{"missing commas", "Prose.\n{\"position\": \"Use Go\"\n\"vote\": \"yes\"\n\"confidence\": 0.7}", "Use Go", "yes", 0.7, repaired},
		{
			"words of Python", "Prose.\n```python\n{'position': 'Use Go', 'vote': True, 'confidence': 0.7, 'citations': None}\n```",
			"Use Go", "true", 0.7, repaired,
		},
		{"true", "Prose.\n{\"position\": \"Use Go\", \"vote\": false, \"confidence\": 0.7}", "Use Go", "false", 0.7, ""},
		{"capitals", "Prose.\n{\"Position\": \"Use Go\", \"VOTE\": \"YES.\", \"Confidence\": 0.7}", "Use Go", "YES.", 0.7, ""},
		{"names without quotes", "Prose.\n{position: \"Use Go\", vote: yes, confidence: 0.7}", "Use Go", "yes", 0.7, repaired},
		{"words without quotes", "Prose.\n```\n{position: Use Go, not Rust (yet), vote: yes, confidence: .7}\n```", "Use Go, not Rust (yet)", "yes", 0.7, repaired},
		{"a percentage", "Prose.\n{\"position\": \"Use Go\", \"vote\": \"yes\", \"confidence\": \"70%\"}", "Use Go", "yes", 0.7, ""},
		{
			"a percentage without quotes", "Prose.\n```json\n{\"position\": \"Use Go\", \"vote\": \"yes\", \"confidence\": 70%}\n```",
			"Use Go", "yes", 0.7, repaired,
		},
		{"of a hundred", "Prose.\n{\"position\": \"Use Go\", \"vote\": \"yes\", \"confidence\": 70}", "Use Go", "yes", 0.7, "confidence 70 was read as 70%"},
		{"of ten", "Prose.\n{\"position\": \"Use Go\", \"vote\": \"yes\", \"confidence\": 7}", "Use Go", "yes", 0, "confidence 7 is not a number from 0 to 1"},
		{"a word", "Prose.\n{\"position\": \"Use Go\", \"vote\": \"yes\", \"confidence\": \"high\"}", "Use Go", "yes", 0, "confidence high is not a number from 0 to 1"},
		{"no closing brace", "Prose.\n```json\n{\"position\": \"Use Go\", \"vote\": \"yes\", \"confidence\": 0.7\n```", "Use Go", "yes", 0.7, repaired},
		{"cut off in a text", "Prose.\n```json\n{\"vote\": \"yes\", \"confidence\": 0.7, \"position\": \"Use G", "", "yes", 0.7, `its summary is readable up to "position"`},
		{"cut off in a number", "Prose.\n{\"position\": \"Use Go\", \"vote\": \"yes\", \"confidence\": 0.", "Use Go", "yes", 0, `its summary is readable up to "confidence"`},
		{"cut off in a name", "Prose.\n```json\n{\"position\": \"Use Go\", \"vote\": \"yes\", \"confid", "Use Go", "yes", 0, "its summary was cut off"},
		{
			"cut off in a list", "Prose.\n```json\n{\"position\": \"Use Go\", \"vote\": \"yes\", \"confidence\": 0.7, \"citations\": [\"a\", \"b",
			"Use Go", "yes", 0.7, `its summary is readable up to "citations"`,
		},
		{"no closing quote", "Prose.\n```json\n{\"vote\": \"yes\", \"position\": \"Use Go, \"confidence\": 0.7}\n```", "", "yes", 0, `its summary is readable up to "position"`},
		{"no JSON", "Prose.\n```json\n{\"position\" = \"Use Go\"}\n```", "", "", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := statement.Parse(c.text)
			if got.Position != c.position || got.Vote != c.vote || strings.Join(got.Notes, "; ") != c.notes {
				t.Errorf("position %q, vote %q, notes %q; want %q, %q, %q",
					got.Position, got.Vote, got.Notes, c.position, c.vote, c.notes)
			}
			confidence := 0.0
			if got.Confidence != nil {
				confidence = *got.Confidence
			}
			if confidence != c.confidence {
				t.Errorf("confidence %v, want %v", confidence, c.confidence)
			}
			if readable := c.position != "" || c.vote != ""; got.HasBlock() != readable || readable && got.Body != "Prose." {
				t.Errorf("it has a block: %v, and the body %q", got.HasBlock(), got.Body)
			}
			if shown := statement.HideStructuredPart(c.text); shown != got.Body {
				t.Errorf("it shows %q, but the body is %q", shown, got.Body)
			}
		})
	}
}

// A vote is kept as it is written: what it is depends on the question.
func TestParseStatement_readsVotes(t *testing.T) {
	long, p := strings.Repeat("é", 100), floatPointer
	for _, c := range []struct {
		json string
		want debate.Statement
	}{
		{`"Postgres"`, debate.Statement{Vote: "Postgres"}},
		{`" Postgres \n 17 "`, debate.Statement{Vote: "Postgres 17"}},
		{`"C++"`, debate.Statement{Vote: "C++"}},
		{"12.50", debate.Statement{Vote: "12.50"}},
		{"true", debate.Statement{Vote: "true"}},
		{`"` + long + `"`, debate.Statement{Vote: long[:160]}},
		{`""`, debate.Statement{}},
		{"null", debate.Statement{}},
		{`["a"]`, debate.Statement{Notes: []string{"vote is neither a text nor a number"}}},
		{`{"value": 12}`, debate.Statement{Notes: []string{"vote is neither a text nor a number"}}},
		{`12, "low": 8, "high": "20"`, debate.Statement{Vote: "12", Low: p(8), High: p(20)}},
		{`12, "low": "6-8", "high": null`, debate.Statement{Vote: "12", Notes: []string{"low 6-8 is not a number"}}},
	} {
		c.want.Body = "Prose."
		got := statement.Parse("Prose.\n```json\n{\"vote\": " + c.json + "}\n```")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("vote %s (-want +got):\n%s", c.json, diff)
		}
	}
}
