package markdown_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"roundtable/tui/markdown"
	"roundtable/tui/theme"
)

// pieces are the parts of generated texts: everything that opens, continues or ends a
// block, or looks as if it did.
var pieces = []string{
	"a", "word", "two words", " ", "  ", "    ", "      ", "\n", "\n", "\n", "\n\n", "\n\n\n", "\t",
	"# ", "## ", "#", "===\n", "---\n", "***\n", "- ", "* ", "+ ", "-", "1. ", "2. ", "2", "10) ", ".", "- [ ] ", "- [x] ",
	"> ", ">", "```\n", "```go\n", "~~~\n", "``", "`", "<div>", "</div>", "<br>", "<!-- ", "-->", "<b>", "<script>", "</script>",
	"| a | b |\n", "|---|:-:|\n", "|---|---|\n", "| 1 | 2 | 3 |\n", "|", "a|b\n", "-|-\n",
	"*", "**", "_", "~~", "~", "[", "](", ")", "](https://x.org/a) ", "![", "![i](i.png)", "[r]: https://x.org\n", "[r]",
	"https://x.org/a ", "www.x.org",
	"\\", "\\\n", "  \n", "&amp;", "&#27;", "&#x202e;", "&nbsp;", "世界", "、", "é", "e\u0301", "👍", "한", "◌\u0301",
	"long_word_without_any_blank_that_is_longer_than_a_line_of_forty_cells",
}

func source() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 60).Draw(t, "pieces"), "")
	})
}

func renderer() *markdown.Renderer {
	return markdown.New(markdown.NewStyles(theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})))
}

func TestDoc_doesNotDependOnHowTheTextArrived(t *testing.T) {
	r := renderer()
	rapid.Check(t, func(t *rapid.T) {
		src := source().Draw(t, "source")
		width := rapid.IntRange(8, 120).Draw(t, "width")
		want := r.Render(src, width)
		d := r.NewDoc(rapid.IntRange(8, 120).Draw(t, "first width"))
		for rest := []rune(src); len(rest) > 0; {
			n := rapid.IntRange(1, min(len(rest), 20)).Draw(t, "piece")
			d.Append(string(rest[:n]))
			if rest = rest[n:]; rapid.Bool().Draw(t, "shown") {
				check(t, d.Lines(0, d.Height()), 120)
			}
		}
		d.SetWidth(width)
		if diff := cmp.Diff(want, d.Lines(0, d.Height())); diff != "" {
			t.Fatalf("%q (-at once +in pieces)\n%s", src, diff)
		}
		check(t, want, width)
	})
}

// A block laid out early has the same lines as one laid out when the rest of the text
// is known.
func TestDoc_keepsClosedBlocks(t *testing.T) {
	r := renderer()
	for src, want := range map[string]int{"One.\n\nHalf a": 1, "One.\nHalf a": 0, "- one\n\nHalf a": 0, "```\n\ncode": 0, "": 0} {
		d := r.NewDoc(40)
		if d.Append(src); d.Closed() != want {
			t.Errorf("%q: %d lines are closed, want %d", src, d.Closed(), want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		head, tail := source().Draw(t, "head"), source().Draw(t, "tail")
		head += "\n\nend of the head\n\n"
		d := r.NewDoc(40)
		d.Append(head)
		before, closed := d.Lines(0, d.Height()), d.Lines(0, d.Closed())
		d.Append(tail)
		if diff := cmp.Diff(closed, d.Lines(0, len(closed))); diff != "" {
			t.Fatalf("%q, then %q:\n%s", head, tail, diff)
		}
		after := d.Lines(0, d.Height())
		last := strings.LastIndex(strings.Join(before, "\n"), "end of the head")
		if last < 0 {
			t.Skip("the head ends in an open block")
		}
		if !strings.HasPrefix(strings.Join(after, "\n"), strings.Join(before, "\n")[:last]) {
			t.Fatalf("%q, then %q:\n%s", head, tail, cmp.Diff(before, after))
		}
	})
}

// kinds are texts of about one kilobyte that can be repeated.
var kinds = []struct{ name, unit string }{
	{"prose", strings.Repeat("One goroutine owns the write connection, and readers go on while it commits. ", 5) + "\n\n" +
		strings.Repeat("A trigger that refuses **UPDATE** and `DELETE` gives the [same](https://example.com/guarantee) guarantee. ",
			5) + "\n\n"},
	{"markdown", "## Conditions\n\n1. A trigger refuses `UPDATE`.\n2. Migrations run in the *writer*, at start, after a file copy.\n\n" +
		"Move, behind a **single** writer, see https://example.com/x.\n\n- one\n  - nested\n- two\n\n> quoted\n\n" +
		"```go\nfunc main() {\n\tfmt.Println(1)\n}\n```\n\n" +
		"| Criterion | SQLite | Postgres |\n|---|---|--:|\n| Writes | one writer, a queue | many |\n| Restore | file copy | 1-2 h |\n\n"},
	{"one line", strings.Repeat("lorem ipsum dolor sit amet, consectetur adipiscing elit ", 18)},
	{"one fence", strings.Repeat("\tif err := run(ctx); err != nil { return err } // of any length\n", 15)},
	{"one list", strings.Repeat("- an item of the list with `code` and a few more words\n", 18)},
	{"wide", strings.Repeat("請求システムをSQLiteへ移すか、それとも残すか。", 14) + "\n\n"},
}

// Long blocks are split, so that they are not laid out again for every token. The
// position must not depend on how the text arrived, and nothing may get lost.
func TestDoc_splitsLongBlocksInOnePlace(t *testing.T) {
	r := renderer()
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			src := strings.Repeat(kind.unit, 15000/len(kind.unit)) + "\n\nthe end\n"
			if kind.name == "one fence" {
				src = "text\n\n```go\n" + src
			}
			want := r.Render(src, 42)
			check(t, want, 42)
			for _, size := range []int{1, 100, 5000} {
				d := r.NewDoc(42)
				for i, rest := 0, []rune(src); len(rest) > 0; i++ {
					n := min(size, len(rest))
					d.Append(string(rest[:n]))
					rest = rest[n:]
					if size > 1 || i%97 == 0 {
						d.Height()
					}
				}
				if diff := cmp.Diff(want, d.Lines(0, d.Height())); diff != "" {
					t.Fatalf("in pieces of %d (-at once +in pieces)\n%s", size, diff)
				}
			}
			switch kind.name {
			case "prose", "one line", "one list": // all words are shown exactly once
				if got, want := words(strings.Join(want, " ")), words(src); got != want {
					t.Errorf("%d words of %d are shown", got, want)
				}
			}
		})
	}
}

func words(s string) int {
	return len(regexp.MustCompile(`[\pL\pN]+`).FindAllString(ansi.Strip(s), -1))
}

func TestDoc_showsAnyRangeOfItsLines(t *testing.T) {
	r := renderer()
	rapid.Check(t, func(t *rapid.T) {
		d := r.NewDoc(30)
		for range rapid.IntRange(0, 5).Draw(t, "parts") {
			d.Append(source().Draw(t, "source") + "\n\n")
			d.Height()
		}
		all := d.Lines(0, d.Height())
		if len(all) != d.Height() {
			t.Fatalf("%d lines of %d", len(all), d.Height())
		}
		from, to := rapid.IntRange(-3, len(all)+3).Draw(t, "from"), rapid.IntRange(-3, len(all)+3).Draw(t, "to")
		want := all[min(max(from, 0), len(all)):]
		want = want[:min(max(to-max(from, 0), 0), len(want))]
		if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(d.Lines(from, to), "\n")); diff != "" {
			t.Fatalf("lines %d to %d of %d (-want +got)\n%s", from, to, len(all), diff)
		}
	})
}

// fatal is the part of testing.TB and rapid.T that check needs.
type fatal interface{ Fatalf(string, ...any) }

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// check fails if a line is too wide, contains a control character, or leaves a style
// on.
func check(t fatal, lines []string, width int) {
	for _, l := range lines {
		if w := ansi.StringWidth(l); w > width {
			t.Fatalf("%d cells of %d: %q", w, width, l)
		}
		if codes := sgr.FindAllString(l, -1); len(codes) > 0 && codes[len(codes)-1] != "\x1b[m" {
			t.Fatalf("ends in colour: %q", l)
		}
		plain := sgr.ReplaceAllString(l, "")
		if !utf8.ValidString(l) || strings.ContainsFunc(plain, unicode.IsControl) {
			t.Fatalf("not plain: %q", l)
		}
		if strings.TrimRight(plain, " ") == "" && plain != "" {
			t.Fatalf("blanks only: %q", l)
		}
	}
}

func FuzzDoc(f *testing.F) {
	for i := range pieces {
		f.Add(strings.Join(pieces[i:min(i+9, len(pieces))], ""), 38, uint(i))
	}
	r := renderer()
	f.Fuzz(func(t *testing.T, src string, width int, at uint) {
		src = strings.ToValidUTF8(src, "\ufffd")
		width = 8 + int(uint(width)%113)
		want := r.Render(src, width)
		check(t, want, width)
		cut := int(at % uint(len(src)+1))
		for !utf8.RuneStart((src + ".")[cut]) {
			cut--
		}
		d := r.NewDoc(width)
		d.Append(src[:cut])
		d.Height()
		d.Append(src[cut:])
		if diff := cmp.Diff(want, d.Lines(0, d.Height())); diff != "" {
			t.Fatalf("%q cut at %d (-at once +in pieces)\n%s", src, cut, diff)
		}
	})
}

// A preview looks like text that was appended, and leaves no trace.
func TestDoc_previews(t *testing.T) {
	r := markdown.New(markdown.NewStyles(theme.New(theme.Options{})))
	for _, tc := range []struct{ text, preview string }{
		{"", "a"},
		{"One writer is enoug", "h"},
		{"A list\n\n- ", "x"},
		{"| a | b |\n|---|---|\n| 1 | ", "2"},
		{"End.\n\n", "N"},
		{strings.Repeat("word ", 600), "s"},
		{"```go\nfunc", "!"},
		{"a\n\n# ", "請"},
	} {
		d := r.NewDoc(40)
		d.Append(tc.text)
		d.Lines(0, d.Height())
		d.Preview(tc.preview)
		if diff := cmp.Diff(r.Render(tc.text+tc.preview, 40), d.Lines(0, d.Height())); diff != "" {
			t.Errorf("%q and %q: %s", tc.text, tc.preview, diff)
		}
		d.Preview("")
		d.Append("z")
		if diff := cmp.Diff(r.Render(tc.text+"z", 40), d.Lines(0, d.Height())); diff != "" {
			t.Errorf("after %q and %q: %s", tc.text, tc.preview, diff)
		}
	}
}

// A budget spreads the layout over several calls, of which each is short, and changes
// nothing of what comes out.
func TestDoc_withABudgetIsLaidOutInSteps(t *testing.T) {
	r := renderer()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(source().Draw(t, "source")+"\n\nA line of words.\n\n", rapid.IntRange(1, 200).Draw(t, "times"))
		const step, block = 2000, 5000 // the last block may take more than is left
		var budget markdown.Budget
		d := r.NewDoc(40)
		d.SetBudget(&budget)
		d.Append(text)
		for _, width := range []int{40, 30} {
			d.SetWidth(width)
			height := 0
			for steps := 0; ; steps++ {
				budget.Refill(step)
				grown := d.Height()
				if grown < height || len(d.Lines(0, grown)) != grown {
					t.Fatalf("%d lines, then %d", height, grown)
				}
				if height = grown; budget.Left() < -block {
					t.Fatalf("%d bytes at once", step-budget.Left())
				}
				if !budget.Short() {
					break
				}
				if steps > len(text)/500+2 {
					t.Fatalf("%d bytes took more than %d steps", len(text), steps)
				}
			}
			if diff := cmp.Diff(r.Render(text, width), d.Lines(0, height)); diff != "" {
				t.Fatalf("at %d (-at once +in steps)\n%s", width, diff)
			}
		}
	})
}
