package pane_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/theme"
)

var sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// checkView fails unless the drawing has its size and contains no control characters
// except styles.
func checkView(t viewtest.TB, view string, w, h int) {
	t.Helper()
	viewtest.RequireSize(t, view, w, h)
	for i, l := range strings.Split(view, "\n") {
		bare := sgr.ReplaceAllString(l, "")
		if !utf8.ValidString(bare) || strings.ContainsFunc(bare, unicode.IsControl) {
			t.Fatalf("row %d contains a control character: %q", i, l)
		}
	}
}

// hostilePane returns a pane with foreign text in every place: names, texts, tools,
// requests, failures.
func hostilePane(foreign func() string, w, h int, th *theme.Theme) *seatPane {
	who := ada
	who.Name, who.Model, who.Provider = foreign(), foreign(), foreign()
	p := paneOf(1, who, th)
	p.SetSize(w, h)
	one, two := turn(ada, 1), turn(ada, 2)
	tool := debate.ToolRecord{
		ID: "t", Name: foreign(), Args: foreign(), State: debate.ToolDone,
		Result: agents.ToolResult{Status: agents.ToolOK, Text: foreign(), Summary: foreign()},
	}
	r := request("C1", foreign(), foreign(), ledger.Required, noon, two, 2)
	p.SetSession(session([]agents.Profile{who, brook}, 3, []ledger.Request{r}, []debate.Response{
		withRole(foreign(), doneResponse(one, stated(foreign(), 2, foreign(), foreign(), foreign()), 10, 1,
			debate.Passage{Text: foreign(), Reasoning: foreign(), Tools: []debate.ToolRecord{tool}})),
	}))
	apply(p, debate.TurnStarted{Turn: two, Role: foreign()}, debate.Text{Turn: two, Text: foreign(), Reasoning: true})
	for range 4 {
		p.Apply(debate.Text{Turn: two, Text: foreign()})
	}
	apply(p, debate.ToolStarted{Turn: two, Tool: tool}, debate.ToolStarted{Turn: two, Tool: asks(two, 2)},
		debate.Text{Turn: two, Passage: 1, Text: foreign()})
	return p
}

func TestView_hasItsSizeForAllInput(t *testing.T) {
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
	bits := []string{
		"word ", "\x1b[2J", "\x1b]52;c;eA==\a", "\x1b]8;;http://x", "\r", "\n", "\t", "世界", "e\u0301\u0301", "👩‍👩‍👧", "\u202e",
		"\u200b", "`", "```json\n", "{\"position\":", "|a|b|\n|-|-|\n", "- ", "# ", "\xff\xfe", "\u0e33", "🇩🇪", strings.Repeat("long",
			40), "[C1]", "\x9b31m", "**", " ",
	}
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.Custom(func(rt *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(bits), 0, 12).Draw(rt, "bits"), "")
		})
		w, h := rapid.IntRange(1, 90).Draw(rt, "w"), rapid.IntRange(1, 30).Draw(rt, "h")
		p := hostilePane(func() string { return text.Draw(rt, "text") }, w, h, th)
		checkView(rt, p.View(noon, 0), w, h)
		for range rapid.IntRange(0, 5).Draw(rt, "steps") {
			switch rapid.IntRange(0, 7).Draw(rt, "step") {
			case 0:
				w, h = rapid.IntRange(1, 90).Draw(rt, "w"), rapid.IntRange(1, 30).Draw(rt, "h")
				p.SetSize(w, h)
			case 1:
				p.Scroll(rapid.IntRange(-20, 20).Draw(rt, "lines"))
			case 2:
				p.ToggleTools()
			case 3:
				find(p, text.Draw(rt, "find"))
			case 4:
				p.SetBesideForm(true)
			case 5:
				p.Apply(debate.TurnRetrying{
					Turn: turn(ada, 2), At: noon,
					Retry: agents.Retry{Cause: text.Draw(rt, "cause"), Try: 1, Of: 3, In: time.Minute},
				})
			case 6:
				p.Apply(debate.TurnEnded{Response: debate.Response{
					Turn: turn(ada, 2), State: debate.TurnFailed, Passages: []debate.Passage{{Text: text.Draw(rt, "partial")}},
					Failure: &debate.TurnFailure{Cause: text.Draw(rt, "cause"), Remedy: text.Draw(rt, "remedy"), Tries: 2},
				}})
			case 7:
				p.SetFocused(true)
			}
			checkView(rt, p.View(noon.Add(time.Minute), 1), w, h)
		}
	})
}

func FuzzView(f *testing.F) {
	f.Add("Hello **you**.\n\n```json\n{\"position\": \"x\"}\n```", 46, 12)
	f.Add("\x1b]52;c;eA==\x07\x1b[2J\r世界 e\u0301", 20, 5)
	f.Add("| a | b |\n|---|---|\n| 1 | 2 |\n", 33, 9)
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
	f.Fuzz(func(t *testing.T, text string, w, h int) {
		w, h = 1+abs(w)%100, 1+abs(h)%40
		p := hostilePane(func() string { return text }, w, h, th)
		checkView(t, p.View(noon, 0), w, h)
		find(p, text)
		p.SetSize(w/2+1, h)
		checkView(t, p.View(noon, 0), w/2+1, h)
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

// The structured block is never visible while it streams, however the text is cut, and
// other code blocks are shown in the end.
func TestView_hidesTheStructuredPartWhileItStreams(t *testing.T) {
	const head = "I hold this.\n\n```go\nfunc f() {}\n```\n\nAn example:\n\n```json\n{\"key\": \"example\"}\n```\n\nThat is all.\n\n"
	const block = "```json\n{\"position\": \"SECRET\", \"confidence\": 0.5}\n```\n"
	rapid.Check(t, func(rt *rapid.T) {
		p := newPane(1, ada, 60, 40)
		one := turn(ada, 1)
		p.Apply(started(one))
		rest := head + block
		for rest != "" {
			n := min(len(rest), rapid.IntRange(1, 60).Draw(rt, "cut"))
			p.Apply(debate.Text{Turn: one, Text: rest[:n]})
			rest = rest[n:]
			if got := body(t, p, 60, 40); strings.Contains(got, "SECRET") || strings.Contains(got, "position") {
				rt.Fatalf("the structured part shows:\n%s", got)
			}
		}
		got := body(t, p, 60, 40)
		for _, want := range []string{"I hold this.", "func f() {}", `{"key": "example"}`, "That is all."} {
			if !strings.Contains(got, want) {
				rt.Fatalf("%q is missing:\n%s", want, got)
			}
		}
	})
}

// Text is shown up to its last character, however it was cut.
func TestView_showsTheLastCharacter(t *testing.T) {
	const said = "Café, 請求 and a **bold** word; then `code`, 1.\n\n- an item of the list\n\nEnd"
	rapid.Check(t, func(rt *rapid.T) {
		cut, whole := newPane(1, ada, 60, 20), newPane(1, ada, 60, 20)
		one := turn(ada, 1)
		cut.Apply(started(one))
		whole.Apply(started(one))
		upto := rapid.IntRange(1, utf8.RuneCountInString(said)).Draw(rt, "upto")
		text := string([]rune(said)[:upto])
		for rest := []rune(text); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(rt, "piece")
			cut.Apply(debate.Text{Turn: one, Text: string(rest[:n])})
			rest = rest[n:]
			cut.View(noon, 0)
		}
		whole.Apply(debate.Text{Turn: one, Text: text})
		got, want := body(t, cut, 60, 20), body(t, whole, 60, 20)
		if got != want {
			rt.Fatalf("in pieces\n%s\nat once\n%s", got, want)
		}
		last := text[strings.LastIndexAny(text, " *`\n-")+1:]
		if !strings.Contains(got, last) {
			rt.Fatalf("%q is not shown to its end:\n%s", last, got)
		}
	})
}
