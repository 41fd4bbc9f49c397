package debateview

import (
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// citation is the citation of evidence that enter opens: one of those in the transcript
// in focus. The zero value marks none.
type citation struct {
	seat   agents.ID
	number int // among those of the seat, from 1
}

func (sc *Screen) unfoldKey() screen.Command {
	return screen.Command{
		Binding: screen.Bind(screen.Keys("enter"), "enter", "show tools, thinking"), Title: "Show or hide tools and thinking",
		Group: screen.Looking, Run: screen.Do(sc.unfold),
	}
}

func (sc *Screen) citationKey() screen.Command {
	return screen.Command{
		Binding: screen.Bind(screen.Keys("."), ".", "citation, enter opens it"), Title: "Next citation of this seat",
		Group: screen.Looking, Why: sc.noCitation, Run: screen.Do(sc.markCitation),
	}
}

// citationsInFocus returns the evidence that the seat in focus cites in its statements,
// each place once, the newest statement first.
func (sc *Screen) citationsInFocus() []debate.Citation {
	var out []debate.Citation
	for _, r := range slices.Backward(sc.Session().History) {
		for _, x := range slices.Backward(r.AttemptsOf(sc.seatInFocus())) {
			for _, c := range cite.StatementEvidence(x.Statement) {
				if _, known := cite.FindEvidence(sc.Session().Evidence, c.ID); known && !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// markCitation marks the next citation of the seat in focus, and after the last one the
// first.
func (sc *Screen) markCitation() screen.Outcome {
	all := sc.citationsInFocus()
	if sc.cited.seat != sc.seatInFocus() {
		sc.cited = citation{seat: sc.seatInFocus()}
	}
	sc.cited.number = sc.cited.number%len(all) + 1
	c := all[sc.cited.number-1]
	e, _ := cite.FindEvidence(sc.Session().Evidence, c.ID)
	sc.showCitation("[" + c.String() + "]")
	return screen.Outcome{screen.Notice{
		Text: fmt.Sprintf("[%s] %s, %d of %d.", c, text.Clip(text.Line(e.Name), 40), sc.cited.number, len(all)),
		Keys: "enter: open it · .: next", Transient: true,
	}}
}

// showCitation highlights a citation in the transcripts, and shows where the seat in focus
// makes it first.
func (sc *Screen) showCitation(words string) {
	sc.search.clear()
	for _, p := range sc.panes {
		p.Mark(words)
	}
	for _, x := range sc.focused().Passages() {
		if at := x.Places(words, 1); len(at) > 0 {
			sc.focused().ShowPlace(at[0])
			return
		}
	}
}

// marked returns the citation that is marked in the transcript in focus.
func (sc *Screen) marked() (c debate.Citation, ok bool) {
	all := sc.citationsInFocus()
	if n := sc.cited.number; sc.cited.seat == sc.seatInFocus() && n > 0 && n <= len(all) {
		return all[n-1], true
	}
	return c, false
}

// noCitation says why no citation can be marked.
func (sc *Screen) noCitation() string {
	if len(sc.citationsInFocus()) == 0 {
		return "This seat cites no evidence."
	}
	return ""
}

// endCitation takes the mark away. It reports whether there was one.
func (sc *Screen) endCitation() bool {
	if sc.cited == (citation{}) {
		return false
	}
	sc.cited = citation{}
	for _, p := range sc.panes {
		p.Mark("")
	}
	return true
}

// unfold opens the marked citation. Without one it shows or hides tools and thinking.
func (sc *Screen) unfold() screen.Outcome {
	c, ok := sc.marked()
	sc.endCitation()
	if ok {
		return screen.Outcome{OpenCitation{c}}
	}
	sc.focused().ToggleTools()
	return nil
}
