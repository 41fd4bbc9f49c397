package linear

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

// approve shows the commands that wait, one after the other, and asks for a decision on
// each. It is bound to what was shown. Nothing but the word approve, typed in full, lets
// a command run, and with words after it all commands of the debate that begin with them.
func (p *Program) approve(ctx context.Context, _ string) error {
	waiting := p.open.Approvals()
	if len(waiting) == 0 {
		p.say("No command waits for you.")
		return nil
	}
	for _, asked := range waiting {
		if err := (approval{p, asked}).decide(ctx); err != nil {
			return err
		}
	}
	return nil
}

// approval is a command that the user decides on.
type approval struct {
	*Program
	asked debate.ApprovalAsked
}

// decide shows the command and sends the user's decision.
func (a approval) decide(ctx context.Context) error {
	s := a.open.Session()
	_, n := s.Seat(a.asked.Turn.Agent)
	mode := ""
	if a.asked.Mode != "" {
		mode = ", in the workspace mode " + text.Line(string(a.asked.Mode))
	}
	a.say("%d %s wants to run this %s%s:", n, text.Line(s.NameOf(a.asked.Turn.Agent)), a.asked.Place(), mode)
	a.say("  %s", text.Command(a.asked.Argv))
	for _, line := range a.asked.FieldLines() {
		a.say("  with %s", line)
	}
	choices := fmt.Sprintf("Type approve to run it once, approve %s to run all commands of this debate that "+
		"begin with these words, deny, or deny REASON.", text.Command(a.asked.Beginning()))
	if line := a.asked.EachTimeLine(); line != "" {
		a.say("It is %s.", line)
		choices = "Type approve to run it once, deny, or deny REASON."
	}
	answer := debate.Approval{Choice: debate.ApprovalDenied, Hash: a.asked.Hash}
	said, err := a.ask(ctx, choices+" Anything else decides nothing.", "")
	if err != nil {
		return err
	}
	word, rest, _ := strings.Cut(said, " ")
	switch {
	case said == "approve":
		answer.Choice = debate.ApprovalOnce
	case word == "approve" && a.asked.EachTime == "":
		pattern, err := text.ParseCommand(rest)
		if err != nil {
			a.say("Nothing was decided: %v.", err)
			return nil
		}
		answer.Choice, answer.Pattern = debate.ApprovalPattern, pattern
	case word == "deny":
		answer.Reason = strings.TrimSpace(rest)
	default:
		a.say("Nothing was decided; the command still waits. /approvals shows it again.")
		return nil
	}
	a.send(answer)
	return nil
}

// send sends a decision, unless the command no longer waits.
func (a approval) send(answer debate.Approval) {
	if !slices.ContainsFunc(a.open.Approvals(), func(o debate.ApprovalAsked) bool { return o.CallID == a.asked.CallID }) {
		a.say("The command no longer waits.")
		return
	}
	a.open.Decide(a.asked.CallID, answer)
}

// decided writes how a command was decided, which no longer waits.
func (p *Program) decided(ev debate.ApprovalDecided) {
	outcome := "denied"
	switch {
	case ev.Approval.Choice == debate.ApprovalPattern:
		outcome = "allowed, as all that begin with " + text.Command(ev.Approval.Pattern)
	case ev.Approval.Allows():
		outcome = "allowed once"
	case ev.Approval.Reason != "":
		outcome = "denied: " + text.Line(ev.Approval.Reason)
	}
	p.tell("The command of %s is %s.", text.Line(p.open.Session().NameOf(ev.Turn.Agent)), outcome)
}
