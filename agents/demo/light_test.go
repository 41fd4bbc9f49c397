package demo_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/demo"
)

// A summary may take five seconds. At a readable pace a long one would not be done.
func TestStream_givesASummaryAtOnce(t *testing.T) {
	body := strings.Repeat("One writer is enough. ", 200)
	chunks, err := stream(t, t.Context(), demo.Provider{}, agents.Request{Messages: []agents.Message{
		{Role: agents.System, Text: "You shorten one statement of a debate for readers who cannot read all of it."},
		{Role: agents.User, Text: "The reasoning of one statement.\n0123456789ab reasoning\n" + body + "\n0123456789ab end\n\nShorten it to 880 to 1320 characters."},
	}})
	if err != nil || len(chunks) != 2 {
		t.Fatalf("%d chunks, %v", len(chunks), err)
	}
	if n := len([]rune(chunks[0].Text)); n < 880 || n > 1320 || !strings.HasPrefix(chunks[0].Text, "Scripted summary: One writer") {
		t.Errorf("%d characters: %s", n, chunks[0].Text)
	}
}
