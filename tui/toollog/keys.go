package toollog

import (
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// ShowCall asks for the pane of a seat, at the call of a tool there.
type ShowCall struct {
	Seat int // from 1
	Tool string
}

// Commands lists the keys of the tool log.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

func (sc *Screen) keys() []screen.Command {
	k, bind, do, move := screen.Keys, screen.Bind, screen.Do, screen.Moves
	return append(screen.MoveKeys(sc.move, sc.movePage), []screen.Command{
		{
			Binding: bind(k("enter"), "enter", "show it in its pane"), Title: "Show the call in its pane", Group: screen.Choosing,
			Hint: screen.Say("enter in its pane"), Rank: 3, Run: do(sc.showCall),
		},
		{
			Binding: bind(k("tab"), "tab", "calls of one seat, of all"), Title: "Calls of the next seat", Group: screen.Choosing,
			Run: move(sc.nextSeat, 1),
		},
		{
			Binding: bind(k("["), "[ ]", "calls of one round, of all"), Title: "Calls of the round before", Group: screen.Choosing,
			Run: move(sc.nextRound, -1),
		},
		{Binding: bind(k("]"), "", ""), Title: "Calls of the next round", Group: screen.Choosing, Run: move(sc.nextRound, 1)},
		{
			Binding: bind(k("n"), "n", "calls of one tool, of all"), Title: "Calls of the next tool", Group: screen.Choosing,
			Run: move(sc.nextTool, 1),
		},
		{
			Binding: bind(k("w"), "w", "calls of one status, of all"), Title: "Calls of the next status", Group: screen.Choosing,
			Run: move(sc.nextState, 1),
		},
		{Binding: bind(k("d"), "d u", "scroll the open call"), Group: screen.Moving, Run: move(sc.halfPage, 1)},
		{Binding: bind(k("u"), "", ""), Group: screen.Moving, Run: move(sc.halfPage, -1)},
		{Binding: bind(k("/"), "/", "filter"), Title: "Filter the calls", Group: screen.Choosing, Run: do(sc.filter)},
		{
			Binding: bind(k("y"), "y", "copy the result"), Title: "Copy the result", Group: screen.Choosing,
			Hint: screen.Say("y copy"), Rank: 5, Run: do(sc.copyResult),
		},
		{
			Binding: bind(k("o"), "o", "all of it in $PAGER"), Title: "Open the call in $PAGER", Group: screen.Choosing,
			Hint: sc.pagerHint, Rank: 6, Why: sc.noPager, Run: do(sc.openPager),
		},
		{Shared: screen.Approvals},
	}...)
}

func (sc *Screen) pagerHint() string {
	if sc.noPager() != "" {
		return ""
	}
	return "o pager"
}

// movePage moves the cursor by about a third of the terminal's rows.
func (sc *Screen) movePage(n int) { sc.move(n * (sc.h + 3) / 3) }

// halfPage scrolls by half of what is seen of the call that is open.
func (sc *Screen) halfPage(direction int) { sc.scroll(direction * max(sc.openHeight()/2, 1)) }

// showCall shows the call under the cursor in its pane.
func (sc *Screen) showCall() screen.Outcome {
	c := sc.selected()
	if c == nil || c.seat == 0 {
		return nil
	}
	return screen.Outcome{ShowCall{Seat: c.seat, Tool: c.tool.Name}}
}

func (sc *Screen) filter() screen.Outcome {
	sc.typing = true
	return screen.Run(sc.field.Focus())
}

func (sc *Screen) copyResult() screen.Outcome {
	if c := sc.selected(); c != nil {
		return screen.Outcome{screen.Copy{Text: text.Sanitize(c.tool.Result.Text), What: "the result"}}
	}
	return screen.Outcome{screen.Copy{}}
}

// openPager shows the open call, or the notice, in the user's pager.
func (sc *Screen) openPager() screen.Outcome {
	text := sc.fullText()
	if text == "" {
		return screen.Tell(screen.Info, "No call to open.")
	}
	return screen.Outcome{screen.OpenPager{File: "call.txt", Text: text}}
}
