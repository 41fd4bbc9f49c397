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
		object   = `{"position": "Use Go", "stance": "yes", "confidence": 0.7}`
		repaired = "its JSON block was repaired"
		second   = "it has 2 JSON blocks; the last one could not be read, an earlier one was"
	)
	for _, c := range []struct {
		name, text string
		position   string
		stance     debate.Stance
		confidence float64 // 0: not stated
		notes      string
	}{
		{"as asked for", "Prose.\n```json\n" + object + "\n```", "Use Go", "yes", 0.7, ""},
		{"a sentence after it", "```json\n" + object + "\n```\nProse.", "Use Go", "yes", 0.7, ""},
		{"a second one that only begins", "Prose.\n```json\n" + object + "\n```\n```json\n{\"pos", "Use Go", "yes", 0.7, second},
		{"a fence after it", "Prose.\n```json\n" + object + "\n```\n```json\n", "Use Go", "yes", 0.7, second},
		{"a second one cut off in its first text", "Prose.\n" + object + "\n```json\n{\"position\": \"Us", "Use Go", "yes", 0.7, second},
		{"a fence in a line, and another object", "Prose. ```json\n{\"stance\": \"no\", \"choice\": \"b\"}\n```\n" + object, "Use Go", "yes", 0.7, "it has 2 JSON blocks; the last one was read"},
		{"a fence in a line that the next one ends", "Prose. ```json\n{\"stance\": \"no\", \"choice\": \"b\"}\n```json\n" + object + "\n```", "Use Go", "yes", 0.7, "it has 2 JSON blocks; the last one was read"},
		{"bare, before the prose", object + "\nProse.", "Use Go", "yes", 0.7, ""},
		{"tildes", "Prose.\n~~~json\n" + object + "\n~~~", "Use Go", "yes", 0.7, ""},
		{"tildes without a language", "Prose.\n~~~\n" + object + "\n~~~\n", "Use Go", "yes", 0.7, ""},
		{"another language", "Prose.\n```javascript\n" + object + "\n```", "Use Go", "yes", 0.7, ""},
		{"in a list", "Prose.\n```json\n[" + object + "]\n```", "Use Go", "yes", 0.7, ""},
		{"in a list, bare", "Prose.\n[\n  " + object + "\n]", "Use Go", "yes", 0.7, ""},
		{"in an outer object", "Prose.\n```json\n{\"response\": " + object + "}\n```", "Use Go", "yes", 0.7, ""},
		{
			"a line break in a text", "Prose.\n```json\n{\"position\": \"Use\nGo\", \"stance\": \"yes\", \"confidence\": 0.7}\n```",
			"Use\nGo", "yes", 0.7, repaired,
		},
		{"single quotes", "Prose.\n```json\n{'position': 'It's Go', 'stance': 'yes', 'confidence': 0.7}\n```", "It's Go", "yes", 0.7, repaired},
		{"curved quotes", "Prose.\n{“position”: “Use Go”, “stance”: “yes”, “confidence”: 0.7}", "Use Go", "yes", 0.7, repaired},
		{
			"unescaped quotes", "Prose.\n```json\n{\"position\": \"the \"best\" one\", \"stance\": \"yes\", \"confidence\": 0.7}\n```",
			`the "best" one`, "yes", 0.7, repaired,
		},
		{
			"unescaped quotes at the ends", "Prose.\n```json\n{\"position\": \"\"Go\" or \"Zig\"\", \"stance\": \"yes\", \"confidence\": 0.7}\n```",
			`"Go" or "Zig"`, "yes", 0.7, repaired,
		},
		{
			"unescaped quotes before a comma",
			"Prose.\n```json\n{\"position\": \"He said, \"yes\", and \"no\".\", \"stance\": \"yes\", \"confidence\": 0.7}\n```",
			`He said, "yes", and "no".`, "yes", 0.7, repaired,
		},
		{
			"unescaped quotes like a member",
			"Prose.\n```json\n{\"position\": \"He said \"yes\", \"no\": never\", \"stance\": \"yes\", \"confidence\": 0.7}\n```",
			"", "yes", 0.7, repaired + "; position could not be read: its quotes are unclear",
		},
		{
			"comments",
			"Prose.\n```jsonc\n{ // mine\n  \"position\": \"Use Go\", /* or Zig */ \"stance\": \"yes\",\n  \"confidence\": 0.7 // of 1\n}\n```",
			"Use Go", "yes", 0.7, repaired,
		},
		{"trailing commas", "Prose.\n{\"position\": \"Use Go\", \"stance\": \"yes\", \"citations\": [\"a\",], \"confidence\": 0.7,}", "Use Go", "yes", 0.7, repaired},
		{
			"commas and braces too many", "Prose.\n```json\n{\"position\": \"Use Go\",, \"stance\": \"yes\", , \"confidence\": 0.7}}\n```",
			"Use Go", "yes", 0.7, repaired,
		},
		{"missing commas", "Prose.\n{\"position\": \"Use Go\"\n\"stance\": \"yes\"\n\"confidence\": 0.7}", "Use Go", "yes", 0.7, repaired},
		{
			"words of Python", "Prose.\n```python\n{'position': 'Use Go', 'stance': True, 'confidence': 0.7, 'citations': None}\n```",
			"Use Go", "yes", 0.7, repaired + "; stance true was read as yes",
		},
		{"true", "Prose.\n{\"position\": \"Use Go\", \"stance\": false, \"confidence\": 0.7}", "Use Go", "no", 0.7, "stance false was read as no"},
		{"capitals", "Prose.\n{\"Position\": \"Use Go\", \"STANCE\": \"YES.\", \"Confidence\": 0.7}", "Use Go", "yes", 0.7, ""},
		{"names without quotes", "Prose.\n{position: \"Use Go\", stance: yes, confidence: 0.7}", "Use Go", "yes", 0.7, repaired},
		{"words without quotes", "Prose.\n```\n{position: Use Go, not Rust (yet), stance: yes, confidence: .7}\n```", "Use Go, not Rust (yet)", "yes", 0.7, repaired},
		{"a percentage", "Prose.\n{\"position\": \"Use Go\", \"stance\": \"yes\", \"confidence\": \"70%\"}", "Use Go", "yes", 0.7, ""},
		{
			"a percentage without quotes", "Prose.\n```json\n{\"position\": \"Use Go\", \"stance\": \"yes\", \"confidence\": 70%}\n```",
			"Use Go", "yes", 0.7, repaired,
		},
		{"of a hundred", "Prose.\n{\"position\": \"Use Go\", \"stance\": \"yes\", \"confidence\": 70}", "Use Go", "yes", 0.7, "confidence 70 was read as 70%"},
		{"of ten", "Prose.\n{\"position\": \"Use Go\", \"stance\": \"yes\", \"confidence\": 7}", "Use Go", "yes", 0, "confidence 7 is not a number from 0 to 1"},
		{"a word", "Prose.\n{\"position\": \"Use Go\", \"stance\": \"yes\", \"confidence\": \"high\"}", "Use Go", "yes", 0, "confidence high is not a number from 0 to 1"},
		{"no closing brace", "Prose.\n```json\n{\"position\": \"Use Go\", \"stance\": \"yes\", \"confidence\": 0.7\n```", "Use Go", "yes", 0.7, repaired},
		{"cut off in a text", "Prose.\n```json\n{\"stance\": \"yes\", \"confidence\": 0.7, \"position\": \"Use G", "", "yes", 0.7, `its JSON block was cut off at "position"`},
		{"cut off in a number", "Prose.\n{\"position\": \"Use Go\", \"stance\": \"yes\", \"confidence\": 0.", "Use Go", "yes", 0, `its JSON block was cut off at "confidence"`},
		{"cut off in a name", "Prose.\n```json\n{\"position\": \"Use Go\", \"stance\": \"yes\", \"confid", "Use Go", "yes", 0, "its JSON block was cut off"},
		{
			"cut off in an outer object", "Prose.\n```json\n{\"response\": {\"position\": \"Use Go\", \"stance\": \"yes\", \"confidence\": 0.7, \"citations\": [\"a\", \"b",
			"Use Go", "yes", 0.7, `its JSON block was cut off at "citations"`,
		},
		{"no closing quote", "Prose.\n```json\n{\"stance\": \"yes\", \"position\": \"Use Go, \"confidence\": 0.7}\n```", "", "yes", 0, `its JSON block could not be read from "position" on`},
		{"no JSON", "Prose.\n```json\n{\"position\" = \"Use Go\"}\n```", "", "", 0, "its JSON block could not be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := statement.Parse(c.text)
			if got.Position != c.position || got.Stance != c.stance || strings.Join(got.Notes, "; ") != c.notes {
				t.Errorf("position %q, stance %q, notes %q; want %q, %q, %q",
					got.Position, got.Stance, got.Notes, c.position, c.stance, c.notes)
			}
			confidence := 0.0
			if got.Confidence != nil {
				confidence = *got.Confidence
			}
			if confidence != c.confidence {
				t.Errorf("confidence %v, want %v", confidence, c.confidence)
			}
			if readable := c.position != "" || c.stance != ""; got.HasBlock() != readable || readable && got.Body != "Prose." {
				t.Errorf("it has a block: %v, and the body %q", got.HasBlock(), got.Body)
			}
			if shown := statement.HideStructuredPart(c.text); shown != got.Body {
				t.Errorf("it shows %q, but the body is %q", shown, got.Body)
			}
		})
	}
}

func TestParseStatement_readsChoices(t *testing.T) {
	long := strings.Repeat("é", 41)
	for _, c := range []struct{ json, want, note string }{
		{`"Postgres"`, "Postgres", ""},
		{`" Postgres \n 17 "`, "Postgres 17", ""},
		{`"C++"`, "C++", ""},
		{"17", "17", ""},
		{"true", "yes", "choice true was read as yes"},
		{"false", "no", "choice false was read as no"},
		{`"` + long + `"`, long[:78] + "…", "choice was cut at 40 characters"},
		{`""`, "", ""},
		{"null", "", ""},
		{`["a"]`, "", "choice is not a label"},
		{`{"a": "b"}`, "", "choice is not a label"},
	} {
		got := statement.Parse("Prose.\n```json\n{\"choice\": " + c.json + "}\n```")
		if note := strings.Join(got.Notes, "; "); got.Choice != c.want || note != c.note {
			t.Errorf("choice %s: %q with %q, want %q with %q", c.json, got.Choice, note, c.want, c.note)
		}
	}
}

func TestParseStatement_readsEstimates(t *testing.T) {
	p := floatPointer
	for _, c := range []struct {
		json string
		want *debate.Estimate
		note string
	}{
		{`{"value": 12, "unit": "weeks", "low": 8, "high": 20}`, &debate.Estimate{Value: 12, Unit: "weeks", Low: p(8), High: p(20)}, ""},
		{`{"value": 12, "unit": "weeks", "range": [8, 20]}`, &debate.Estimate{Value: 12, Unit: "weeks", Low: p(8), High: p(20)}, ""},
		{`{"Value": "12 weeks", "low": "8 weeks"}`, &debate.Estimate{Value: 12, Unit: "weeks", Low: p(8)}, ""},
		{"12", &debate.Estimate{Value: 12}, ""},
		{`"12"`, &debate.Estimate{Value: 12}, ""},
		{`"12 weeks"`, &debate.Estimate{Value: 12, Unit: "weeks"}, ""},
		{`"about 1,200.5 € a year"`, &debate.Estimate{Value: 1200.5, Unit: "€ a year"}, ""},
		{`"$5"`, &debate.Estimate{Value: 5, Unit: "$"}, ""},
		{`"15%"`, &debate.Estimate{Value: 15, Unit: "%"}, ""},
		{`"8-12 weeks"`, &debate.Estimate{Value: 10, Unit: "weeks", Low: p(8), High: p(12)}, "estimate 8-12 weeks was read as 10"},
		{`"8 to 12 weeks"`, &debate.Estimate{Value: 10, Unit: "weeks", Low: p(8), High: p(12)}, "estimate 8 to 12 weeks was read as 10"},
		{`"12-8 weeks"`, nil, "estimate 12-8 weeks is not a number"},
		{`{"value": "8–12", "unit": "weeks"}`, &debate.Estimate{Value: 10, Unit: "weeks", Low: p(8), High: p(12)}, "estimate 8–12 was read as 10"},
		{`{"value": "8-12", "low": 6, "high": 20}`, &debate.Estimate{Value: 10, Low: p(6), High: p(20)}, "estimate 8-12 was read as 10"},
		{`{"value": 12, "low": "6-8"}`, &debate.Estimate{Value: 12}, "low 6-8 of the estimate is not a number"},
		{`"$1.2M"`, &debate.Estimate{Value: 1.2e6, Unit: "$"}, "estimate $1.2M was read as 1200000"},
		{`"1.2M USD"`, &debate.Estimate{Value: 1.2e6, Unit: "USD"}, "estimate 1.2M USD was read as 1200000"},
		{`"$1-2M"`, &debate.Estimate{Value: 1.5e6, Unit: "$", Low: p(1e6), High: p(2e6)}, "estimate $1-2M was read as 1500000"},
		{`"1,200"`, nil, "estimate 1,200 can be read as two numbers"},
		{`"1.200 EUR"`, nil, "estimate 1.200 EUR can be read as two numbers"},
		{"1.200", &debate.Estimate{Value: 1.2}, ""},
		{`"1.200.000 EUR"`, &debate.Estimate{Value: 1.2e6, Unit: "EUR"}, ""},
		{`"1.200,50 EUR"`, &debate.Estimate{Value: 1200.5, Unit: "EUR"}, ""},
		{`"1 200 EUR"`, &debate.Estimate{Value: 1200, Unit: "EUR"}, ""},
		{`"0.125"`, &debate.Estimate{Value: 0.125}, ""},
		{`"1e6"`, &debate.Estimate{Value: 1e6}, ""},
		{`"3 million EUR"`, &debate.Estimate{Value: 3e6, Unit: "EUR"}, "estimate 3 million EUR was read as 3000000"},
		{`{"value": 12, "unit": "k€"}`, &debate.Estimate{Value: 12000, Unit: "€"}, "estimate 12 was read as 12000"},
		{`"> 3 weeks"`, &debate.Estimate{Value: 3, Unit: "weeks"}, ""},
		{`"100 ± 10 ms"`, &debate.Estimate{Value: 100, Unit: "ms", Low: p(90), High: p(110)}, "estimate 100 ± 10 ms was read as 100"},
		{
			`{"low": 8, "high": 12, "unit": "weeks"}`, &debate.Estimate{Value: 10, Unit: "weeks", Low: p(8), High: p(12)},
			"the estimate has a range alone, and was read as its middle, 10",
		},
		{
			`{"value": "10 days", "unit": "weeks"}`, &debate.Estimate{Value: 10, Unit: "weeks"},
			"estimate 10 days has the unit weeks; nothing was converted",
		},
		{`{"value": "$5", "unit": "USD"}`, &debate.Estimate{Value: 5, Unit: "USD"}, ""},
		{
			`{"value": 10, "unit": "days", "low": "1 week", "high": "12 day"}`, &debate.Estimate{Value: 10, Unit: "days", High: p(12)},
			"low 1 week of the estimate is in another unit and was left out",
		},
		{`{"low": "10 days", "high": "3 weeks"}`, nil, "high 3 weeks of the estimate is in another unit and was left out"},
		{`"512MB"`, &debate.Estimate{Value: 512, Unit: "MB"}, ""},
		{`"-3 °C"`, &debate.Estimate{Value: -3, Unit: "°C"}, ""},
		{`"1,5 weeks"`, &debate.Estimate{Value: 1.5, Unit: "weeks"}, ""},
		{`"a while"`, nil, "estimate a while is not a number"},
		{`{"unit": "weeks"}`, nil, "estimate has no value"},
		{"1e999", nil, "estimate 1e999 is not a number"},
		{"null", nil, ""},
		{`{"value": 12, "low": 14}`, &debate.Estimate{Value: 12}, "the range of the estimate was ignored: its value is not within it"},
		{`{"value": 12, "high": "x"}`, &debate.Estimate{Value: 12}, "high x of the estimate is not a number"},
		{`{"value": 12, "range": [1]}`, &debate.Estimate{Value: 12}, "the range of the estimate could not be read"},
	} {
		got := statement.Parse("Prose.\n```json\n{\"estimate\": " + c.json + "}\n```")
		if diff := cmp.Diff(c.want, got.Estimate); diff != "" {
			t.Errorf("estimate %s (-want +got):\n%s", c.json, diff)
		}
		if note := strings.Join(got.Notes, "; "); note != c.note {
			t.Errorf("note on %s = %q, want %q", c.json, note, c.note)
		}
	}
}
