package verdictview

import (
	"roundtable/debate"
	"roundtable/tui/screen"
)

// Effects that the shell carries out besides those of package screen.
type (
	// OpenReceipt asks for the prompt receipt of the chair.
	OpenReceipt struct{}
	// OpenCitation asks for the place of the evidence that a citation names.
	OpenCitation struct{ debate.Citation }
	// CancelFollowUp asks for the end of the answer that is being written.
	CancelFollowUp struct{}
)

// Commands lists the keys of the verdict.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

func (sc *Screen) keys() []screen.Command {
	k, bind, do, with, move := screen.Keys, screen.Bind, screen.Do, screen.With[int], screen.Moves
	jumps := screen.JumpKeys(sc.page, func(n int) { sc.scroll(n * 1 << 20) })
	return append(append(sc.citationKeys(), jumps...), []screen.Command{
		{
			Binding: bind(k("tab"), "tab", "panel"), Title: "Next panel", Group: screen.Moving, Hint: sc.panelHint, Rank: 2,
			Run: move(sc.next, 1),
		},
		{Binding: bind(k("shift+tab"), "", ""), Title: "Previous panel", Group: screen.Moving, Run: move(sc.next, -1)},
		{
			Binding: bind(k("j", "down"), "j k d u", "scroll; G follows"), Title: "Scroll down", Group: screen.Moving,
			Run: move(sc.scroll, 1),
		},
		{Binding: bind(k("k", "up"), "", ""), Title: "Scroll up", Group: screen.Moving, Run: move(sc.scroll, -1)},
		{Binding: bind(k("d", "pgdown"), "", ""), Title: "Half a page down", Group: screen.Moving, Run: move(sc.page, 1)},
		{Binding: bind(k("u", "pgup"), "", ""), Title: "Half a page up", Group: screen.Moving, Run: move(sc.page, -1)},
		{
			Binding: bind(k("[", "left"), "[ ]", "results by round"), Title: "Results of the round before", Group: screen.Moving,
			Hint: screen.Say("[ ] round"), Rank: 8, Why: sc.noRound, Run: with(sc.turnRound, -1),
		},
		{
			Binding: bind(k("]", "right"), "", ""), Title: "Results of the next round", Group: screen.Moving,
			Why: sc.noRound, Run: with(sc.turnRound, 1),
		},
		{Shared: screen.Evidence},
		{Shared: screen.ToolLog},
		{Shared: screen.AskFollowUp},
		sc.cancelKey(),
		{Shared: screen.AddRound},
		{Shared: screen.ChangeBudget},
		{Shared: screen.EndDebate},
		{Shared: screen.AnswerRequests},
		{Shared: screen.Approvals},
		{
			Binding: bind(k("p"), "p", "prompt receipt"), Title: "Prompt receipt of the chair", Group: screen.Looking,
			Hint: screen.Say("p receipt"), Rank: 7, Why: screen.Say(sc.noReceipts), Run: do(openReceipt),
		},
		{Shared: screen.Fork},
		{Shared: screen.Compare},
		{Shared: screen.Transcript},
		{Shared: screen.Export},
		{
			Binding: bind(k("y"), "y", "copy the statement"), Title: "Copy the statement", Group: screen.Always,
			Hint: screen.Say("y copy"), Rank: 6, Run: do(sc.copyText),
		},
		{Shared: screen.NewDebate},
		{Shared: screen.Sessions},
	}...)
}

func openReceipt() screen.Outcome { return screen.Outcome{OpenReceipt{}} }

func (sc *Screen) panelHint() string {
	if sc.single() {
		return "tab panel"
	}
	return ""
}

func (sc *Screen) copyText() screen.Outcome {
	if c := sc.verdict; c != nil {
		return screen.Outcome{screen.Copy{Text: c.Text, What: "the verdict"}}
	}
	return screen.Outcome{screen.Copy{}}
}

// citationKeys go through the citations of evidence.
func (sc *Screen) citationKeys() []screen.Command {
	k, bind, do := screen.Keys, screen.Bind, screen.Do
	return []screen.Command{
		{
			Binding: bind(k("."), ".  ,", "citation after, before"), Title: "Next citation", Group: screen.Looking,
			Hint: sc.citationHint, Rank: 3, Why: sc.noCitation, Run: screen.With(sc.nextCitation, 1),
		},
		{
			Binding: bind(k(","), "", ""), Title: "Citation before", Group: screen.Looking, Why: sc.noCitation,
			Run: screen.With(sc.nextCitation, -1),
		},
		{
			Binding: bind(k("enter"), "enter", "open the citation"), Title: "Open the marked citation", Group: screen.Looking,
			Hint: sc.openHint, Rank: 2, Why: sc.noCitation, Run: do(sc.openCitation),
		},
	}
}
