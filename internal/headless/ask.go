package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

// Ask reports the run of a follow-up question until it ends. It stops the run if the
// provider asks to wait for longer. The result is Completed if there is an answer.
func Ask(ctx context.Context, s debate.Session, run control.Run, tell func(debate.Event)) Result {
	e := Result{Kind: Failed, Session: s}
	var answer debate.FollowUp
	waits := ""
	for ev := range run.Events() {
		tell(ev)
		switch ev := ev.(type) {
		case debate.TurnRetrying:
			if until := ev.Retry.Until; !until.IsZero() {
				waits = fmt.Sprintf("%s is waiting until %s: %s", text.Line(string(ev.Turn.Agent)),
					localTime(until.Add(-ev.Retry.In), until), text.Line(ev.Retry.Cause))
				run.Stop()
			}
		case debate.FollowUpEnded:
			answer = ev.FollowUp
		case debate.RoundEnded:
			e.Session, e.Err = ev.Session, ev.Err
		default: // only reported
		}
	}
	var sig *SignalError
	x := answer.Response
	switch {
	case answer.Answered() && e.Err == nil:
		e.Kind = Completed
	case errors.As(context.Cause(ctx), &sig):
		e.Kind, e.Err = Paused, sig
	case waits != "":
		e.Kind, e.Err = Paused, errors.New(waits)
	case e.Err != nil:
	case x.Failure != nil && x.Failure.Kind == agents.KindBudget:
		e.Kind, e.Err = Stopped, errors.New(strings.TrimSuffix(x.Failure.Cause, "."))
	default:
		e.Err = fmt.Errorf("%s did not answer: %s", s.FollowUpName(answer), answer.Problem())
	}
	return e
}

// NewFollowUpReporter returns a reporter of a follow-up question about a session, which
// writes one line.
func NewFollowUpReporter(w io.Writer, s debate.Session, now func() time.Time) *JSONReporter {
	j := NewJSONReporter(w, false, now)
	j.session = s
	return j
}

// followUp writes a follow-up question with its answer.
func (j *JSONReporter) followUp(ev debate.FollowUpEnded) {
	f := ev.FollowUp
	x := f.Response
	j.writeLine("followup", ev.At, struct {
		Number   int              `json:"number"`
		Question string           `json:"question"`
		Agent    agents.ID        `json:"agent"`
		Answered bool             `json:"answered"`
		Text     string           `json:"text"`
		Problem  string           `json:"problem,omitempty"`
		Usage    report.UsageLine `json:"usage"`
	}{f.Number(), f.Question, x.Turn.Agent, f.Answered(), f.Text(), f.Problem(), report.UsageOf(x.Usage, x.Cost)})
}

// followUp writes a follow-up question with its answer.
func (l *TextReporter) followUp(f debate.FollowUp) {
	l.line("You asked %s: %s", l.seat(f.Response.Turn.Agent), text.Line(f.Question))
	if problem := f.Problem(); problem != "" {
		l.line("! %s", text.Line(problem))
	}
	if f.Answered() {
		l.block(f.Text())
	}
}
