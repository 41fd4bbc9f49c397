package debate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
)

// fillTimeout is how long the light model may take to name a mode's lists.
const fillTimeout = 30 * time.Second

var errLateFill = errors.New("no lists in time")

// unfilled names the lists that the light model is to name for the question.
func (m Mode) unfilled() []List {
	if m.Fill == "" {
		return nil
	}
	return slices.DeleteFunc(m.Lists(), m.HasGiven)
}

// fill has the light model name the lists of the mode that are to suit the question,
// before any member speaks. What comes to nothing leaves the mode's own, and says
// so; the error is the store's, or the end of the run.
func (p *play) fill(ctx context.Context) error {
	s := p.current()
	lists := s.Mode.unfilled()
	if s.Light == nil || len(lists) == 0 || len(s.History) > 1 || len(s.History[0].Responses) > 0 {
		return nil
	}
	text, err := p.askLists(ctx, s, lists)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var failed *agents.SpeakError
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	mode := s.Mode
	if err == nil {
		mode, err = mode.filled(text, lists)
	} else {
		err = errors.New(strings.TrimSuffix(failed.Failure.Cause, "."))
	}
	for _, l := range lists {
		if !mode.HasGiven(l) {
			mode.Given = append(slices.Clone(mode.Given), l) // its own, for good
		}
	}
	next, stored := p.Recorder.SetMode(ctx, s.ID, mode)
	if stored != nil {
		return fmt.Errorf("keep the lists of the mode: %w", stored)
	}
	p.change(func(Session) Session { return next })
	if err != nil {
		p.notice(ctx, Notice{Code: "lists", Round: 1, Text: fmt.Sprintf("%s did not name what the mode asks for (%v); the mode's own is used: %s.", s.Light.Name, err, mode.listed(lists))})
		return nil
	}
	p.notice(ctx, Notice{Code: "lists", Round: 1, Text: fmt.Sprintf("%s names for this question: %s.", s.Light.Name, mode.listed(lists))})
	return nil
}

// askLists is the light model's answer, also one that was stored already; an error
// of a failed call is a *agents.SpeakError.
func (p *play) askLists(ctx context.Context, s Session, lists []List) (string, error) {
	who := s.Speaker(*s.Light)
	if who.MaxTokens == 0 {
		who.MaxTokens = 2000
	}
	prompt := s.fillPrompt(lists)
	if reply, ok := s.KeptReply(FillStep, who.ID, agents.Agent{Profile: who}.Request(prompt, nil)); ok {
		return reply.Text, nil
	}
	t := agents.Turn{Session: s.ID, Round: 1, Step: FillStep, Attempt: s.LightTurns + 1, Agent: who.ID}
	w := &watcher{play: p, purpose: ForLight, who: who, response: Response{Turn: t, State: TurnRunning}}
	if err := w.begin(ctx); err != nil {
		return "", err
	}
	limited, cancel := context.WithTimeoutCause(ctx, fillTimeout, errLateFill)
	defer cancel()
	reply, err := w.speak(limited, prompt, nil)
	if w.err != nil {
		return "", w.err
	}
	if ctx.Err() == nil && errors.Is(context.Cause(limited), errLateFill) {
		err = &agents.SpeakError{Speaker: who, Failure: &agents.Failure{Kind: agents.KindSilence, Cause: fmt.Sprintf("%s did not answer within %s.", who.Name, fillTimeout)}}
	}
	w.settle(ctx, reply, err)
	if ended := w.end(ctx); ended != nil {
		return "", ended
	}
	p.change(func(s Session) Session {
		s.LightTurns++
		return s
	})
	return reply.Text, err
}

func (s Session) fillPrompt(lists []List) []agents.Message {
	shape := make([]string, len(lists))
	for i, l := range lists {
		shape[i] = fmt.Sprintf(`"%s": ["...", "..."]`, l)
	}
	return []agents.Message{
		{Role: agents.System, Text: "You prepare a structured debate. You take no side and answer nothing of the question itself."},
		{Role: agents.User, Text: fmt.Sprintf("The question of the debate, which has %d members:\n%s\n\n%s\n\nAnswer with one JSON object and nothing besides:\n{%s}\nEach list has two to %d entries.",
			len(s.Seats), strings.TrimSpace(s.Topic), strings.TrimSpace(s.Mode.Fill), strings.Join(shape, ", "), mostItems)},
	}
}

// filled returns the mode with the lists that an answer names. It is an error where
// one of them is missing, or has fewer than two entries.
func (m Mode) filled(answer string, lists []List) (Mode, error) {
	from, to := strings.IndexByte(answer, '{'), strings.LastIndexByte(answer, '}')
	var members map[string]json.RawMessage
	if from < 0 || to < from || json.Unmarshal([]byte(answer[from:to+1]), &members) != nil {
		return m, errors.New("the answer is no JSON object")
	}
	out := m
	for _, l := range lists {
		items := tidy(texts(members[string(l)]))
		if len(items) < 2 {
			return m, fmt.Errorf("the answer has no %s", l)
		}
		var err error
		if out, err = out.Take(l, items[:min(len(items), mostItems)]); err != nil {
			return m, err
		}
	}
	return out, nil
}

// listed shows lists in one line.
func (m Mode) listed(lists []List) string {
	parts := make([]string, len(lists))
	for i, l := range lists {
		parts[i] = fmt.Sprintf("%s %s", l, strings.Join(m.list(l), ", "))
	}
	return strings.Join(parts, "; ")
}
