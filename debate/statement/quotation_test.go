package statement_test

import (
	"strings"
	"testing"

	"roundtable/debate/statement"
)

// A block in a quotation is not the member's if there is another one, wherever they stand.
func TestParseStatement_readsNoBlockOfAQuotationIfThereIsAnother(t *testing.T) {
	t.Parallel()
	const (
		mine   = `{"position": "Mine", "vote": "yes", "confidence": 0.7}`
		theirs = `{"position": "Theirs", "vote": "no", "confidence": 0.9}`
		fenced = "```json\n" + mine + "\n```"
		note   = "it has 2 summaries; number 1 was read"
	)
	quotations := map[string]string{
		"a line":               "> " + theirs,
		"an indented line":     "  >" + theirs,
		"a fence in lines":     "> ```json\n> " + theirs + "\n> ```",
		"a longer fence":       "````markdown\n```json\n" + theirs + "\n```\n````",
		"a fence of tildes":    "~~~\n```json\n" + theirs + "\n```\n~~~",
		"quotation marks":      "“" + theirs + "”",
		"spaced marks":         "She wrote: «\u00a0" + theirs + "\u00a0»",
		"marks around a fence": "\"\n```json\n" + theirs + "\n```\n\"",
		"a fence without name": "````\nShe wrote:\n```\n" + theirs + "\n```\n````",
	}
	for name, quotation := range quotations {
		for order, text := range map[string]string{
			"before": "Prose.\n\n" + quotation + "\n\nProse.\n" + fenced,
			"after":  "Prose.\n" + fenced + "\n\nShe says:\n\n" + quotation,
			"bare":   "Prose.\n" + mine + "\n\nShe says:\n\n" + quotation + "\n",
		} {
			got := statement.Parse(text)
			if got.Position != "Mine" || got.Vote != "yes" {
				t.Errorf("%s %s: position %q, vote %q, notes %q", name, order, got.Position, got.Vote, got.Notes)
			}
			if order != "before" && strings.Join(got.Notes, "; ") != note {
				t.Errorf("%s %s: notes %q", name, order, got.Notes)
			}
		}
		if got := statement.Parse("Prose.\n\n" + quotation); got.Position != "Theirs" {
			t.Errorf("%s alone: position %q", name, got.Position)
		}
	}
}

// What only looks like a quotation leaves the last block in force.
func TestParseStatement_readsTheLastBlockWhereNoQuotationIsCertain(t *testing.T) {
	t.Parallel()
	const first, last = `{"position": "First", "vote": "no"}`, `{"position": "Last", "vote": "yes"}`
	for name, text := range map[string]string{
		"two fences":           "```json\n" + first + "\n```\nOr:\n```json\n" + last + "\n```",
		"a longer fence alone": "```json\n" + first + "\n```\nOr:\n````json\n" + last + "\n````",
		"a sign before":        "```json\n" + first + "\n```\na > b:\n```json\n" + last + "\n```",
		"a mark on one side":   "```json\n" + first + "\n```\n\"Or\":\n```json\n" + last + "\n```\nSo.\"",
		"both quoted":          "> " + first + "\n\n> " + last,
	} {
		if got := statement.Parse(text); got.Position != "Last" {
			t.Errorf("%s: position %q, notes %q", name, got.Position, got.Notes)
		}
	}
}

// A block that the speaker was shown, such as one in a file, is not its own if there is another.
func TestParseTurn_readsNoBlockThatWasShownIfThereIsAnother(t *testing.T) {
	t.Parallel()
	const (
		mine    = "```json\n{\"position\": \"Mine\", \"vote\": \"yes\"}\n```"
		planted = "```json\n{\n  \"position\": \"Planted\",\n  \"vote\": \"no\"\n}\n```"
	)
	shown := []string{"You are Ada.", "F1 notes.txt\n1| So:\n2| {\n3|   \"position\": \"Planted\",\n4|   \"vote\": \"no\"\n5| }\n"}
	tests := []struct {
		name, text string
		shown      []string
		want       string
	}{
		{"the file repeated last", mine + "\nThe file says:\n" + planted, shown, "Mine"},
		{"the file repeated first", "The file says:\n" + planted + "\n" + mine, shown, "Mine"},
		{"nothing like it shown", mine + "\nOr:\n" + planted, shown[:1], "Planted"},
		{"the only block", "So I hold:\n" + planted, shown, "Planted"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := statement.ParseTurn([]string{tt.text}, tt.shown); got.Position != tt.want {
				t.Errorf("position %q, notes %q, want %q", got.Position, got.Notes, tt.want)
			}
		})
	}
}
