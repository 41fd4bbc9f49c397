package linear

import (
	"context"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

// approve shows the commands that wait, one after the other, and asks for a decision on
// each. It is bound to what was shown. Nothing but the word approve, typed in full, lets
// a command run.
func (p *Program) approve(ctx context.Context, _ string) error {
	s := p.open
	if len(s.approvals) == 0 {
		p.say("No command waits for you.")
		return nil
	}
	for _, asked := range slices.Clone(s.approvals) {
		if err := p.decide(ctx, asked); err != nil {
			return err
		}
	}
	return nil
}

// decide shows a command and sends the user's decision.
func (p *Program) decide(ctx context.Context, asked debate.ApprovalAsked) error {
	s := p.open
	_, n := s.Seat(asked.Turn.Agent)
	p.say("%d %s wants to run this in %s, in the workspace mode %s:", n, text.Line(s.NameOf(asked.Turn.Agent)),
		text.Line(asked.Dir), text.Line(string(asked.Mode)))
	p.say("  %s", text.Command(asked.Argv))
	answer := debate.Approval{Choice: debate.ApprovalDenied, Hash: asked.Hash}
	for {
		said, err := p.ask(ctx, "Type approve to run it once, approve session to run it again without asking, deny, deny REASON, "+
			"or edit COMMAND. Anything else decides nothing.", "")
		if err != nil {
			return err
		}
		word, rest, _ := strings.Cut(said, " ")
		rest = strings.TrimSpace(rest)
		switch {
		case said == "approve":
			answer.Choice = debate.ApprovalOnce
		case said == "approve session" && answer.Argv == nil:
			answer.Choice = debate.ApprovalSession
		case word == "deny":
			answer.Reason, answer.Argv = rest, nil
		case word == "edit":
			argv, err := text.ParseCommand(rest)
			if err != nil {
				p.say("Not changed: %s", sentence(err))
				continue
			}
			answer.Argv = argv
			p.say("It would run instead:")
			p.say("  %s", text.Command(argv))
			continue
		default:
			p.say("Nothing was decided; the command still waits. /approvals shows it again.")
			return nil
		}
		p.send(asked, answer)
		return nil
	}
}

// send sends a decision, unless the command no longer waits.
func (p *Program) send(asked debate.ApprovalAsked, answer debate.Approval) {
	s := p.open
	if !s.running() || !slices.ContainsFunc(s.approvals, func(o debate.ApprovalAsked) bool { return o.CallID == asked.CallID }) {
		p.say("The command no longer waits.")
		return
	}
	s.run.Decide(asked.CallID, answer)
}

// decided writes how a command was decided, which no longer waits.
func (p *Program) decided(ev debate.ApprovalDecided) {
	s := p.open
	s.approvals = slices.DeleteFunc(s.approvals, func(o debate.ApprovalAsked) bool { return o.CallID == ev.CallID })
	outcome := "denied"
	switch {
	case ev.Approval.Choice == debate.ApprovalSession:
		outcome = "allowed in this session"
	case ev.Approval.Allows() && len(ev.Approval.Argv) > 0:
		outcome = "allowed once, as edited: " + text.Command(ev.Approval.Argv)
	case ev.Approval.Allows():
		outcome = "allowed once"
	case ev.Approval.Reason != "":
		outcome = "denied: " + text.Line(ev.Approval.Reason)
	}
	p.tell("The command of %s is %s.", text.Line(s.NameOf(ev.Turn.Agent)), outcome)
}
