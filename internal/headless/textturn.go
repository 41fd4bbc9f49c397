package headless

import (
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
)

// phaseSuffix names the phase of a turn outside the statements.
func phaseSuffix(x debate.Response) string {
	if x.Phase == "" {
		return ""
	}
	return " (" + text.Line(x.Phase) + ")"
}

// turnEnded writes how a seat ended its turn, unless it makes another attempt.
func (l *TextReporter) turnEnded(ev debate.TurnEnded) {
	x := ev.Response
	l.writeFailedTool(x.Turn)
	if ev.Again {
		return
	}
	chair, again := x.Turn.Step == debate.VerdictStep, l.done[x.Turn.Agent]
	if !chair {
		l.recordTurn(x)
	}
	switch {
	case x.State != debate.TurnDone && chair: // it may have answered as a member
		l.line("%s %s as chair%s", l.seat(x.Turn.Agent), x.State, causeOf(x))
	case x.State != debate.TurnDone:
		l.line("%s%s %s%s", l.seat(x.Turn.Agent), phaseSuffix(x), x.State, causeOf(x))
	case !chair: // the chair's text is written with the verdict
		if !l.quiet {
			l.line("%s%s done%s. %s%s", l.seat(x.Turn.Agent), phaseSuffix(x), l.standing(x),
				l.progressOf(x), l.changeOf(x))
			l.statement(x)
			if notes := x.Statement.Notes; len(notes) > 0 {
				l.line("  Note: %s.", text.Line(strings.Join(notes, "; ")))
			}
		}
		if note := x.Finish.Note(); note != "" {
			l.line("! %s: %s", l.seat(x.Turn.Agent), text.Line(note))
		}
		if ids := cite.UnaddressedAnswers(l.Session, x); len(ids) > 0 && !again { // only the first turn of a round has to address answers
			l.line("! %s asked for %s but did not use the %s.", l.seat(x.Turn.Agent), text.List(ids), text.Plural(len(ids), "answer"))
			l.notAddressed = append(l.notAddressed,
				fmt.Sprintf("%s in round %d: %s", l.seat(x.Turn.Agent), x.Turn.Round, strings.Join(ids, ", ")))
		}
	}
	l.rememberSide(x)
}

// statement writes a statement, after its position unless the text begins with it.
func (l *TextReporter) statement(x debate.Response) {
	position, body := text.Line(x.Statement.Position), x.Statement.Body
	if position == "" {
		body = bodyOf(x)
	}
	if position != "" && !strings.HasPrefix(text.Line(body), position) {
		l.line("  Position: %s", position)
	}
	if body != "" {
		l.block(body)
	}
}

// causeOf says why there is no statement, and what to do next.
func causeOf(x debate.Response) string {
	f := x.Failure
	if f == nil {
		return "."
	}
	content := ": " + text.Line(f.Cause)
	if f.Tries > 1 {
		content += fmt.Sprintf(" %d tries.", f.Tries)
	}
	if next := remedyOf(x); next != "" {
		content += " " + text.Line(next)
	}
	return content
}

// remedyOf says what to do about a failed turn; "" for one that the user cancelled.
func remedyOf(x debate.Response) string {
	if x.Failure == nil || x.State != debate.TurnFailed {
		return ""
	}
	return agents.Next(x.Failure.Remedy, x.Failure.Retryable)
}

// standing returns the side and confidence of a statement, after a comma.
func (l *TextReporter) standing(x debate.Response) string {
	words := ""
	if side := l.Session.Standing(x, l.Session.SideOf(x)); side != "" {
		words += ", " + text.Line(side)
	}
	if c := x.Statement.Confidence; c != nil {
		words += ", " + text.Percent(*c)
	}
	return words
}

// recordTurn records whether a seat completed its part of a step.
func (l *TextReporter) recordTurn(x debate.Response) {
	l.done[x.Turn.Agent] = x.State == debate.TurnDone
	l.donePhases[seatPhase{x.Phase, x.Turn.Agent}] = x.State == debate.TurnDone
}

// progressOf counts the seats that are done with the phase of a response.
func (l *TextReporter) progressOf(x debate.Response) string {
	var seats []agents.ID
	for _, p := range l.Session.Seats {
		seats = append(seats, p.ID)
	}
	done, all := 0, 0
	for _, step := range l.Session.Mode.Steps(seats, x.Turn.Round, l.Session.Rounds) {
		for _, id := range step.Seats {
			if step.Phase != x.Phase {
				continue
			}
			all++
			if l.donePhases[seatPhase{x.Phase, id}] {
				done++
			}
		}
	}
	return fmt.Sprintf("%d of %d done.", done, all)
}

// changeOf says whether a seat states another side of its own than before, and what it
// cites.
func (l *TextReporter) changeOf(x debate.Response) string {
	before, now := l.sides[x.Turn.Agent], l.Session.SideOf(x)
	content := ""
	if before != debate.Undecided && now != debate.Undecided && before != now && !l.Session.InRole(x.Turn.Agent, x.Phase) {
		content = " " + text.Line(l.Session.Change(before, now))
	}
	if cites := x.Statement.ContextUsed; len(cites) > 0 {
		joined := text.Line(strings.Join(cites, ", "))
		if content == "" {
			return " Cites " + joined + "."
		}
		content += ", cites " + joined
	}
	if content != "" {
		content += "."
	}
	return content
}

// rememberSide records the side that a seat states as its own, for changeOf.
func (l *TextReporter) rememberSide(x debate.Response) {
	side := l.Session.SideOf(x)
	if x.Turn.Step != debate.VerdictStep && x.State == debate.TurnDone && side != debate.Undecided &&
		!l.Session.InRole(x.Turn.Agent, x.Phase) {
		l.sides[x.Turn.Agent] = side
	}
}
