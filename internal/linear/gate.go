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

// gate reads the open requests out and takes an answer to each. The next round starts when
// the user says so.
func (p *Program) gate(ctx context.Context) error {
	s := p.open
	s.Hold()
	s.left = true // once they were asked
	p.dropTyped() // it cannot be an answer to what was not asked yet
	s.report.OpenRequests(s.Session())
	p.say("Answers go to: %s.", p.Recipients(s.Session()))
	for _, r := range s.Session().OpenRequests() {
		if more, err := p.compose(ctx, r); err != nil || !more {
			return err
		}
	}
	return nil
}

// answer takes the answer to the request that the argument names. One that agents have
// read already is corrected.
func (p *Program) answer(ctx context.Context, arg string) error {
	s := p.open.Session()
	if open := s.OpenRequests(); arg == "" && len(open) > 0 {
		arg = open[0].ID
	}
	r, ok := s.Request(strings.ToUpper(arg))
	if !ok {
		p.say("There is no question %q. /requests lists those that there are.", text.Label(arg))
		return nil
	}
	if p.open.report.Session = s; r.Open() {
		p.open.report.Request(r)
	} else {
		p.open.report.ClosedRequest(r)
	}
	_, err := p.compose(ctx, r)
	return err
}

// composeHelp lists what ends or changes an answer.
const composeHelp = "  /unavailable REASON: there is no answer, and why\n  /skip: go to the next question, this one is a draft\n" +
	"  /later: leave the questions; drafts are saved\n  /discard: drop the draft\n  /attach PATH: show the seats a file\n" +
	"A line that begins with a slash or is a single dot is written with one more: // or .."

// composing is an answer that is being typed.
type composing struct {
	*Program
	request string
	lines   []string
}

func (c *composing) text() string { return strings.Trim(strings.Join(c.lines, "\n"), "\n") }

// compose takes the answer to a request, line by line. Every line is saved as a draft.
// More is false if the user does something else than answering or going to the next.
func (p *Program) compose(ctx context.Context, r ledger.Request) (more bool, err error) {
	p.out.held = true
	defer p.out.release()
	c := &composing{Program: p, request: r.ID}
	p.say("Answer %s, then a line with a single dot. Or /unavailable REASON, /skip, /help.", r.ID)
	if d := p.open.Session().Drafts[r.ID]; strings.TrimSpace(d.Text) != "" && !d.Unavailable {
		c.lines = strings.Split(d.Text, "\n")
		p.say("Your draft, which the next lines are added to (/discard drops it):")
		p.say("%s", text.Indent(text.Sanitize(d.Text)))
	}
	for done := false; !done && err == nil; {
		raw, err := p.readLine(ctx, r.ID+"> ")
		if err != nil {
			return false, err
		}
		name, arg, _ := strings.Cut(strings.TrimSpace(raw), " ")
		switch {
		case name == "." && arg == "":
			done, err = c.record(ctx)
		case name == "/unavailable":
			done = c.submit(ctx, ledger.Submission{Outcome: ledger.Unavailable, Content: strings.TrimSpace(arg)})
		case name == "/later":
			return false, nil
		case name == "/skip":
			p.say("%s is skipped; what was typed is kept as a draft.", r.ID)
			done = true
		case name == "/discard":
			c.replace(ctx)
			p.say("The draft of %s is dropped.", r.ID)
		case name == "/attach":
			err = p.attach(ctx, arg)
		case name == "/help":
			p.say(composeHelp)
		case strings.HasPrefix(raw, "/") && !strings.HasPrefix(raw, "//"):
			p.out.release()
			return false, p.command(ctx, raw)
		default:
			if strings.HasPrefix(raw, "//") || raw == ".." {
				raw = raw[1:]
			}
			c.replace(ctx, append(c.lines, raw)...)
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// replace sets the lines of the answer, and stores them as a draft.
func (c *composing) replace(ctx context.Context, lines ...string) {
	c.lines = lines
	before := c.open.Session().Drafts[c.request]
	d := debate.Draft{Text: c.text(), Other: before.Reason()}
	if d.Text != "" {
		d.Source = before.Source
	}
	if err := c.Store.SaveDraft(context.WithoutCancel(ctx), c.open.Session().ID, c.request, d); err != nil {
		c.say("! %s", sentence(err))
		return
	}
	c.open.SetDraft(c.request, d)
}

// record stores the answer once its source is known. Done is false if there is none yet.
func (c *composing) record(ctx context.Context) (done bool, err error) {
	if strings.TrimSpace(c.text()) == "" {
		c.say("The answer to %s is blank. Type it, or /unavailable with a reason.", c.request)
		return false, nil
	}
	source, err := c.ask(ctx, "Source, or an empty line for none:", "")
	if err != nil {
		return false, err
	}
	return c.submit(ctx, ledger.Submission{Outcome: ledger.Answered, Content: c.text(), Source: source}), nil
}

// submit stores an answer. It returns false if it was refused.
func (c *composing) submit(ctx context.Context, sub ledger.Submission) bool {
	r, _ := c.open.Session().Request(c.request)
	sub.Request, sub.Correct = r.ID, len(r.Delivered) > 0
	err := c.do(ctx, control.Answer, control.Values{Answers: []ledger.Submission{sub}})
	if err != nil {
		c.say("! %s", sentence(err))
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

// decide shows a command and sends the user's decision on it.
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
