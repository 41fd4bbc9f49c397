package linear

import (
	"context"
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// gate takes an answer to each open request. The next round starts when the user says so.
func (p *Program) gate(ctx context.Context) error {
	s := p.open
	s.Hold()
	s.left = true           // once they were asked
	if p.DropInput != nil { // what was typed is no answer to what was not asked yet
		p.DropInput()
		select {
		case <-p.in: // it was read ahead
		default:
		}
	}
	p.say("%s Answers go to: %s.", p.state(), p.Recipients(s.Session()))
	for _, r := range s.Session().OpenRequests() {
		if more, err := p.compose(ctx, r); err != nil || !more {
			return err
		}
	}
	return nil
}

// answer takes the answer to a request, or corrects it if agents have read it.
func (p *Program) answer(ctx context.Context, arg string) error {
	s := p.open.Session()
	if open := s.OpenRequests(); arg == "" && len(open) > 0 {
		arg = open[0].ID
	}
	r, ok := s.Request(strings.ToUpper(arg))
	if !ok {
		return p.reported(fmt.Errorf("there is no question %q; /requests lists those that there are", text.Label(arg)))
	}
	_, err := p.compose(ctx, r)
	return err
}

// compose reads a request out and takes its answer, line by line. Every line is saved as a
// draft. More is false if the user does something else than answering or going to the next.
func (p *Program) compose(ctx context.Context, r ledger.Request) (more bool, err error) {
	if p.open.report.Session = p.open.Session(); r.Open() {
		p.open.report.Request(r)
	} else {
		p.open.report.ClosedRequest(r)
	}
	p.out.held = true
	defer p.out.release()
	p.say("Answer %s, then a line with a single dot. Or /unavailable REASON, /skip, or another command.", r.ID)
	if d := p.typed(r); d.Text != "" {
		whose := text.Join(" of ", "A draft", text.Label(d.ProposedBy))
		p.say("%s, which the next lines are added to (/discard drops it):\n%s", whose, text.Indent(text.Clean(d.Text)))
	}
	for done := false; !done; {
		raw, err := p.readLine(ctx, r.ID+"> ")
		if err != nil {
			return false, err
		}
		name, arg, _ := strings.Cut(strings.TrimSpace(raw), " ")
		switch {
		case raw == ".":
			done, err = p.record(ctx, r)
		case name == "/unavailable":
			done = p.submit(ctx, r, ledger.Submission{Outcome: ledger.Unavailable, Content: strings.TrimSpace(arg)})
		case name == "/skip":
			p.say("%s is left open, and its draft is kept. /answer %[1]s asks again.", r.ID)
			done = true
		case name == "/discard":
			p.draft(ctx, r, "")
			p.say("The draft of %s is dropped.", r.ID)
		case name == "/help":
			p.say("  /unavailable REASON: answer that it is not known\n  /skip: leave it open\n  /discard: drop the draft")
			err = p.command(ctx, raw)
		case strings.HasPrefix(raw, "/") && !strings.HasPrefix(raw, "//") && !p.knows(name):
			err = p.command(ctx, raw) // it says so
			p.say("The answer to %s goes on. A line of it that begins with a slash is typed with two.", r.ID)
		case strings.HasPrefix(raw, "/") && !strings.HasPrefix(raw, "//"):
			p.out.release()
			return false, p.command(ctx, raw)
		default:
			if strings.HasPrefix(raw, "//") || raw == ".." {
				raw = raw[1:]
			}
			p.draft(ctx, r, p.typed(r).Text+"\n"+raw)
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

func (p *Program) typed(r ledger.Request) debate.Draft {
	d := p.open.Session().Drafts[r.ID]
	if d.Unavailable {
		d.Text, d.Other, d.Unavailable = d.Other, d.Text, false
	}
	return d
}

func (p *Program) draft(ctx context.Context, r ledger.Request, content string) {
	d := p.typed(r)
	d.Text, d.ProposedBy = strings.TrimLeft(content, "\n"), ""
	p.open.SetDraft(r.ID, d)
	if err := p.Store.SaveDraft(context.WithoutCancel(ctx), p.open.Session().ID, r.ID, d); err != nil {
		p.say("! %s", sentence(err))
	}
}

// record stores the typed answer and its source. It reports false until an answer was typed.
func (p *Program) record(ctx context.Context, r ledger.Request) (done bool, err error) {
	answer := ledger.Submission{Outcome: ledger.Answered, Content: strings.Trim(p.typed(r).Text, "\n")}
	if strings.TrimSpace(answer.Content) == "" {
		p.say("The answer to %s is blank. Type it, or /unavailable with a reason.", r.ID)
		return false, nil
	}
	answer.Source, err = p.ask(ctx, "Source, or an empty line for none:", "")
	return err == nil && p.submit(ctx, r, answer), err
}

// submit stores an answer. It returns false if it was refused.
func (p *Program) submit(ctx context.Context, r ledger.Request, sub ledger.Submission) bool {
	sub.Request, sub.Correct = r.ID, len(r.Delivered) > 0
	err := p.do(ctx, control.Answer, control.Values{Answers: []ledger.Submission{sub}})
	if err != nil {
		p.say("! %s", sentence(err))
	}
	return err == nil
}

// approve shows the commands that wait, one after the other, and asks for a decision on
// each. It is bound to what was shown. Nothing but the word approve, typed in full, lets
// a command run, and with words after it all commands of the debate that begin with them.
func (p *Program) approve(ctx context.Context, _ string) error {
	waiting := p.open.Approvals()
	if len(waiting) == 0 {
		p.say("No command waits for you.")
	}
	for _, asked := range waiting {
		if err := p.decide(ctx, asked); err != nil {
			return err
		}
	}
	return nil
}

func (p *Program) decide(ctx context.Context, asked debate.ApprovalAsked) error {
	p.open.report.Event(asked)
	if asked.Mode != "" {
		p.say("  in the workspace mode %s", text.Line(string(asked.Mode)))
	}
	choices := fmt.Sprintf("approve %s to run all commands of this debate that begin with these words, ",
		text.Command(asked.Beginning()))
	if line := asked.EachTimeLine(); line != "" {
		p.say("It is %s.", line)
		choices = ""
	}
	said, err := p.ask(ctx, "Type approve to run it once, "+choices+"deny, or deny REASON. Anything else decides nothing.", "")
	if err != nil {
		return err
	}
	answer := debate.Approval{Choice: debate.ApprovalDenied, Hash: asked.Hash}
	switch word, rest, _ := strings.Cut(said, " "); {
	case said == "approve":
		answer.Choice = debate.ApprovalOnce
	case word == "approve" && asked.EachTime == "":
		answer.Choice = debate.ApprovalPattern
		if answer.Pattern, err = text.ParseCommand(rest); err != nil {
			return p.reported(err)
		}
	case word == "deny":
		answer.Reason = strings.TrimSpace(rest)
	default:
		p.say("Nothing was decided; the command still waits. /approvals shows it again.")
		return nil
	}
	p.open.Decide(asked.CallID, answer)
	return nil
}
