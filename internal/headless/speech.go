package headless

import (
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/statement"
)

// Page lays text out for a person at a terminal.
type Page interface {
	Prose(markdown string) []string // as styled lines
	Wrap(line string) []string
}

// speech is what the seats say on a [Page], one after the other: who begins has the floor until
// the turn ends. What others say meanwhile waits.
type speech struct {
	begun  []*said              // turns that have not ended; the first one has the floor
	ended  []debate.TurnEnded   // of turns that ended while another one had the floor
	whole  map[agents.Turn]bool // turns whose text is on the page
	report bool                 // the chair's report is
}

// said is what a turn has said in its passage under way.
type said struct {
	turn    agents.Turn
	text    strings.Builder
	written int // of the prose in bytes
	named   bool
}

func (s *speech) of(t agents.Turn) *said {
	if i := slices.IndexFunc(s.begun, func(one *said) bool { return one.turn == t }); i >= 0 {
		return s.begun[i]
	}
	return nil
}

// says takes streamed text, and writes the paragraphs that it completes.
func (l *TextReporter) says(ev debate.Text) {
	one := l.speech.of(ev.Turn)
	switch {
	case ev.Moves && one != nil:
		one.text.Reset()
		one.written = 0
		return
	case ev.Reasoning:
		return
	case one == nil:
		one = &said{turn: ev.Turn}
		l.speech.begun = append(l.speech.begun, one)
	}
	one.text.WriteString(ev.Text)
	if one == l.speech.begun[0] && strings.Contains(ev.Text, "\n") {
		l.paragraphs(one, false)
	}
}

// paragraphs writes what is complete of a passage, or all of it.
func (l *TextReporter) paragraphs(one *said, all bool) {
	prose := one.text.String()
	if !all {
		prose = prose[:max(strings.LastIndex(prose, "\n\n"), 0)]
		if fence := strings.LastIndex(prose, "```"); strings.Count(prose, "```")%2 == 1 {
			prose = prose[:fence]
		}
	}
	prose = statement.HideStructuredPart(prose)
	if len(prose) <= one.written {
		return
	}
	if !one.named {
		l.line("%s:", l.seat(one.turn.Agent))
		one.named = true
	}
	l.prose(prose[one.written:])
	one.written = len(prose)
}

// passageEnds writes the rest of a passage: tools run, or the turn has ended.
func (l *TextReporter) passageEnds(t agents.Turn) {
	switch one := l.speech.of(t); {
	case one == nil:
	case one == l.speech.begun[0]:
		l.paragraphs(one, true)
		one.text.Reset()
		one.written = 0
	default:
		one.text.WriteString("\n\n")
	}
}

// ends writes how a turn ended, once the turns that have the floor before it have ended.
func (l *TextReporter) ends(ev debate.TurnEnded) {
	t := ev.Response.Turn
	one := l.speech.of(t)
	if one == nil {
		l.turnEnded(ev)
		return
	}
	if one != l.speech.begun[0] {
		l.speech.ended = append(l.speech.ended, ev)
		return
	}
	l.passageEnds(t)
	if one.named {
		l.speech.whole[t] = true
		l.speech.report = t.Step == debate.VerdictStep && ev.Response.State == debate.TurnDone
		if ev.Again {
			l.line("%s is asked again.", l.seat(t.Agent))
		}
	}
	l.speech.begun = slices.DeleteFunc(l.speech.begun, func(one *said) bool { return one.turn == t })
	l.turnEnded(ev)
	if len(l.speech.begun) == 0 {
		return
	}
	next := l.speech.begun[0]
	if i := slices.IndexFunc(l.speech.ended, func(ev debate.TurnEnded) bool { return ev.Response.Turn == next.turn }); i >= 0 {
		ended := l.speech.ended[i]
		l.speech.ended = slices.Delete(l.speech.ended, i, i+1)
		l.ends(ended)
		return
	}
	l.paragraphs(next, false)
}
