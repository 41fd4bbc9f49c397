package statement_test

import (
	"strings"
	"testing"

	"roundtable/debate/statement"
)

// Parsing a statement of ordinary length.
func BenchmarkParseStatement(b *testing.B) {
	text := strings.Repeat("A sentence of prose with a [C1] and some `code` in it. ", 60) +
		"\n\n```json\n{\"position\": \"Use Go for the service.\", \"confidence\": 0.7, \"vote\": \"yes\", " +
		"\"citations\": [\"RFC 1\", \"A book\"], \"context_used\": [\"C1\", \"C2\"]}\n```\n"
	for b.Loop() {
		if s := statement.Parse(text); s.Confidence == nil {
			b.Fatal("no confidence")
		}
	}
}

// Streaming a statement with a large block, a token at a time.
func BenchmarkProseStream(b *testing.B) {
	entry := `{"option": "Postgres", "criterion": "cost", "score": 7, "reason": "It is cheap to run, and cheap to leave."}`
	text := strings.Repeat("A sentence of prose with a [C1] in it. ", 60) +
		"\n\n```json\n{\"position\": \"p\", \"scores\": [\n" + strings.Repeat(entry+",\n", 80) + entry + "]}\n```\n"
	for b.Loop() {
		var s statement.ProseStream
		for i := 0; i < len(text); i += 4 {
			s.Write(text[i:min(len(text), i+4)])
		}
	}
}
