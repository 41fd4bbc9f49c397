package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Observer is called with each event of a turn of a chair or the light model, before the
// event's next effect.
type Observer = func(agents.Turn, agents.Profile, agents.Progress) error

// Judge has findings of a review compared, and asks a chair for the verdict. It keeps no
// state between calls.
type Judge struct {
	provider func(agents.Profile) (agents.Provider, error)
}

// NewJudge returns a Judge. Provider returns the client of a speaker.
func NewJudge(provider func(agents.Profile) (agents.Provider, error)) Judge {
	return Judge{provider: provider}
}

// Conclude writes the verdict. It tries the configured chair and then the members who
// answered in the last round with answers, by seat. A report that one of them has
// already written is reused. If all fail, the verdict is computed and says so. The error
// is the context's or what observe returned.
func (j Judge) Conclude(ctx context.Context, s debate.Session, observe Observer) (debate.Verdict, error) {
	candidates := chairCandidates(s)
	v, causes, err := j.cachedReport(s, candidates)
	if err != nil || v.Chair != "" {
		return v, err
	}
	attempt, overBudget := s.ChairTurns, false
	for _, who := range candidates {
		client, err := j.provider(who)
		if err != nil {
			causes = append(causes, chairCause{who.Name, fmt.Sprintf(" cannot be reached: %v", err)})
			continue
		}
		attempt++
		reply, err := j.ask(ctx, s, agents.Agent{Profile: s.WithOutputLimit(who), Client: client}, attempt, observe)
		if err == nil && verdict.IsReport(reply) {
			return withCauses(verdict.ReportOf(s, who, reply), causes), nil
		}
		if err == nil {
			causes = append(causes, chairCause{who.Name, noReport})
			continue
		}
		var failed *agents.SpeakError
		switch {
		case ctx.Err() != nil:
			return debate.Verdict{}, ctx.Err()
		case !errors.As(err, &failed):
			return debate.Verdict{}, err
		}
		causes = append(causes, failureOf(who, reply.Sent, failed.Failure.Kind, failed.Failure.Cause))
		overBudget = overBudget || failed.Failure.Kind == agents.KindBudget
	}
	v = verdict.WithoutReport(s, causesText(causes))
	v.OverBudget = overBudget
	return v, nil
}

// withCauses adds why chairs before the one that wrote a report did not.
func withCauses(v debate.Verdict, causes []chairCause) debate.Verdict {
	if len(causes) > 0 {
		v.Notes = append(v.Notes, "Written by another chair: "+strings.Join(causesText(causes), "; ")+".")
	}
	return v
}

// cachedReport returns the report that a chair wrote to the same prompt in a run that ended
// before its verdict was stored, and why earlier chairs failed.
func (j Judge) cachedReport(s debate.Session, chairs []agents.Profile) (v debate.Verdict, causes []chairCause, err error) {
	if !slices.ContainsFunc(s.CachedReplies, func(k debate.CachedReply) bool { return k.Turn.Step == debate.VerdictStep }) {
		return v, nil, nil
	}
	for _, who := range chairs {
		built, err := prompt.Chair(s, who)
		if err != nil {
			return v, nil, err
		}
		client, err := j.provider(who) // the request depends on it; without one nothing is sent
		chair := agents.Agent{Profile: s.WithOutputLimit(who), Client: client}
		if err != nil {
			chair.Client = nil
		}
		k, ok := s.CachedReplyFor(debate.VerdictStep, who.ID, chair.Request(built.Messages(), nil))
		switch {
		case ok && k.Failure == nil && !verdict.IsReport(k.Reply):
			causes = append(causes, chairCause{who.Name, noReport})
		case ok && k.Failure == nil:
			return withCauses(verdict.ReportOf(s, who, k.Reply), causes), nil, nil
		case ok:
			causes = append(causes, failureOf(who, k.Reply.Sent, k.Failure.Kind, k.Failure.Cause))
		}
	}
	return v, nil, nil
}

// noReport follows the name of a chair whose answer has no words.
const noReport = " wrote no report"

// chairCause is why a chair wrote no report, to be read after its name.
type chairCause struct{ name, why string }

// failureOf returns why a chair failed, or could not be asked after so many tries that were sent.
func failureOf(who agents.Profile, sent int, kind agents.Kind, cause string) chairCause {
	cause = strings.TrimSuffix(debate.ShortCause(kind, cause), ".")
	switch {
	case kind == agents.KindBudget && sent == 0:
		return chairCause{who.Name, " could not be asked: " + text.Uncapitalize(cause)}
	case kind == agents.KindBudget:
		return chairCause{who.Name, " could not be asked again: " + text.Uncapitalize(cause)}
	}
	return chairCause{who.Name, " failed: " + cause}
}

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

// ask has a chair write the report.
func (j Judge) ask(ctx context.Context, s debate.Session, chair agents.Agent, attempt int, observe Observer) (agents.Reply, error) {
	built, err := prompt.Chair(s, chair.Profile)
	if err != nil {
		return agents.Reply{}, err
	}
	turn := agents.Turn{Session: s.ID, Round: len(s.History), Step: debate.VerdictStep, Attempt: attempt, Agent: chair.ID}
	return chair.Speak(ctx, turn, built.Messages(), nil, func(p agents.Progress) error { return observe(turn, chair.Profile, p) })
}

// chairCandidates lists who may write the report, in the order in which they are tried.
func chairCandidates(s debate.Session) []agents.Profile {
	var out []agents.Profile
	if s.Chair != nil {
		out = append(out, *s.Chair)
	}
	for _, r := range slices.Backward(s.History) {
		done := r.Statements()
		for _, p := range s.Seats {
			answered := slices.ContainsFunc(done, func(x debate.Response) bool { return x.Turn.Agent == p.ID })
			if answered && !slices.ContainsFunc(out, func(o agents.Profile) bool { return o.ID == p.ID }) {
				out = append(out, p)
			}
		}
		if len(done) > 0 {
			break // a stopped last round may have no answers
		}
	}
	return out
}

// conclude writes the verdict, which ends the session.
func (r *runner) conclude(ctx context.Context) error {
	r.learnWindows(ctx)
	if err := r.summarizeForChair(ctx); err != nil {
		return err
	}
	s := r.current()
	turn := &auxTurn{runner: r, purpose: debate.ForChair}
	v, err := NewJudge(r.Provider).Conclude(ctx, s, func(t agents.Turn, who agents.Profile, event agents.Progress) error {
		return turn.observe(ctx, t, who, event)
	})
	if err != nil {
		return fmt.Errorf("write the verdict: %w", joinErrors(err, turn.abandon(ctx, err)))
	}
	if err := r.commit(ctx, func(ctx context.Context) (debate.Session, error) { return r.Recorder.SaveVerdict(ctx, s.ID, v) }); err != nil {
		return fmt.Errorf("save the verdict: %w", err)
	}
	r.emit(debate.Concluded{Session: r.current(), At: r.Now()})
	return nil
}

// summarizeForChair makes the summaries that the chair's prompt needs to fit.
func (r *runner) summarizeForChair(ctx context.Context) error {
	s := r.current()
	who, ok := prompt.LikelyChair(s)
	if !ok {
		return nil
	}
	fitter, err := prompt.ChairFitter(s, who)
	if err != nil {
		return err
	}
	r.summarizer.fit(ctx, ctx, fitter)
	return ctx.Err()
}
