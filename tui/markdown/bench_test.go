package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/tui/markdown"
)

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

var sink []string

// A batch is one of 30 a second at 1,600 tokens a second over eight panes: about 27
// bytes for each pane, of which the last lines are shown.
func BenchmarkDoc_batch(b *testing.B) {
	for _, kind := range kinds {
		for _, tokens := range []int{1000, 50000} {
			b.Run(fmt.Sprintf("%s after %d tokens", kind.name, tokens), func(b *testing.B) {
				text := strings.Repeat(kind.unit, 4*tokens/len(kind.unit)+1)
				if kind.name == "one fence" {
					text = "```go\n" + text
				}
				var docs []*markdown.Doc
				for range 8 {
					d := renderer().NewDoc(42)
					d.Append(text)
					d.Height()
					docs = append(docs, d)
				}
				more, at := []rune(strings.Repeat(kind.unit, 10)), 0
				for b.Loop() {
					if at += 27; at+27 > len(more) {
						at = 0
					}
					for _, d := range docs {
						d.Append(string(more[at : at+27]))
						h := d.Height()
						sink = d.Lines(h-36, h)
					}
				}
			})
		}
	}
}

func BenchmarkRender(b *testing.B) {
	for _, kind := range kinds {
		b.Run(kind.name, func(b *testing.B) {
			r, text := renderer(), strings.Repeat(kind.unit, 16)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				sink = r.Render(text, 42)
			}
		})
	}
}

func BenchmarkDoc_resize(b *testing.B) {
	d := renderer().NewDoc(42)
	d.Append(strings.Repeat(kinds[1].unit, 4*50000/len(kinds[1].unit)))
	for i := 0; b.Loop(); i++ {
		d.SetWidth(42 + i%2*40)
		d.Height()
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		sink = renderer().Render("x", 42)
	}
}
