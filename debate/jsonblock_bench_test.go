package debate_test

import (
	"strings"
	"testing"

	"roundtable/debate"
)

// Parsing a statement of ordinary length, and hiding the structured part of long and
// hostile ones.
func BenchmarkParseStatement(b *testing.B) {
	text := strings.Repeat("A sentence of prose with a [C1] and some `code` in it. ", 60) +
		"\n\n```json\n{\"position\": \"Use Go for the service.\", \"confidence\": 0.7, \"stance\": \"yes\", " +
		"\"citations\": [\"RFC 1\", \"A book\"], \"context_used\": [\"C1\", \"C2\"]}\n```\n"
	for b.Loop() {
		if s := debate.ParseStatement(text); s.Confidence == nil {
			b.Fatal("no confidence")
		}
	}
}

func BenchmarkHideStructuredPart(b *testing.B) {
	for name, piece := range map[string]string{
		"prose":    "A sentence of prose with a [C1] and some `code` in it. ",
		"braces":   "{[",
		"members":  `{"position":"`,
		"quotes":   `" , `,
		"comments": "{position: /* ",
		"objects":  `{"position": "a"} `,
		"single":   `{"position": "a"} x `,
		"fences":   "```json\n{'position': 'a'\n",
		"words":    "{position: a, ",
		"deep":     `{"a":[`,
	} {
		text := strings.Repeat(piece, 200_000/len(piece))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				debate.HideStructuredPart(text)
			}
		})
	}
}
