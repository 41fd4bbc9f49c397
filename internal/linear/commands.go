package linear

import (
	"context"
	"slices"
	"strings"

	"roundtable/internal/text"
)

// state says what goes on when a line is read; several of them are a sum.
type state int

const (
	whileRunning   state = 1 << iota
	whileAnswering       // a follow-up question is being answered
	atGate
	whilePaused
	afterVerdict
	beforeVerdict = whileRunning | atGate | whilePaused
	betweenRuns   = atGate | whilePaused | afterVerdict
	anyTime       = betweenRuns | whileRunning | whileAnswering
)

// state returns what goes on in the session.
func (s *session) state() state {
	switch {
	case s.running() && s.asked != "":
		return whileAnswering
	case s.running():
		return whileRunning
	case s.Verdict != nil:
		return afterVerdict
	case s.atGate:
		return atGate
	default:
		return whilePaused
	}
}

// command is a line that begins with a slash.
type command struct {
	name, args, help string
	when             state
	run              func(ctx context.Context, p *Program, arg string) error
}

// commands lists the commands in a debate, in the order of /help.
func commands() []command {
	return []command{
		{"/continue", "", "go on", whilePaused, resume},
		{"/go-on", "", "go on without the seats that did not answer", whilePaused, goOn},
		{"/start", "", "start the next round with the answers", atGate, release},
		{"/answer", "ID", "answer a request, or change an answer", anyTime, answer},
		{"/requests", "", "list the open requests", anyTime, requests},
		{"/join", "ID INTO", "join a request to one that asks the same", atGate | whilePaused, join},
		{"/approvals", "", "decide on commands that agents want to run", whileRunning, approve},
		{"/pause", "", "pause after this round; again: do not", whileRunning, pause},
		{"/stop", "", "pause now; unfinished answers are asked again", whileRunning, stop},
		{"/cancel", "SEAT", "go on without a seat in this round", whileRunning, cancel},
		{"/cancel", "", "cancel the answer", whileAnswering, cancelAnswer},
		{"/ask", "[SEAT] QUESTION", "ask the chair, or one member, about the verdict", afterVerdict, askFollowUp},
		{"/retry", "SEAT", "ask a seat again", whileRunning | whilePaused | afterVerdict, retry},
		{"/now", "SEAT", "do not wait for the provider of a seat", whileRunning, retryNow},
		{"/tell", "[SEAT] TEXT", "send a message to all seats, or to one", beforeVerdict, tellSeat},
		{"/focus", "TEXT", "say what the next round should look at", beforeVerdict, focus},
		{"/end", "", "end the debate now; the chair writes the verdict", beforeVerdict, end},
		{"/last", "", "end the debate after this round; again: do not", whileRunning, endAfterRound},
		{"/later", "", "leave the requests; drafts are saved", atGate, later},
		{"/rounds", "N", "add rounds", betweenRuns | whileRunning, addRounds},
		{"/budget", "DOLLARS", "change the budget", betweenRuns, setBudget},
		{
			"/fork", "[ROUND] [CHANGE]", "start a new debate from the end of a round, perhaps with one thing changed; alone it says how",
			betweenRuns, fork,
		},
		{"/compare", "[ID]", "compare with another debate, or a fork with its origin", anyTime, compare},
		{"/verdict", "", "read the verdict again", afterVerdict | whileAnswering, verdict},
		{"/question", "", "read the whole question, with its evidence", anyTime, question},
		{"/prompt", "SEAT", "read the last prompt that was sent to a seat", anyTime, prompt},
		{"/rename", "NAME", "give the debate another name", betweenRuns, rename},
		{"/export", "[md|json|html|adr]", "write the debate to a file", anyTime, export},
		{"/show", "", "read the whole debate", anyTime, transcript},
		{"/back", "", "go to the list of debates", betweenRuns, back},
		{"/help", "", "list the commands", anyTime, nil},
		{"/quit", "", "quit; everything is saved", anyTime, quit},
	}
}

// command carries out a line that was read in a state.
func (p *Program) command(ctx context.Context, now state, raw string) error {
	name, arg, _ := strings.Cut(strings.TrimSpace(raw), " ")
	switch {
	case name == "":
		return nil
	case name[0] != '/':
		send := "/tell TEXT sends a message to the seats"
		if p.open.Verdict != nil {
			send = "/ask QUESTION asks the chair"
		}
		p.say("Commands begin with a slash. %s, /help lists the commands.", send)
		return nil
	case name == "/help":
		p.help(now)
		return nil
	}
	all := commands()
	known := func(c command) bool { return c.name == name }
	i := slices.IndexFunc(all, func(c command) bool { return known(c) && c.when&now != 0 })
	var possible []string
	for _, c := range all {
		if c.when&now != 0 {
			possible = append(possible, c.name)
		}
	}
	switch {
	case i < 0 && slices.ContainsFunc(all, known):
		p.say("%s is not possible now. /help lists what is.", name)
		return nil
	case i < 0:
		p.say("There is no command %s%s. /help lists the commands.", text.Label(name), text.DidYouMean(name, possible))
		return nil
	case p.Store.ReadOnly() != "" && !slices.Contains(reading(), name):
		p.say("The database is read-only: you can read and export, but not change anything.")
		return nil
	}
	return all[i].run(ctx, p, strings.TrimSpace(arg))
}

// reading lists the commands that change nothing.
func reading() []string {
	return []string{"/requests", "/compare", "/verdict", "/question", "/prompt", "/export", "/show", "/back", "/quit"}
}

// help lists the commands that are possible in a state.
func (p *Program) help(now state) {
	for _, c := range commands() {
		if c.when&now != 0 {
			p.say("  %s: %s", strings.TrimSpace(c.name+" "+c.args), c.help)
		}
	}
	switch now {
	case whileRunning:
		p.say("A line without a slash is a message to all seats; you are asked before it is sent.")
	case atGate:
		p.say("  /unavailable REASON: there is no answer, and why\n  /skip: go to the next request, this one is kept as a draft\n" +
			"  /editor: write the answer in your editor\n  /discard: drop the draft\n" +
			"A line that begins with a slash or is a single dot is written with one more: // or ..")
	default:
	}
}

func quit(ctx context.Context, p *Program, _ string) error {
	if p.open.running() {
		yes, err := p.confirm(ctx, p.open.unfinished()+" Quit?", "no")
		if err != nil || !yes {
			return err
		}
	}
	return errQuit
}

func back(_ context.Context, _ *Program, _ string) error { return errBack }
