package linear

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/report"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

// askFollowUp asks a follow-up question: of the seat that its first word names, which the
// user confirms, or else of the chair.
func askFollowUp(ctx context.Context, p *Program, arg string) error {
	s := p.open
	var to agents.ID
	question := arg
	first, rest, _ := strings.Cut(arg, " ")
	if x, ok := s.seat(strings.TrimSuffix(first, ":")); ok && strings.TrimSpace(rest) != "" {
		to, question = x.ID, strings.TrimSpace(rest)
	}
	if question == "" {
		p.say("Give the question: /ask QUESTION asks the chair, /ask SEAT QUESTION one member.")
		return nil
	}
	who, err := s.CheckFollowUp(to, question)
	if err != nil {
		return p.reported(err)
	}
	if to != "" {
		p.say("To %s only: %s", text.Line(who.Name), text.Line(question))
		yes, err := p.confirm(ctx, "Ask this?", "yes")
		if err != nil {
			return err
		}
		if !yes {
			p.say("Not asked.")
			return nil
		}
	}
	p.start(ctx, func(ctx context.Context, d debate.Session) *engine.Run { return p.Engine.Ask(ctx, d, to, question) })
	s.asked = text.Line(who.Name)
	p.say("Asked %s. The answer is written here when it is complete; /cancel cancels it.", s.asked)
	return nil
}

// cancelAnswer cancels the answer to a follow-up question.
func cancelAnswer(_ context.Context, p *Program, _ string) error {
	if p.open.answering.Step != debate.FollowUpStep {
		p.say("It has not begun to answer. Wait a moment, then /cancel.")
		return nil
	}
	p.open.run.Cancel(p.open.answering)
	return nil
}

// compare writes what differs between the debate and another one, or the one that it was
// forked from.
func compare(ctx context.Context, p *Program, arg string) error {
	other := cmp.Or(arg, p.open.ForkedFrom)
	if other == "" {
		p.say("Give the id of another debate: /compare ID. A fork is compared with its origin.")
		return nil
	}
	return compareBoth(ctx, p, other, p.open.ID)
}

func compareBoth(ctx context.Context, p *Program, first, second string) error {
	compared, err := p.Compare(ctx, first, second)
	if err != nil {
		return p.reported(err)
	}
	p.say("%s", strings.TrimRight(compared, "\n"))
	return nil
}

// verdict writes the verdict again.
func verdict(_ context.Context, p *Program, _ string) error {
	p.open.report.Event(debate.Concluded{Verdict: *p.open.Verdict, At: p.open.Updated})
	return nil
}

// question writes the whole question, with its options and the evidence.
func question(_ context.Context, p *Program, _ string) error {
	s := p.open
	p.block(s.Topic)
	if answers := report.Answers(s.Session); answers != "" {
		p.say("Answers: %s.", answers)
	}
	for _, e := range s.Evidence {
		p.say("Evidence %s", report.EvidenceLine(e))
	}
	return nil
}

// rename gives the debate another name.
func rename(ctx context.Context, p *Program, arg string) error {
	if arg == "" {
		p.say("Give the new name: /rename NAME.")
		return nil
	}
	if err := p.Store.Rename(ctx, p.open.ID, arg); err != nil {
		return p.reported(err)
	}
	p.open.Title = arg
	p.say("The debate is called %s now. /question still reads the question.", text.Line(arg))
	return nil
}

// prompt writes the last prompt that was sent to a seat.
func prompt(ctx context.Context, p *Program, arg string) error {
	x, ok := p.seatOf(arg)
	if !ok {
		return nil
	}
	sent, err := p.Prompt(ctx, p.open.ID, x.ID)
	if err != nil {
		return p.reported(err)
	}
	p.say("%s", strings.TrimRight(sent, "\n"))
	return nil
}

// export writes the debate to a file in the current folder.
func export(ctx context.Context, p *Program, arg string) error {
	path, err := p.Export(ctx, p.open.Session, p.open.running(), strings.ToLower(cmp.Or(arg, "md")))
	if err != nil {
		return p.reported(err)
	}
	p.say("Wrote %s.", text.Line(path))
	return nil
}

// transcript writes the whole debate as it is stored.
func transcript(ctx context.Context, p *Program, _ string) error {
	stored, err := p.Store.Session(ctx, p.open.ID)
	if err != nil {
		return p.reported(err)
	}
	headless.NewTextReporter(p.out, false).Transcript(stored)
	return nil
}

// unfinished says what quitting would leave unfinished.
func (s *session) unfinished() string {
	if s.asked != "" {
		return fmt.Sprintf("%s is still answering. The question is kept, without its answer.", s.asked)
	}
	return "A round is running. Finished answers are saved, the others are asked again on resume."
}
