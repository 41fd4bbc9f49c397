package tui

import (
	"fmt"
	"slices"

	"roundtable/tui/form"
	"roundtable/tui/input"
	"roundtable/tui/pane"
)


// commands is every key of the interface, but for those that the program has no
// use for. The order is that of help and of the bottom line.
func commands(deps Deps) []command {
	all := slices.Concat(sessionCommands(), formCommands(), listCommands(), commonCommands())
	return slices.DeleteFunc(all, func(c command) bool { return c.has != nil && !c.has(deps) })
}

func k(keys ...string) []string { return keys }

// sessionCommands work on the debate and on its verdict.
func sessionCommands() []command {
	return []command{
		{Binding: bind(k("tab"), "tab 1-9", "seat"), title: "Next seat", group: moving, on: atDebate, hint: seatsHint, rank: 2, run: with((*Model).nextSeat, 1)},
		{Binding: bind(k("shift+tab"), "", ""), title: "Previous seat", group: moving, on: atDebate, run: with((*Model).nextSeat, -1)},
		{Binding: bind(k("1", "2", "3", "4", "5", "6", "7", "8", "9"), "", ""), group: moving, on: atDebate, hint: jumpHint, rank: 6, run: (*Model).jump},
		{Binding: bind(k("tab"), "tab", "panel"), title: "Next panel", group: moving, on: atVerdict, hint: panelHint, rank: 2, run: with((*Model).nextPanel, 1)},
		{Binding: bind(k("shift+tab"), "", ""), title: "Previous panel", group: moving, on: atVerdict, run: with((*Model).nextPanel, -1)},
		{Binding: bind(k("z"), "z", "one seat, all seats"), title: "One seat, or all seats", group: moving, on: atDebate, hint: zoomHint, rank: 3, run: do((*Model).zoom)},
		{Binding: bind(k("j", "down"), "j k d u g G", "scroll; G follows"), title: "Scroll down", group: moving, on: atSession, run: with((*Model).scroll, 1)},
		{Binding: bind(k("k", "up"), "", ""), title: "Scroll up", group: moving, on: atSession, run: with((*Model).scroll, -1)},
		{Binding: bind(k("d", "pgdown"), "", ""), title: "Half a page down", group: moving, on: atSession, run: with((*Model).page, 1)},
		{Binding: bind(k("u", "pgup"), "", ""), title: "Half a page up", group: moving, on: atSession, run: with((*Model).page, -1)},
		{Binding: bind(k("g", "home"), "", ""), title: "To the beginning", group: moving, on: atSession, run: with((*Model).edge, -1)},
		{Binding: bind(k("G", "end"), "", ""), title: "To the newest text, and follow it", group: moving, on: atSession, run: with((*Model).edge, 1)},
		{Binding: bind(k("[", "left"), "[ ]", "earlier, later round"), title: "Earlier round", group: moving, on: atDebate, hint: roundHint, rank: 5, run: with((*Model).round, -1)},
		{Binding: bind(k("]", "right"), "", ""), title: "Later round", group: moving, on: atDebate, run: with((*Model).round, 1)},
		{Binding: bind(k("[", "left"), "[ ]", "what a round came to"), title: "What the round before came to", group: moving, on: atVerdict, hint: reportRoundHint, rank: 8, why: noReportRound, run: with((*Model).reportRound, -1)},
		{Binding: bind(k("]", "right"), "", ""), title: "What the next round came to", group: moving, on: atVerdict, why: noReportRound, run: with((*Model).reportRound, 1)},
		{Binding: bind(k("/"), "/  n N", "search, next, previous"), title: "Search this seat's transcript", group: moving, on: atDebate, run: do((*Model).search)},
		{Binding: bind(k("n"), "", ""), title: "Next match", group: moving, on: atDebate, why: noSearch, run: with((*Model).match, 1)},
		{Binding: bind(k("N"), "", ""), title: "Previous match", group: moving, on: atDebate, why: noSearch, run: with((*Model).match, -1)},

		{Binding: bind(k("t"), "t", "tool log"), title: "Tool log", group: looking, on: atSession, hint: say("t tools"), rank: 8, why: noTools, run: do((*Model).openLog)},
		{Binding: bind(k("space"), "space  P", "pause, resume; at once"), title: "Pause at the round's end, or go on", group: steering, on: atDebate, hint: pauseHint, rank: 9, now: isPaused, why: noPause, run: do((*Model).togglePause)},
		{Binding: bind(k("x"), "x", "cancel, retry this seat"), title: "Cancel or retry this seat", group: steering, on: atDebate, hint: seatHint, rank: 4, why: noSeatAction, run: do((*Model).cancelOrRetry)},
		{Binding: bind(k("f"), "f", "focus question"), title: "Focus question for the next round", group: steering, on: atDebate, why: noFocus, run: do((*Model).askFocus)},
		{Binding: bind(k("i"), "i", "interject to one or all"), title: "Interject: tell one seat or all something", group: steering, on: atDebate, why: noInterject, run: do((*Model).interject)},
		{Binding: bind(k("P"), "", ""), title: "Pause at once", group: steering, on: atDebate, why: noHalt, run: do((*Model).askHalt)},
		{Binding: bind(k("S"), "S  E", "end after this round, now"), title: "Stop after this round", group: steering, on: atDebate, why: noLast, run: do((*Model).toggleLast)},
		{Binding: bind(k("r"), "r", "retry a waiting seat now"), title: "Ask this seat's provider again now", group: steering, on: atDebate, why: noHurry, run: do((*Model).hurry)},
		{Binding: bind(k("+"), "+", "one round more"), title: "Add a round", group: steering, on: atSession, why: noMoreRounds, run: do((*Model).askRound)},
		{title: "Budget: give it more, or less", group: steering, on: atSession, why: noBudget, run: do((*Model).askBudget)},
		{Binding: bind(k("E"), "", ""), title: "End the debate now", group: steering, on: atSession, why: noEnd, run: do((*Model).askEnd)},

		{Binding: bind(k("c"), "c", "context form"), title: "Answer what the agents ask", group: answering, on: atSession, writes: true, why: noRequests, run: do((*Model).openForm)},
		{Binding: bind(k("p"), "p", "prompt receipt"), title: "Prompt receipt of this seat", group: looking, on: atDebate, why: noReceipts, run: do((*Model).openReceipt)},
		{Binding: bind(k("v"), "v", "verdict"), title: "Verdict", group: looking, on: atDebate, why: noVerdict, run: do((*Model).openVerdict)},
		{Binding: bind(k("p"), "p", "prompt receipt"), title: "Prompt receipt of the chair", group: looking, on: atVerdict, hint: say("p receipt"), rank: 7, why: noReceipts, run: do((*Model).openReceipt)},
		{Binding: bind(k("enter"), "enter", "unfold tools, thinking"), title: "Unfold or fold tools and thinking", group: looking, on: atDebate, run: do((*Model).unfold)},
		{Binding: bind(k("o"), "o", "transcript in $PAGER"), title: "Open the transcript in $PAGER", group: looking, on: atSession, why: noPager, run: do((*Model).openPager)},
		{Binding: bind(k("e"), "e", "export md, json, html"), title: "Export", group: always, on: atSession | atForm, hint: exportHint, rank: 5, has: canExport, why: noExport, run: do((*Model).askExport)},
		{Binding: bind(k("y"), "y", "copy the statement"), title: "Copy the statement", group: always, on: atSession, hint: copyHint, rank: 6, run: do((*Model).copyText)},
		{Binding: bind(k("s"), "s", "sessions"), title: "Sessions", group: always, on: atSession, run: do((*Model).goHome)},
	}
}

// formCommands work in the context form, which takes their keys itself.
func formCommands() []command {
	return []command{
		{Binding: bind(k("tab"), "tab", "next field"), group: moving, on: atForm, field: true, run: (*Model).formKey},
		{Binding: bind(k("ctrl+s"), "ctrl+s", "record, then release"), title: "Record, then release the round", group: answering, on: atForm, field: true, run: (*Model).formKey},
		{Binding: bind(k("ctrl+x"), "ctrl+x", "unavailable + reason"), title: "Unavailable, with a reason", group: answering, on: atForm, field: true, run: (*Model).formKey},
		{Binding: bind(k("ctrl+o"), "ctrl+o", "write in $EDITOR"), title: "Write the answer in $EDITOR", group: answering, on: atForm, field: true, why: noEditor, run: (*Model).formKey},
		{title: "List all requests", group: answering, on: atForm, run: with((*Model).filter, form.All)},
		{title: "List required requests only", group: answering, on: atForm, run: with((*Model).filter, form.Required)},
		{title: "List open requests only", group: answering, on: atForm, run: with((*Model).filter, form.Open)},
		{title: "End the debate now", group: steering, on: atForm, why: noEnd, run: do((*Model).askEnd)},
		{Binding: bind(k("pgdown"), "pgup pgdn", "scroll the asker's pane"), group: moving, on: atForm, field: true, run: with((*Model).pageAsker, 1)},
		{Binding: bind(k("pgup"), "", ""), group: moving, on: atForm, field: true, run: with((*Model).pageAsker, -1)},
	}
}

// listCommands work on the screens before a debate and on the tool log.
func listCommands() []command {
	return []command{
		{Binding: bind(k("j", "down"), "j k", "move"), group: moving, on: atLists | atFirst | atReceipt, hint: say("j k move"), rank: 2, run: with((*Model).move, 1)},
		{Binding: bind(k("k", "up"), "", ""), group: moving, on: atLists | atFirst | atReceipt, run: with((*Model).move, -1)},
		{Binding: bind(k("pgdown"), "pgup pgdn", "page"), group: moving, on: atLists, run: with((*Model).movePage, 1)},
		{Binding: bind(k("pgup"), "", ""), group: moving, on: atLists, run: with((*Model).movePage, -1)},
		{Binding: bind(k("enter"), "enter", "open"), title: "Open the session", group: choosing, on: atHome, hint: say("enter open"), rank: 3, run: do((*Model).enterHome)},
		{Binding: bind(k("n"), "n", "new debate"), title: "New debate", group: choosing, on: atHome | atFirst, run: do((*Model).newDebate)},
		{title: "Start the demo debate: scripted answers, no model", group: choosing, on: atHome | atFirst | atNew, why: noDemo, writes: true, run: do((*Model).startDemo)},
		{Binding: bind(k("/"), "/", "search"), title: "Search titles and full text", group: choosing, on: atHome, run: do((*Model).searchHome)},
		{Binding: bind(k("r"), "r", "rename"), title: "Rename the session", group: choosing, on: atHome, hint: say("r rename"), rank: 6, why: noSession, writes: true, run: do((*Model).rename)},
		{Binding: bind(k("x"), "x", "delete"), title: "Delete the session", group: choosing, on: atHome, hint: say("x delete"), rank: 7, why: noSession, writes: true, run: do((*Model).remove)},
		{Binding: bind(k("u"), "u", "undo delete"), title: "Bring back what was deleted", group: choosing, on: atHome, why: noUndo, run: do((*Model).undo)},

		{Binding: bind(k("enter"), "enter", "choose"), group: choosing, on: atFirst, hint: say("enter choose"), rank: 3, run: do((*Model).choose)},
		{Binding: bind(k("r"), "r", "look for models again"), title: "Look for models again", group: choosing, on: atFirst, run: do((*Model).lookAgain)},
		{Binding: bind(k("w"), "w", "write a config file"), title: "Write a commented config file", group: choosing, on: atFirst, has: canWriteConfig, why: noConfig, run: do((*Model).writeConfig)},

		{Binding: bind(k("tab"), "tab", "next field"), group: moving, on: atNew, field: true, hint: say("tab next field"), rank: 2, run: with((*Model).field, 1)},
		{Binding: bind(k("shift+tab"), "shift+tab", "field before"), group: moving, on: atNew, field: true, run: with((*Model).field, -1)},
		{Binding: bind(k("down", "j"), "j k", "up, down"), group: moving, on: atNew, run: with((*Model).moveField, 1)},
		{Binding: bind(k("up", "k"), "", ""), group: moving, on: atNew, run: with((*Model).moveField, -1)},
		{Binding: bind(k("space"), "space", "seat in or out"), title: "Take the seat in or out", group: choosing, on: atNew, hint: say("space seat in or out"), rank: 4, run: do((*Model).toggleSeat)},
		{Binding: bind(k("right"), "← →", "change"), group: choosing, on: atNew, hint: changeHint, rank: 3, run: with((*Model).changeField, 1)},
		{Binding: bind(k("left"), "", ""), group: choosing, on: atNew, run: with((*Model).changeField, -1)},
		{Binding: bind(k("enter"), "", ""), group: choosing, on: atNew, run: do((*Model).enterField)},
		{Binding: bind(k("ctrl+s"), "ctrl+s", "start the debate"), title: "Start the debate", group: choosing, on: atNew, field: true, writes: true, run: do((*Model).begin)},

		{Binding: bind(k("enter"), "enter", "show it in its pane"), title: "Show the call in its pane", group: choosing, on: atLog, hint: say("enter in its pane"), rank: 3, run: do((*Model).showCall)},
		{Binding: bind(k("tab"), "tab", "calls of one seat, of all"), title: "Calls of the next seat", group: choosing, on: atLog, run: with((*Model).logSeat, 1)},
		{Binding: bind(k("["), "[ ]", "calls of one round, of all"), title: "Calls of the round before", group: choosing, on: atLog, run: with((*Model).logRound, -1)},
		{Binding: bind(k("]"), "", ""), title: "Calls of the next round", group: choosing, on: atLog, run: with((*Model).logRound, 1)},
		{Binding: bind(k("d"), "d u", "scroll the open call"), group: moving, on: atLog, run: with((*Model).logScroll, 1)},
		{Binding: bind(k("u"), "", ""), group: moving, on: atLog, run: with((*Model).logScroll, -1)},
		{Binding: bind(k("/"), "/", "filter"), title: "Filter the calls", group: choosing, on: atLog, run: do((*Model).filterLog)},
		{Binding: bind(k("y"), "y", "copy the result"), title: "Copy the result", group: choosing, on: atLog, hint: say("y copy"), rank: 5, run: do((*Model).copyText)},
		{Binding: bind(k("o"), "o", "all of it in $PAGER"), title: "Open the call in $PAGER", group: choosing, on: atLog, hint: pagerHint, rank: 6, why: noReceiptPager, run: do((*Model).pageCall)},

		{Binding: bind(k("d", "pgdown", "space"), "d u g G", "scroll the text"), title: "Scroll the text down", group: moving, on: atReceipt, hint: say("d u scroll"), rank: 3, run: with((*Model).receiptPage, 1)},
		{Binding: bind(k("u", "pgup"), "", ""), title: "Scroll the text up", group: moving, on: atReceipt, run: with((*Model).receiptPage, -1)},
		{Binding: bind(k("g", "home"), "", ""), group: moving, on: atReceipt, run: with((*Model).receiptEdge, -1)},
		{Binding: bind(k("G", "end"), "", ""), group: moving, on: atReceipt, run: with((*Model).receiptEdge, 1)},
		{Binding: bind(k("tab"), "tab", "seat, chair, light model"), title: "Receipts of the next seat", group: moving, on: atReceipt, hint: say("tab seat"), rank: 4, run: with((*Model).receiptSeat, 1)},
		{Binding: bind(k("shift+tab"), "", ""), group: moving, on: atReceipt, run: with((*Model).receiptSeat, -1)},
		{Binding: bind(k("[", "left"), "[ ]", "earlier, later round"), title: "Earlier round", group: moving, on: atReceipt, hint: say("[ ] round"), rank: 5, run: with((*Model).receiptRound, -1)},
		{Binding: bind(k("]", "right"), "", ""), title: "Later round", group: moving, on: atReceipt, run: with((*Model).receiptRound, 1)},
		{Binding: bind(k("n"), "n N", "next, earlier request"), title: "Next request of this seat", group: moving, on: atReceipt, run: with((*Model).receiptRequest, 1)},
		{Binding: bind(k("N"), "", ""), title: "Earlier request of this seat", group: moving, on: atReceipt, run: with((*Model).receiptRequest, -1)},
		{Binding: bind(k("enter"), "enter", "its turn in the pane"), title: "Show the turn in its pane", group: choosing, on: atReceipt, run: do((*Model).showTurn)},
		{Binding: bind(k("o"), "o", "all of it in $PAGER"), title: "Open the request in $PAGER", group: choosing, on: atReceipt, hint: pagerHint, rank: 7, why: noReceiptPager, run: do((*Model).pageReceipt)},
		{Binding: bind(k("y"), "y", "copy this part"), title: "Copy this part", group: choosing, on: atReceipt, hint: say("y copy"), rank: 6, run: do((*Model).copyText)},
	}
}

// commonCommands work everywhere.
func commonCommands() []command {
	return []command{
		{Binding: bind(k("q"), "q", "quit"), group: always, on: atHome | atFirst, hint: say("q quit"), rank: 4, run: do((*Model).leave)},
		{Binding: bind(k("q"), "q", "to home; there: quit"), title: "Leave the debate for the list", group: always, on: anywhere &^ (atHome | atFirst | atNew | atForm), run: do((*Model).leave)},
		{Binding: bind(k("ctrl+p", ":"), "ctrl+p  :", "commands"), group: always, on: anywhere &^ atForm, hint: say("ctrl+p commands"), rank: 7, end: true, run: do((*Model).openPalette)},
		{Binding: bind(k("ctrl+p"), "", ""), group: always, on: anywhere, field: true, hint: formHint("ctrl+p commands, help"), rank: 7, end: true, run: do((*Model).openPalette)},
		{Binding: bind(k("esc"), "esc", "close, never quits"), group: always, on: anywhere, field: true, hint: escHint, rank: 2, end: true, run: do((*Model).escape)},
		{Binding: bind(k("ctrl+c"), "ctrl+c", "quit; all is saved"), title: "Quit", group: always, on: anywhere, field: true, hint: formHint("ctrl+c quit, all is saved"), rank: 8, run: do((*Model).quit)},
		{Binding: bind(k("ctrl+z"), "ctrl+z", "suspend, between rounds"), title: "Suspend", group: always, on: anywhere, field: true, has: canSuspend, why: noSuspend, run: do((*Model).suspend)},
		{Binding: bind(input.UndoKeys(), "ctrl+_", "undo typing; ctrl+/ too"), group: always, on: atForm | atNew | atSession, field: true, why: noTyping, run: do((*Model).undoTyping)},
		{Binding: bind(k("?"), "?", "this help"), title: "Help", group: always, on: anywhere &^ atForm, hint: say("? help"), rank: 1, end: true, run: do((*Model).openHelp)},
	}
}

// seatsHint gives way to the rounds where one seat is looked at and room is short.
func seatsHint(m *Model) string {
	if m.board.sight.zoom && m.w < wideTop {
		return ""
	}
	return "tab seat"
}

func jumpHint(m *Model) string {
	if n := len(m.board.panes); n > 4 {
		return fmt.Sprintf("1-%d jump", n)
	}
	return ""
}

func zoomHint(m *Model) string {
	if m.board.sight.zoom {
		return "z all seats"
	}
	return "z zoom"
}

func roundHint(m *Model) string {
	if m.board.sight.zoom {
		return "[ ] round"
	}
	return ""
}

func panelHint(m *Model) string {
	if m.board.report.single() {
		return "tab panel"
	}
	return ""
}

func pauseHint(m *Model) string {
	switch b := m.board; {
	case b.paused && b.live == nil:
		return "space resume"
	case b.paused:
		return "space go on"
	case b.live == nil:
		return ""
	default:
		return "space pause"
	}
}

// isPaused reports whether nothing goes on before the user says so.
func isPaused(m *Model) bool { return m.board.paused && m.board.live == nil }

// seatHint shows the key that helps a seat in trouble.
func seatHint(m *Model) string {
	for _, p := range m.board.panes {
		switch p.State().Kind {
		case pane.Failed, pane.Cancelled, pane.Retrying, pane.Paused:
			return "x cancel or retry"
		case pane.Idle, pane.Queued, pane.Waiting, pane.Writing, pane.Tool, pane.Done, pane.Interrupted:
		}
	}
	return ""
}

func pagerHint(m *Model) string {
	if noReceiptPager(m) != "" {
		return ""
	}
	return "o pager"
}

func exportHint(m *Model) string { return onVerdict(m, "e export") }

func copyHint(m *Model) string { return onVerdict(m, "y copy") }

func onVerdict(m *Model, hint string) string {
	if m.place() == atVerdict {
		return hint
	}
	return ""
}

func changeHint(m *Model) string { return m.th.Symbols.Left + " " + m.th.Symbols.Right + " change" }

func formHint(hint string) func(*Model) string {
	return func(m *Model) string {
		if m.place() == atForm {
			return hint
		}
		return ""
	}
}

func escHint(m *Model) string {
	switch m.place() {
	case atHome:
		switch {
		case m.home.Typing():
		case m.home.Query() != "":
			return "esc all sessions"
		case m.board != nil:
			return "esc debate"
		}
	case atDebate:
		if m.board.finder.query != "" {
			return "esc end search"
		}
	case atVerdict:
		return "esc debate"
	case atLog, atReceipt:
		if m.typing() { // it clears the filter
			return ""
		}
		return "esc back"
	case atForm:
		if m.w < 100 {
			return "esc close, drafts stay"
		}
		return "esc close"
	}
	return ""
}
