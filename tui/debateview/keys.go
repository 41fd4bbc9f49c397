package debateview

import (
	"slices"

	"roundtable/tui/screen"
)

// keys lists what the user can do on the debate screen.
func (d *Debate) keys() []screen.Command {
	return slices.Concat(d.movingKeys(), screen.JumpKeys(d.Screen.halfPage, d.Screen.edge), d.steeringKeys())
}

func (d *Debate) movingKeys() []screen.Command {
	sc := d.Screen
	k, bind, do, move := screen.Keys, screen.Bind, screen.Do, screen.Moves
	return []screen.Command{
		{
			Binding: bind(k("tab"), "tab 1-9", "seat"), Title: "Next seat", Group: screen.Moving,
			Hint: sc.seatsHint, Rank: 2, Run: move(sc.nextSeat, 1),
		},
		{Binding: bind(k("shift+tab"), "", ""), Title: "Previous seat", Group: screen.Moving, Run: move(sc.nextSeat, -1)},
		{
			Binding: bind(k("1", "2", "3", "4", "5", "6", "7", "8", "9"), "", ""), Group: screen.Moving, Hint: sc.jumpHint, Rank: 6,
			Run: sc.jump,
		},
		{
			Binding: bind(k("z"), "z", "one seat or all"), Title: "Zoom one seat, or show all", Group: screen.Looking,
			Hint: sc.zoomHint, Rank: 3, Run: do(sc.zoom),
		},
		{
			Binding: bind(k("j", "down"), "j k d u", "scroll; G follows"), Title: "Scroll down", Group: screen.Moving,
			Run: move(sc.scroll, 1),
		},
		{Binding: bind(k("k", "up"), "", ""), Title: "Scroll up", Group: screen.Moving, Run: move(sc.scroll, -1)},
		{Binding: bind(k("d", "pgdown"), "", ""), Title: "Half a page down", Group: screen.Moving, Run: move(sc.halfPage, 1)},
		{Binding: bind(k("u", "pgup"), "", ""), Title: "Half a page up", Group: screen.Moving, Run: move(sc.halfPage, -1)},
		{
			Binding: bind(k("[", "left"), "[ ]", "earlier, later round"), Title: "Earlier round", Group: screen.Moving,
			Hint: sc.roundHint, Rank: 5, Run: move(sc.turnRound, -1),
		},
		{Binding: bind(k("]", "right"), "", ""), Title: "Later round", Group: screen.Moving, Run: move(sc.turnRound, 1)},
		{
			Binding: bind(k("/"), "/  n N", "search, next, previous"), Title: "Search all seats and rounds", Group: screen.Looking,
			Run: do(sc.search.ask),
		},
		{
			Binding: bind(k("n"), "", ""), Title: "Next match", Group: screen.Moving,
			Why: sc.search.noSearch, Run: screen.With(sc.search.next, 1),
		},
		{
			Binding: bind(k("N"), "", ""), Title: "Previous match", Group: screen.Moving,
			Why: sc.search.noSearch, Run: screen.With(sc.search.next, -1),
		},
	}
}

func (d *Debate) steeringKeys() []screen.Command {
	sc := d.Screen
	k, bind, do := screen.Keys, screen.Bind, screen.Do
	return []screen.Command{
		{Shared: screen.ToolLog},
		{
			Binding: bind(k("space"), "space  P", "pause, resume; pause now"), Title: "Pause after this round, or resume", Also: "continue",
			Group: screen.Steering,
			Hint:  d.pauseHint, Rank: 9, Urgent: d.isPaused, Why: d.noPause, Run: do(d.togglePause),
		},
		{
			Binding: bind(k("x"), "x", "cancel or retry this seat"), Title: "Cancel or retry this seat", Also: "stop",
			Group: screen.Steering,
			Hint:  sc.seatHint, Rank: 4, Why: d.noSeatAction, Run: do(d.cancelOrRetry),
		},
		{
			Binding: bind(k("f"), "f", "focus question"), Title: "Focus question for the next round", Group: screen.Steering,
			Opens: true, Run: do(d.askQuestion),
		},
		{
			Binding: bind(k("i"), "i", "message one seat or all"), Title: "Send a message to one seat or all", Also: "interject",
			Group: screen.Steering,
			Opens: true, Run: do(d.askInterjection),
		},
		{Binding: bind(k("P"), "", ""), Title: "Pause now", Also: "stop", Group: screen.Steering, Why: d.noStop, Run: do(d.askStop)},
		{
			Binding: bind(k("S"), "S  E", "end after this round, now"), Title: "End after this round", Group: screen.Steering,
			Why: d.noEndAfterRound, Run: do(d.toggleEndAfterRound),
		},
		{
			Binding: bind(k("r"), "r", "retry a waiting seat now"), Title: "Retry this waiting seat now", Group: screen.Steering,
			Why: d.noRetryNow, Run: do(d.retryNow),
		},
		d.skipKey(),
		{Shared: screen.AddRound},
		{Shared: screen.AskFollowUp},
		{Shared: screen.ChangeBudget},
		{Shared: screen.EndDebate},
		{Shared: screen.AnswerRequests},
		{Shared: screen.Approvals},
		{
			Binding: bind(k("p"), "p", "prompt receipt"), Title: "Prompt receipt of this seat", Group: screen.Looking,
			Why: screen.Say(d.config.NoReceipts),
			Run: do(func() screen.Outcome { return screen.Outcome{OpenReceipt{Seat: sc.seatInFocus()}} }),
		},
		{
			Binding: bind(k("v"), "v", "verdict"), Title: "Verdict", Group: screen.Looking, Why: d.noVerdict,
			Run: do(func() screen.Outcome { return screen.Outcome{ShowVerdict{}} }),
		},
		sc.unfoldKey(), sc.citationKey(), sc.changesKey(),
		{Shared: screen.Evidence},
		{Shared: screen.Fork},
		{Shared: screen.Compare},
		{Shared: screen.Transcript},
		{Shared: screen.Export},
		{Binding: bind(k("y"), "y", "copy the statement"), Title: "Copy the statement", Group: screen.Always, Run: do(sc.copyStatement)},
		{Shared: screen.Sessions},
	}
}

// Shared returns the commands that other screens of the session offer, too.
func (d *Debate) Shared() map[screen.Shared]screen.Command {
	k, bind, do := screen.Keys, screen.Bind, screen.Do
	return map[screen.Shared]screen.Command{
		screen.AddRound: {
			Binding: bind(k("+"), "+", "add a round"), Title: "Add a round", Group: screen.Steering,
			Run: do(d.askRound),
		},
		screen.AskFollowUp:  followUpCommand(d),
		screen.ChangeBudget: {Title: "Change budget", Group: screen.Steering, Opens: true, Why: d.noBudget, Run: do(d.askBudget)},
		screen.EndDebate: {
			Binding: bind(k("E"), "", ""), Title: "End the debate now", Group: screen.Steering,
			Why: d.noEnd, Run: d.askEnd,
		},
		screen.AnswerRequests: {
			Binding: bind(k("c"), "c", "context form"), Title: "Answer the agents' requests", Also: "context form",
			Group: screen.Answering,
			Run:   do(d.Form.openByUser),
		},
	}
}
