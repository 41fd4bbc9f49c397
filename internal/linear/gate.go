package linear

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// gate reads the open requests out, takes an answer to each, and starts the next round
// when the user says so.
func (p *Program) gate(ctx context.Context) error {
	s := p.open
	p.dropTyped() // it cannot be an answer to what was not asked yet
	p.tellOpen()
	err := staysAtGate(p.askEach(ctx))
	for err == nil && p.open == s && !s.Running() && !s.left && s.Session().Verdict == nil {
		p.say("%s", s.missing())
		p.out.write("> ")
		var raw string
		if raw, err = p.readLine(ctx); err == nil {
			err = staysAtGate(p.command(ctx, raw))
		}
	}
	return err
}

// staysAtGate returns nil for a dialog that the user cancelled, which does not leave the gate.
func staysAtGate(err error) error {
	if errors.Is(err, errCancelled) {
		return nil
	}
	return err
}

// tellOpen writes how many requests wait, each of them, and who reads the answers.
func (p *Program) tellOpen() {
	s := p.open
	now := s.Session()
	open, required := now.OpenRequests(), len(now.Unanswered())
	if len(open) == 0 {
		p.say("No question is open.")
		return
	}
	blocked := ""
	if s.Next().Kind == control.AskUser {
		blocked = fmt.Sprintf(" Round %d is blocked.", len(now.History)+1)
	}
	p.say("Waiting for you: %d required, %d optional.%s", required, len(open)-required, blocked)
	s.report.Session = now
	for _, r := range open {
		s.report.Request(r)
	}
	p.say("Answers go to: %s.", p.recipients(now))
}

// missing says what is missing, or what the next round will start with.
func (s *session) missing() string {
	now := s.Session()
	if open := now.Unanswered(); len(open) > 0 {
		ids := control.IDs(open)
		return fmt.Sprintf("%d required left: %s. /answer %s answers it. /help lists the commands.", len(ids), text.List(ids), ids[0])
	}
	with, left := "", 0
	var sent []string
	for _, r := range now.Requests {
		if _, waits := r.Undelivered(); waits {
			sent = append(sent, r.ID)
		}
		if r.Open() {
			left++
		}
	}
	if len(sent) > 0 {
		with = " with " + text.List(sent)
	}
	if left > 0 {
		with += fmt.Sprintf(" (%d optional left open)", left)
	}
	return fmt.Sprintf("Nothing required is open. /continue starts round %d%s.", len(now.History)+1, with)
}

// askEach takes an answer to each open request. It ends early with a command of the user.
func (p *Program) askEach(ctx context.Context) error {
	for _, r := range p.open.Session().OpenRequests() {
		more, err := p.compose(ctx, r)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

func (p *Program) requests(context.Context, string) error {
	p.tellOpen()
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
	switch {
	case !ok:
		p.say("There is no question %q. /requests lists those that are open.", text.Label(arg))
		return nil
	case r.JoinedTo != "":
		p.say("%s was joined to %s.", r.ID, r.JoinedTo)
		return nil
	}
	p.open.report.Session = s
	if r.Open() {
		p.open.report.Request(r)
	} else {
		p.open.report.ClosedRequest(r)
	}
	_, err := p.compose(ctx, r)
	return err
}

// composing is an answer that is being typed.
type composing struct {
	*Program
	request ledger.Request
	lines   []string
}

func (c *composing) text() string { return strings.Trim(strings.Join(c.lines, "\n"), "\n") }

// compose takes the answer to a request, line by line. Every line is saved as a draft.
// More is false if the user does something else than answering or going to the next.
func (p *Program) compose(ctx context.Context, r ledger.Request) (more bool, err error) {
	p.out.held = true
	defer p.out.release()
	c := &composing{Program: p, request: r}
	editor := ""
	if p.Edit != nil {
		editor = " /editor,"
	}
	p.say("Answer %s, then a line with a single dot. Or /unavailable REASON, /skip,%s /help.", r.ID, editor)
	if d := p.open.Session().Drafts[r.ID]; strings.TrimSpace(d.Text) != "" && !d.Unavailable {
		c.lines = strings.Split(d.Text, "\n")
		p.say("Your draft, which the next lines are added to (/discard drops it):")
		p.block(d.Text)
	}
	for {
		p.out.write(r.ID + "> ")
		raw, err := p.readLine(ctx)
		if err != nil {
			return false, err
		}
		name, arg, _ := strings.Cut(strings.TrimSpace(raw), " ")
		if handled, done, err := c.composed(ctx, name, strings.TrimSpace(arg)); handled {
			if done || err != nil {
				return name != "/later", err
			}
			continue
		}
		if strings.HasPrefix(raw, "/") && !strings.HasPrefix(raw, "//") {
			return false, c.leaveAnswer(ctx, raw)
		}
		if strings.HasPrefix(raw, "//") || raw == ".." {
			raw = raw[1:]
		}
		c.lines = append(c.lines, raw)
		c.saveDraft(ctx)
	}
}

// composed carries out what the user types to end or change an answer. Handled is false
// for a line of its text.
func (c *composing) composed(ctx context.Context, name, arg string) (handled, done bool, err error) {
	switch name {
	case ".":
		done, err = c.record(ctx)
	case "/unavailable":
		done = c.unavailable(ctx, arg)
	case "/skip":
		if c.text() == "" {
			c.say("%s is skipped and stays as it is.", c.request.ID)
		} else {
			c.say("%s is skipped; what you typed is kept as a draft.", c.request.ID)
		}
		done = true
	case "/discard":
		c.lines = nil
		c.saveDraft(ctx)
		c.say("The draft of %s is dropped.", c.request.ID)
	case "/editor":
		c.edit(ctx)
	case "/help":
		err = c.help(ctx, "")
	default:
		return false, false, nil
	}
	return true, done, err
}

// leaveAnswer carries out another command than one of the answer, whose draft stays.
func (c *composing) leaveAnswer(ctx context.Context, raw string) error {
	c.out.release()
	return c.command(ctx, raw)
}

// saveDraft stores what was typed so far.
func (c *composing) saveDraft(ctx context.Context) {
	before := c.open.Session().Drafts[c.request.ID]
	d := debate.Draft{Text: c.text(), Other: before.Reason()}
	if d.Text != "" {
		d.Source = before.Source
	}
	if err := c.Store.SaveDraft(context.WithoutCancel(ctx), c.open.Session().ID, c.request.ID, d); err != nil {
		c.say("! %s", sentence(err))
		return
	}
	c.open.SetDraft(c.request.ID, d)
}

// edit replaces the text of an answer by what the user's editor returns.
func (c *composing) edit(ctx context.Context) {
	switch {
	case c.Edit == nil:
		c.say("No editor: set EDITOR or VISUAL.")
		return
	case c.open.Running():
		c.say("The editor opens once the round is done.")
		return
	}
	edited, err := c.Edit(c.text())
	if err != nil {
		c.say("! %s", sentence(err))
		return
	}
	c.lines = strings.Split(strings.Trim(text.SanitizeInput(edited), "\n"), "\n")
	c.saveDraft(ctx)
	c.say("Your answer; a single dot saves it:")
	c.block(c.text())
}

// record stores an answer once its source is known. Done is false if there is none yet.
func (c *composing) record(ctx context.Context) (done bool, err error) {
	if strings.TrimSpace(c.text()) == "" {
		c.say("The answer to %s is blank. Type it, or /unavailable with a reason.", c.request.ID)
		return false, nil
	}
	content, err := c.attachHere(ctx, c.text())
	if err != nil {
		return false, err
	}
	source, err := c.ask(ctx, "Source, or an empty line for none:", "")
	if err != nil {
		return false, err
	}
	return c.submit(ctx, ledger.Submission{Outcome: ledger.Answered, Content: content, Source: source}), nil
}

// unavailable records that there is no answer, and why.
func (c *composing) unavailable(ctx context.Context, reason string) (done bool) {
	if reason == "" {
		c.say("Say why %s is unavailable: /unavailable REASON. The seats read it.", c.request.ID)
		return false
	}
	return c.submit(ctx, ledger.Submission{Outcome: ledger.Unavailable, Content: reason})
}

// submit stores an answer. Done is false if it was refused.
func (c *composing) submit(ctx context.Context, sub ledger.Submission) (done bool) {
	r := c.request
	if newest, ok := c.open.Session().Request(r.ID); ok {
		r = newest
	}
	sub.Request, sub.Correct = r.ID, len(r.Delivered) > 0
	err := c.do(ctx, control.Answer, control.Values{Answers: []ledger.Submission{sub}})
	var refused *ledger.SubmissionError
	if errors.As(err, &refused) && errors.Is(err, ledger.ErrFrozen) { // it was sent while it was typed
		sub.Correct = true
		err = c.do(ctx, control.Answer, control.Values{Answers: []ledger.Submission{sub}})
	}
	if err != nil {
		c.say("! %s", sentence(err))
	}
	return err == nil
}
