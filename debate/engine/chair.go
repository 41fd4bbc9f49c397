package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

func (r *runner) conclude(ctx context.Context) error {
	r.learnWindows(ctx)
	if err := r.summarizeForChair(ctx); err != nil {
		return err
	}
	v, err := r.writeVerdict(ctx)
	if err != nil {
		return fmt.Errorf("write the verdict: %w", err)
	}
	if err := r.commit(ctx, func(ctx context.Context) (debate.Session, error) {
		return r.Recorder.SaveVerdict(ctx, r.current().ID, v)
	}); err != nil {
		return fmt.Errorf("save the verdict: %w", err)
	}
	r.emit(debate.Concluded{Session: r.current(), At: r.Now()})
	return nil
}

func (r *runner) summarizeForChair(ctx context.Context) error {
	s := r.current()
	chairs := prompt.Chairs(s)
	if len(chairs) == 0 {
		return nil
	}
	fitter, err := prompt.ChairFitter(s, chairs[0])
	if err != nil {
		return err
	}
	r.summarizer.fit(ctx, ctx, fitter)
	return ctx.Err()
}

// writeVerdict returns the verdict with the report of the first chair that writes one. A report
// that was written in a run that ended before its verdict was stored is used again. If all
// chairs fail, the verdict says why.
func (r *runner) writeVerdict(ctx context.Context) (debate.Verdict, error) {
	s := r.current()
	if s.Mode.Critiques() {
		return verdict.OfWriter(s), nil
	}
	var causes []chairCause
	overBudget := false
	for _, who := range prompt.Chairs(s) {
		reply, err := r.askChair(ctx, s, who)
		switch {
		case err != nil:
			return debate.Verdict{}, err
		case reply.failure != nil:
			causes = append(causes, chairCause{who.Name, reply.problem()})
			overBudget = overBudget || reply.failure.Kind == agents.KindBudget
		default:
			v, ok := verdict.ReportOf(s, who, reply.Reply)
			if !ok {
				causes = append(causes, chairCause{who.Name, " wrote no report"})
				continue
			}
			v.Pick = cmp.Or(v.Pick, reply.pick)
			if len(causes) > 0 {
				v.Notes = append(v.Notes, "Written by another chair: "+strings.Join(causesText(causes), "; ")+".")
			}
			return v, nil
		}
	}
	v := verdict.WithoutReport(s, causesText(causes))
	v.OverBudget = overBudget
	return v, nil
}

type chairReply struct {
	agents.Reply
	failure *debate.TurnFailure
	asked   bool
	pick    *debate.Pick // that it named when it was asked for it again
}

// problem says why a chair failed, or could not be asked, to be read after its name.
func (c chairReply) problem() string {
	cause := strings.TrimSuffix(debate.ShortCause(c.failure.Kind, c.failure.Cause), ".")
	switch {
	case c.failure.Kind != agents.KindBudget:
		return " failed: " + cause
	case !c.asked:
		return " could not be asked: " + cause
	}
	return " could not be asked again: " + cause
}

type chairCause struct{ name, why string }

// causesText returns the causes as text. Chairs in a row with the same cause share it.
func causesText(causes []chairCause) []string {
	var out []string
	for len(causes) > 0 {
		why := causes[0].why
		var names []string
		for len(causes) > 0 && causes[0].why == why {
			names, causes = append(names, causes[0].name), causes[1:]
		}
		out = append(out, text.List(names)+why)
	}
	return out
}

func (r *runner) askChair(ctx context.Context, s debate.Session, who agents.Profile) (reply chairReply, err error) {
	built, fit, err := prompt.Chair(s, who)
	if err != nil {
		return reply, err
	}
	who = s.WithOutputLimit(who)
	chair := agents.Agent{Profile: who}
	if client, err := r.Provider(who); err == nil { // the request depends on it
		chair.Client = client
	}
	if k, ok := s.CachedReplyFor(debate.VerdictStep, who.ID, chair.Request(built.Messages(), nil)); ok {
		if _, written := verdict.ReportOf(s, who, k.Reply); written || k.Failure != nil {
			return chairReply{Reply: k.Reply, failure: k.Failure, asked: true}, nil
		}
	}
	turn := agents.Turn{
		Session: s.ID, Round: len(s.History), Step: debate.VerdictStep, Attempt: r.current().ChairTurns + 1, Agent: who.ID,
	}
	tr := r.auxiliary(debate.ForChair, turn, who)
	tr.response.ContextFit = fit
	tr.answered = func(answer agents.Reply) {
		v, written := verdict.ReportOf(s, who, answer)
		if !r.AskForBlock || !written || v.Pick != nil || len(verdict.Candidates(s, who.ID)) == 0 {
			return
		}
		tr.block = &blockRequest{}
		again, _ := tr.speak(ctx, built.WithReport(s, answer.Text).Messages(), nil) // a failure leaves the report without a pick
		tr.block, reply.pick = nil, verdict.ReadPick(s, who.ID, again.Text)
	}
	reply.Reply, err = tr.play(ctx, built.Messages())
	reply.failure, reply.asked = tr.response.Failure, tr.response.Calls > 0
	return reply, cmp.Or(err, ctx.Err())
}
