package debate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
)

// FollowUp is a question after a verdict, with its answer. Rounds never see it; later follow-ups do.
type FollowUp struct {
	Question string
	Response Response // of the chair, or of the member that was asked
}

// MaxFollowUp is the largest number of characters of a follow-up question.
const MaxFollowUp = 4000

// Number returns the number of the question in its session, from 1.
func (f FollowUp) Number() int { return f.Response.Turn.Attempt }

// Answered reports whether there is an answer, which may have been cut off at its token
// limit. A question without an answer is in no later prompt.
func (f FollowUp) Answered() bool {
	return f.Response.State == TurnDone && strings.TrimSpace(f.Response.Text()) != ""
}

// Text returns the answer, or as much of it as was written if it is not complete.
func (f FollowUp) Text() string { return f.Response.Body() }

// Problem returns in sentences why the answer is not complete; "" if it is.
func (f FollowUp) Problem() string {
	x := f.Response
	switch {
	case f.Answered() && x.Finish == agents.FinishLength:
		return "The answer was cut off at its token limit."
	case f.Answered():
		return ""
	case x.State == TurnCancelled:
		return "Cancelled by request."
	case x.State == TurnInterrupted:
		return "Roundtable stopped before the answer was complete."
	case x.Failure != nil:
		return x.Failure.Words(x.State)
	case x.State == TurnRunning:
		return "It is being written."
	default:
		return "The model wrote no answer."
	}
}

// SpeakerNamed returns the id of the speaker of that id or name; an unknown name is returned as it is.
func (s Session) SpeakerNamed(name string) agents.ID {
	for _, p := range s.Speakers() {
		if strings.EqualFold(string(p.ID), name) || strings.EqualFold(p.Name, name) {
			return p.ID
		}
	}
	return agents.ID(name)
}

// CheckFollowUp returns who answers a question to an agent or, for "", to the chair. The error says why it cannot be asked.
func (s Session) CheckFollowUp(to agents.ID, question string) (agents.Profile, error) {
	switch {
	case s.Verdict == nil:
		return agents.Profile{}, refusal("debate %s has no verdict yet; follow-up questions come after it", s.ID)
	case strings.TrimSpace(question) == "":
		return agents.Profile{}, errors.New("the question is empty")
	case utf8.RuneCountInString(question) > MaxFollowUp:
		return agents.Profile{}, fmt.Errorf("the question is longer than %d characters", MaxFollowUp)
	}
	to = cmp.Or(to, s.followUpChair())
	who := s.SpeakerOf(ForFollowUp, agents.Turn{Agent: to, Round: len(s.History)})
	if who.ID != "" {
		return who, nil
	}
	known := s.SeatIDs()
	if s.Chair != nil && !slices.Contains(known, s.Chair.ID) {
		known = append(known, s.Chair.ID)
	}
	return who, fmt.Errorf("%q is neither the chair nor a seat: %s", to, joinIDs(known))
}

// followUpChair returns who answers for the chair: the verdict's author, the configured chair, or the first member.
func (s Session) followUpChair() agents.ID {
	if s.Chair != nil {
		return cmp.Or(s.Verdict.Chair, s.Chair.ID)
	}
	return cmp.Or(s.Verdict.Chair, s.Seats[0].ID)
}

// FollowUpName returns the name of who was asked.
func (s Session) FollowUpName(f FollowUp) string {
	who := s.SpeakerOf(ForFollowUp, f.Response.Turn)
	return cmp.Or(who.Name, string(f.Response.Turn.Agent))
}
