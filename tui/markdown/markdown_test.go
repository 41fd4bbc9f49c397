package markdown_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"roundtable/tui/markdown"
	"roundtable/tui/theme"
)

// shown renders a text without its styles.
func shown(src string, width int) string {
	return ansi.Strip(strings.Join(renderer().Render(src, width), "\n"))
}

func TestRender_laysOutAStatement(t *testing.T) {
	src := "Move, behind a single writer. Brook is right that the ledger must stay append-only. That rule does not need Postgres: a trigger " +
		"that refuses UPDATE and DELETE gives the same guarantee.\n\n" +
		"* All 8 transactions start in ledger.go, so one goroutine can own the write\n  connection.\n" +
		"* WAL lets readers go on while it commits.\n* VACUUM INTO replaces the nightly pg_dump.\n\n" +
		"## Conditions\n\n" +
		"1. A trigger refuses UPDATE and DELETE on ledger_entries.\n2. Migrations run in the writer, at start, after a file copy.\n"
	want := `Move, behind a single writer. Brook is
right that the ledger must stay
append-only. That rule does not need
Postgres: a trigger that refuses UPDATE
and DELETE gives the same guarantee.

• All 8 transactions start in ledger.go,
  so one goroutine can own the write
  connection.
• WAL lets readers go on while it commits.
• VACUUM INTO replaces the nightly
  pg_dump.

Conditions
1. A trigger refuses UPDATE and DELETE on
   ledger_entries.
2. Migrations run in the writer, at start,
   after a file copy.`
	if diff := cmp.Diff(want, shown(src, 42)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestRender_showsEveryConstruct(t *testing.T) {
	for _, tc := range []struct {
		name, src, want string
	}{
		{"nothing", "", ""},
		{"blank lines", " \n\n  \n", ""},
		{"paragraphs", "a\nb\n\n\nc", "a b\n\nc"},
		{"hard breaks", "a  \nb\\\nc<br>d", "a\nb\nc\nd"},
		{"two blanks stay", "Position  Move.", "Position  Move."},
		{"headings", "# A\ntext\n\nB\n===\n\n### C ###\n", "A\ntext\n\nB\nC"},
		{"empty heading", "a\n\n#\n\nb", "a\n\nb"},
		{"emphasis", "*a* **b** ***c*** _d_ a*b*c", "a b c d abc"},
		{"struck out", "~~Move~~ Stay", "~~Move~~ Stay"},
		{"code span", "run `go  test` or ``a`b``", "run `go  test` or `a`b`"},
		{"escapes", `\*a\* \# \a`, `*a* # \a`},

		{"list right after its sentence", "Here:\n- a\n- b\n\ntext", "Here:\n• a\n• b\n\ntext"},
		{"list after a blank line", "Here:\n\n- a", "Here:\n\n• a"},
		{"loose list", "- a\n\n- b\n", "• a\n\n• b"},
		{"nested list", "- a\n  - b\n    1. c\n\n  d\n", "• a\n  • b\n    1. c\n\n  d"},
		{"numbers", "9. a\n1. b\n1. c", " 9. a\n10. b\n11. c"},
		{"other numbers", "1) a", "1) a"},
		{"empty items", "- a\n-\n- b", "• a\n•\n• b"},
		{"tasks", "- [ ] a\n- [x] b\n1. [X] c", "[ ] a\n[x] b\n\n1. [x] c"},
		{"item with code", "- a\n\n  ```\n  x\n  ```", "• a\n\n    x"},

		{"quote", "> a\nb\n>\n> - c\n\nd", "▎ a b\n▎\n▎ • c\n\nd"},
		{"nested quote", "> a\n> > b", "▎ a\n▎\n▎ ▎ b"},
		{"rule", "a\n\n***\n\nb", "a\n\n──────────────────────────────\n\nb"},

		{"fence", "```go\nif x {\n\n\ty\n}\n```\na", "  if x {\n\n      y\n  }\n\na"},
		{"open fence", "~~~\n# a", "  # a"},
		{"indented code", "a\n\n    b\n      c", "a\n\n  b\n    c"},
		{
			"long code goes on", "```\nfunc (s *Store) Load(ctx context.Context) error\n```",
			"  func (s *Store) Load(ctx con\n  …text.Context) error",
		},

		{"link", "[docs](https://x.org/a)", "docs (https://x.org/a)"},
		{
			"link that says where it leads", "[x.org/a](https://x.org/a/) <https://x.org> www.x.org a@x.org",
			"x.org/a https://x.org\nwww.x.org a@x.org",
		},
		{"link to a file", "[a](b.go)", "a (b.go)"},
		{"link within the page", "[a](#b)", "a"},
		{"link without text", "[](https://x.org)", "https://x.org"},
		{"link that lies", "[https://good.org](https://evil.org)", "https://good.org\n(https://evil.org)"},
		{"image", "![a cat](cat.png) ![](dog.png)", "a cat (cat.png) image\n(dog.png)"},
		{"reference stays as written", "[a][1]\n\n[1]: https://x.org", "[a][1]\n\n[1]: https://x.org"},

		{"tags stay as written", "a <b>c</b>", "a <b>c</b>"},
		{"block of HTML", "<div>\n  a\n</div>\n\n<!-- b -->", "<div>\na\n</div>\n\n<!-- b -->"},
		{"entities", "&lt;a&gt; &amp;&nbsp;&#228; &copy", "<a> & ä &copy"},
		{"entities that hide something", "&#27;[1m &#x202e; &#x200b; &#0; &#x301; &zwj;", "&#27;[1m &#x202e; &#x200b;\n&#0; &#x301; &zwj;"},

		{"wide text", "請求システムをSQLiteへ移すか、それとも\n残すか。", "請求システムをSQLiteへ移すか、\nそれとも残すか。"},
		{"punctuation stays with its word", "あいうえおかきくけこさしすせそ。", "あいうえおかきくけこさしすせ\nそ。"},
		{"long word", "a https://example.com/a/path/that/is/long", "a\nhttps://example.com/a/path/\nthat/is/long"},
		{"longer word", strings.Repeat("x", 35), strings.Repeat("x", 30) + "\nxxxxx"},
		{"marks and emoji", "e\u0301 👍 한국어 z\u0335", "e\u0301 👍 한국어 z\u0335"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, shown(tc.src, 30)); diff != "" {
				t.Errorf("%q (-want +got)\n%s", tc.src, diff)
			}
		})
	}
}

func TestRender_fitsTables(t *testing.T) {
	src := "| Criterion | SQLite, WAL | Postgres | Weight |\n|---|:-:|--:|---|\n" +
		"| Writes at peak | one writer, a queue | many **writers** | ? waits for C1 |\n| Restore | file copy | `pg_restore` | |\n"
	for _, tc := range []struct {
		name  string
		width int
		want  string
	}{
		{"in full", 76, `
Criterion           SQLite, WAL          Postgres  Weight
──────────────  ───────────────────  ────────────  ──────────────
Writes at peak  one writer, a queue  many writers  ? waits for C1
Restore              file copy       ` + "`pg_restore`"},
		{"in narrow columns", 48, `
Criterion  SQLite, WAL       Postgres  Weight
─────────  ────────────  ────────────  ─────────
Writes at  one writer,   many writers  ? waits
peak         a queue                   for C1

Restore     file copy    ` + "`pg_restore`"},
		{"as records", 38, `
Criterion: Writes at peak
SQLite, WAL: one writer, a queue
Postgres: many writers
Weight: ? waits for C1

Criterion: Restore
SQLite, WAL: file copy
Postgres: ` + "`pg_restore`" + `
Weight:`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(strings.TrimPrefix(tc.want, "\n"), shown(src, tc.width)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestRender_keepsProseNarrow(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for _, l := range strings.Split(shown(long+"\n\n- "+long+"\n\n> "+long+"\n\n---\n", 200), "\n") {
		if w := ansi.StringWidth(l); w > 86 {
			t.Errorf("%d cells: %s", w, l)
		}
	}
	code := strings.Repeat("x", 150)
	if got := shown("```\n"+code+"\n```", 200); got != "  "+code {
		t.Errorf("code is %q", got)
	}
}

// Deep nesting leaves room for the text; the innermost markers stay.
func TestRender_leavesRoomInDeepNesting(t *testing.T) {
	got := shown("- a\n  - b\n    - c\n      - d\n        - e\n          - f\n            - some words", 16)
	want := "• a\n  • b\n    • c\n      • d\n      • e\n      • f\n      • some\n        words"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Each line sets its styles again, and styles are never nested.
func TestRender_stylesEachLineOnItsOwn(t *testing.T) {
	r := markdown.New(markdown.NewStyles(theme.New(theme.Options{Dark: true, Profile: colorprofile.ANSI})))
	for _, tc := range []struct{ src, want string }{
		{"a **b c *d* e** f", "a \x1b[1mb c \x1b[m\x1b[1;3md\x1b[m\n\x1b[1me\x1b[m f"},
		{"~~a e\u0301~~", "~~\x1b[9ma e\u0301\x1b[m~~"},
		{"# a `b`", "\x1b[1ma \x1b[m`b`"},
		{"[**a**](https://x.org)", "\x1b[1;95ma\x1b[m\n(https:/\n/x.org)"},
		{"[a](b)", "a (b)"},
		{"---", "\x1b[90m────────\x1b[m"},
		{"> a", "\x1b[90m▎\x1b[m a"},
	} {
		if got := strings.Join(r.Render(tc.src, 8), "\n"); got != tc.want {
			t.Errorf("%q\n got %q\nwant %q", tc.src, got, tc.want)
		}
	}
}

func TestNewFaintStyles_areFaintThroughout(t *testing.T) {
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.ANSI})
	for _, l := range markdown.New(markdown.NewFaintStyles(th)).Render("# a\n\nb `c` [d](https://x.org)\n\n- > e", 38) {
		for _, code := range sgr.FindAllString(l, -1) {
			if code != "\x1b[m" && code != "\x1b[90m" && !strings.Contains(code, "2m") && !strings.Contains(code, "2;") {
				t.Errorf("%q has %q", l, code)
			}
		}
	}
}

func TestRender_isASCIIWhereNothingElseIsKnown(t *testing.T) {
	r := markdown.New(markdown.NewStyles(theme.New(theme.Options{ASCII: true})))
	got := ansi.Strip(strings.Join(r.Render("- a\n\n> b\n\n---\n\n```\nabcdefghijklmnopqrst\n```", 18), "\n"))
	if want := "- a\n\n> b\n\n------------------\n\n  abcdefghijklmnop\n  ~qrst"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSetRenderer_restylesWhatIsShown(t *testing.T) {
	d := renderer().NewDoc(38)
	d.Append("a\n\n- b\n\nc")
	colored := d.Lines(0, d.Height())
	d.SetRenderer(markdown.New(markdown.NewStyles(theme.New(theme.Options{}))))
	if diff := cmp.Diff([]string{"a", "", "• b", "", "c"}, d.Lines(0, d.Height())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if strings.Join(colored, "") == "a• bc" {
		t.Error("the text had no colours before")
	}
}

// In the wanted lines, (k ) is around keywords, (s ) around strings and (c ) around comments.
func TestRender_highlightsCode(t *testing.T) {
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
	r := markdown.New(markdown.NewStyles(th))
	marks := []string{"\x1b[m", ")"}
	for mark, st := range map[string]string{"(k ": th.Accent.Render("x"), "(s ": th.Success.Render("x"), "(c ": th.Faint.Render("x")} {
		prefix, _, _ := strings.Cut(st, "x")
		marks = append(marks, prefix, mark)
	}
	marked := strings.NewReplacer(marks...)
	for _, tc := range []struct{ language, code, want string }{
		{"go", "for i := range \"a\\\"b\" { // go on\nformat()", "(k for) i := (k range) (s \"a\\\"b\") { (c // go on)\nformat()"},
		{"go", "a := `one\nfor` /* two\nthree */ return", "a := (s `one)\n(s for`) (c /* two)\n(c three */) (k return)"},
		{"Python", "def f(x): # it's\n  return \"\"\"a", "(k def) f(x): (c # it's)\n  (k return) (s \"\"\"a)"},
		{"sql", "Select * FROM t -- all", "(k Select) * (k FROM) t (c -- all)"},
		{"rust", "fn f<'a>() {}", "(k fn) f<'a>() {}"},
		{"sh", "echo don't", "echo don't"},
		{"diff", "+ new\n- gone\n same", "(s + new)\n(k - gone)\n same"},
		{"brainfuck", "for x", "for x"},
		{"", "for x", "for x"},
	} {
		lines := r.Render("```"+tc.language+"\n"+tc.code+"\n```", 60)
		for i, line := range lines {
			lines[i] = strings.TrimPrefix(line, "  ")
		}
		if got := marked.Replace(strings.Join(lines, "\n")); got != tc.want {
			t.Errorf("%s\n got %s\nwant %s", tc.language, got, tc.want)
		}
	}
}

// Colours change neither the words nor where lines are divided.
func TestRender_highlightsWithoutChangingTheCode(t *testing.T) {
	r := markdown.New(markdown.NewStyles(theme.New(theme.Options{Profile: colorprofile.TrueColor})))
	code := "func f() string { return \"e\u0301 世界\" + 'x' } // a comment that is longer than the line"
	for width := 8; width < 60; width++ {
		plain := strings.Join(r.Render("```\n"+code+"\n```", width), "\n")
		colored := strings.Join(r.Render("```go\n"+code+"\n```", width), "\n")
		if ansi.Strip(plain) != ansi.Strip(colored) {
			t.Fatalf("%d cells:\n%s\nwithout colours\n%s", width, ansi.Strip(colored), ansi.Strip(plain))
		}
	}
}
