package statement_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"roundtable/debate/statement"
)

// The structured part is never shown while a statement streams, however it is cut, and
// all prose before its end is.
func TestProseStream_showsTheProseAlone(t *testing.T) {
	const (
		prose  = "I hold [C1] {so}. PROSE\n\n```go\nfunc f() {\n\tx := T{a: 1}\n}\n```\n\nSet\n```json\n{\"port\": 80}\n```\nThat is `{}` all.\n\n"
		object = `{"position": "SECRET", "vote": "yes", "confidence": 0.7}`
		after  = "\n\nThanks for reading. AFTER\n"
	)
	for _, block := range []string{
		"```json\n" + object + "\n```",
		"```\n" + object + "\n```",
		"~~~\n" + object + "\n~~~",
		"```python\n" + object + "\n```",
		object,
		"So: " + object,
		"[" + object + "]",
		"{'position': 'SECRET 'a' b', // SECRET\n vote: True,}",
		"```json\n{\"vote\": \"SECRET\"}\n```",
		"{\n  position: SECRET, vote: \"yes\"\n  confidence: 70%\n}",
	} {
		text := prose + block + after
		rapid.Check(t, func(rt *rapid.T) {
			var s statement.ProseStream
			shown := ""
			for rest := text; rest != ""; {
				n := min(len(rest), rapid.IntRange(1, 30).Draw(rt, "cut"))
				peeked := s.Peek(rest[:n])
				piece := s.Write(rest[:n])
				if shown += piece; peeked != "" && peeked != piece {
					rt.Fatalf("a look ahead shows %q, and then it is %q", peeked, piece)
				}
				rest = rest[n:]
				if strings.Contains(shown, "SECRET") || strings.Contains(shown, "position") {
					rt.Fatalf("the structured part shows:\n%s", shown)
				}
			}
			want := statement.Parse(text).Body
			if got := strings.Join(strings.Fields(shown), " "); got != strings.Join(strings.Fields(want), " ") {
				rt.Fatalf("it shows\n%s\nwant\n%s", shown, want)
			}
		})
	}
}

// A line of code that grows is shown ahead, however long it is.
func TestProseStream_showsALongLineAhead(t *testing.T) {
	var s statement.ProseStream
	shown := s.Write("Here:\n") + s.Write("```\n")
	for line := "abcd"; len(line) < 1000; line += "abcd" {
		if ahead := shown + s.Peek(line); !strings.HasSuffix(ahead, line) {
			t.Fatalf("of %d bytes it shows %q", len(line), ahead)
		}
	}
}

// However a text is cut, what is shown of it while it streams is the beginning of its
// prose, and all of it once the text has ended.
func TestProseStream_endsWithTheProseOfTheWhole(t *testing.T) {
	fragments := []string{
		"```json\n", "```\n", "```", "~~~\n", "```go\n", "`", "{", "}", "[", "\"", ",", ":", "\n", " ", "x", "é", "> ", "a {b} c", "Prose. ", "json",
		"\"position\": \"p\"", "\"vote\": \"no\", ", "position: a, ", "{\"port\": 80}", "{\"position\": \"p\"}", "[{\"position\": \"p\", \"vote\": \"yes\"}]",
		"```json\n{\"position\": \"p\", \"vote\": \"no\"}\n```", "{\"position\": \"p\", \"vote\":", "```json {\"vote\": \"k\"} ```",
	}
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 1, 12).Draw(rt, "fragments"), "") + "\nEnd.\n"
		var s statement.ProseStream
		shown := ""
		for rest := []rune(text); len(rest) > 0; {
			n := min(len(rest), rapid.IntRange(1, 12).Draw(rt, "cut"))
			ahead := s.Peek(string(rest[:n]))
			written := s.Write(string(rest[:n]))
			if ahead != "" && written != "" && !strings.HasPrefix(ahead, written) {
				rt.Fatalf("of %q it shows %q ahead, then %q", text, ahead, written)
			}
			shown += written
			rest = rest[n:]
		}
		want, all := statement.FirstProse(text)
		if !strings.HasPrefix(want, shown) || all && strings.TrimSpace(shown) != strings.TrimSpace(want) {
			rt.Fatalf("of %q it shows\n%q, want\n%q", text, shown, want)
		}
	})
}
