package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/tui/markdown"
	"roundtable/tui/theme"
)

// wideReport is the width from which the report stands beside its figures.
const wideReport = 100

// verdictReport shows the verdict: at the left what to do, at the right what it is
// worth. On a narrow screen one panel is shown at a time.
type verdictReport struct {
	th      *theme.Theme
	session debate.Session
	chair   string
	in      safetext.Stream // what the chair writes
	text    *markdown.Doc   // as far as it has come

	w, h  int
	focus int // panel; 0 is the report
	top   int // first line of the report that is shown
	from  int // first row of the figures that is shown
	round int // whose agreement and counts are shown; 0: the last one's

	lines []string // of the report at the width it was drawn for
	drawn int
}

// panel is one box of figures.
type panel struct {
	name  string // for tabs
	title string
	state string
	lines []string
}

func newReport(th *theme.Theme) *verdictReport { return &verdictReport{th: th} }

// load shows the verdict of a session, if there is one.
func (r *verdictReport) load(s debate.Session) {
	r.session, r.lines = s, nil
	if r.round >= len(s.History) {
		r.round = 0
	}
	if s.Verdict != nil {
		r.chair, r.text = "", nil
	}
}

// apply follows a chair that writes.
func (r *verdictReport) apply(ev debate.Event) {
	switch ev := ev.(type) {
	case debate.Concluding:
		r.chair = safetext.Line(ev.Profile.Name + " · " + ev.Profile.Model)
		r.in, r.text, r.lines = safetext.Stream{}, nil, nil
	case debate.Text:
		if ev.Turn.Step == debate.VerdictStep && !ev.Reasoning {
			r.write(ev.Text)
		}
	case debate.RoundEnded:
		r.chair = ""
	case debate.RoundStarted, debate.TurnStarted, debate.TurnQueued, debate.TurnRetrying, debate.ToolStarted, debate.ToolEnded,
		debate.ContextRequested, debate.ContextChanged, debate.TurnEnded, debate.Assisting, debate.Assessed, debate.Concluded, debate.Noticed:
	}
}

// write takes the chair's next words.
func (r *verdictReport) write(piece string) {
	if r.text == nil {
		r.text = markdown.New(markdown.NewStyles(r.th)).NewDoc(r.w)
	}
	r.text.Append(r.in.Write(piece))
	r.text.Preview(r.in.Peek())
	r.lines = nil
}

// setTheme changes the colours and symbols.
func (r *verdictReport) setTheme(th *theme.Theme) {
	r.th, r.lines = th, nil
	if r.text != nil {
		r.text.SetRenderer(markdown.New(markdown.NewStyles(th)))
	}
}

// setSize sets the room between the outcome and the notice row.
func (r *verdictReport) setSize(w, h int) {
	r.w, r.h = w, h
}

// single reports whether one panel is shown at a time.
func (r *verdictReport) single() bool { return r.w < wideReport }

// split returns the widths of the report and of the figures beside it.
func (r *verdictReport) split() (left, right int) {
	if r.single() {
		return r.w, r.w
	}
	right = max(53, min(r.w*38/100, 76))
	return r.w - right - 1, right
}

// next goes to another panel.
func (r *verdictReport) next(n int) {
	k := len(r.panels()) + 1
	r.focus = (r.focus + n + k) % k
	if r.single() {
		r.top = 0
	}
}

// reading returns the lines that scroll: those of the report, or of the panel
// that is shown alone.
func (r *verdictReport) reading() []string {
	if ps := r.panels(); r.single() && r.focus > 0 && r.focus <= len(ps) {
		return ps[r.focus-1].lines
	}
	return r.body()
}

// scroll moves what is read by lines.
func (r *verdictReport) scroll(n int) {
	r.top = max(0, min(r.top+n, len(r.reading())-r.rows()))
}

func (r *verdictReport) page(n int) { r.scroll(n * max(r.rows()/2, 1)) }

// rows is how many lines of the report are shown.
func (r *verdictReport) rows() int {
	rows := r.h - 2
	if r.single() {
		rows--
	}
	return max(rows, 1)
}

// view draws the verdict, exactly its height of rows.
func (r *verdictReport) view() string {
	left, right := r.split()
	if r.single() {
		rows := append([]string{r.tabs()}, r.one(left, r.h-1)...)
		return strings.Join(rows, "\n")
	}
	rows := r.box(left, r.h)
	for i, f := range r.figures(right, r.h) {
		rows[i] += " " + f
	}
	return strings.Join(rows, "\n")
}

// one draws the panel in focus over the whole width.
func (r *verdictReport) one(w, h int) []string {
	if r.focus == 0 {
		return r.box(w, h)
	}
	r.scroll(0)
	p := r.panels()[r.focus-1]
	below := len(p.lines) - r.top - (h - 2)
	p.lines = p.lines[r.top:]
	return r.panel(p, w, h, true, below)
}

// tabs names all panels in one row.
func (r *verdictReport) tabs() string {
	parts := []theme.Part{}
	for i, name := range append([]string{"Verdict"}, names(r.panels())...) {
		mark, style := "  ", r.th.Muted
		if i == r.focus {
			mark, style = " "+r.th.Symbols.Focus, r.th.Accent
		}
		parts = append(parts, theme.Part{Text: mark + name, Style: style, Cut: 1})
	}
	return r.th.Row(parts, nil, r.w)
}

func names(ps []panel) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.name)
	}
	return out
}

// box draws the report.
func (r *verdictReport) box(w, h int) []string {
	th := r.th
	b := theme.Box{Width: w, Height: h, Focused: r.focus == 0, Accent: th.Accent, Title: []theme.Part{{Text: "Verdict", Style: th.Text}}}
	lines := r.body()
	r.scroll(0)
	b.Lines = lines[r.top:]
	v := r.session.Verdict
	switch {
	case v == nil:
		if r.chair != "" {
			b.Title = append(b.Title, theme.Part{Text: " " + th.Symbols.Sep + " " + r.chair + " writes it", Style: th.Muted, Cut: 1})
		}
	case v.Chair != "":
		b.Title = append(b.Title, theme.Part{Text: " " + th.Symbols.Sep + " written by chair " + safetext.Line(v.ChairName), Style: th.Muted, Cut: 2},
			theme.Part{Text: " " + th.Symbols.Sep + " " + safetext.Line(v.ChairModel), Style: th.Muted, Cut: 1})
	default:
		b.Title = append(b.Title, theme.Part{Text: " " + th.Symbols.Sep + " computed", Style: th.Muted, Cut: 1})
	}
	if v != nil {
		if v.Confidence != nil {
			b.State = []theme.Part{{Text: "confidence " + percent(*v.Confidence), Style: th.Muted, Cut: 3}}
		}
		b.Hint, b.Total = r.foot(v, len(lines)-r.top-h+2)
	}
	return th.Box(b)
}

// foot says what is hidden, what to beware of, and what the chair cost.
func (r *verdictReport) foot(v *debate.Verdict, below int) (hint, total []theme.Part) {
	th := r.th
	var words []string
	if below > 0 {
		words = append(words, count(below, "below", "below"))
	}
	if v.ChairIsMember {
		words = append(words, th.Symbols.Warning+" the chair is a member")
	}
	if len(words) > 0 {
		hint = []theme.Part{{Text: strings.Join(words, " "+th.Symbols.Sep+" "), Style: th.Muted, Cut: 2}}
	}
	for _, s := range v.Spending {
		if s.Purpose == debate.ForChair {
			total = []theme.Part{{Text: tokens(s.Usage) + " " + th.Symbols.Sep + " " + dollars(s.Cost), Style: th.Faint, Cut: 1}}
		}
	}
	return hint, total
}

// body returns the lines of the report.
func (r *verdictReport) body() []string {
	left, _ := r.split()
	if r.lines != nil && r.drawn == left {
		return r.lines
	}
	r.drawn = left
	r.lines = []string{}
	width := max(left-4, 8)
	v := r.session.Verdict
	if v == nil {
		if r.text != nil {
			r.text.SetWidth(width)
			r.lines = r.text.Lines(0, r.text.Height())
		}
		return r.lines
	}
	r.lines = append(r.lines, r.outcome(v, width)...)
	r.lines = append(r.lines, markdown.New(markdown.NewStyles(r.th)).Render(safetext.Text(v.Text), width)...)
	r.lines = append(r.lines, r.appendix(v, min(width, 86))...)
	return r.lines
}

// outcome is the outcome and why the debate ended, as far as the row above the
// report cuts them.
func (r *verdictReport) outcome(v *debate.Verdict, width int) []string {
	text, ended := safetext.Line(report.Headline(*v, r.session)), ending(v)
	if ansi.StringWidth(text+ended)+5 <= r.w {
		return nil
	}
	var lines []string
	if ansi.StringWidth(text)+3 > r.w {
		_, style := outcomeSign(r.th, v)
		for l := range strings.SplitSeq(ansi.Wrap(text, width, ""), "\n") {
			lines = append(lines, style.Render(l))
		}
	}
	return append(append(lines, r.prose(begun(ended), width)...), "")
}

// begun writes a phrase as the beginning of a sentence.
func begun(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return strings.ToUpper(string(r)) + s[n:]
}
