package report

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// restored returns a tool call of a document. One that had not ended never will.
func (t Tool) restored() debate.ToolRecord {
	took := time.Duration(t.Duration) * time.Millisecond
	out := debate.ToolRecord{ID: t.Call, Name: t.Tool, Own: t.Own, Args: t.Arguments, State: t.State, Took: took}
	if t.Result != nil {
		out.Result = *t.Result
	}
	if t.Began != nil {
		out.Began = *t.Began
	}
	return out
}

// restored returns a request of a document of a session.
func (r Request) restored(session string) ledger.Request {
	out := ledger.Request{
		ID: r.Request, Key: ledger.Key(r.Query), Query: r.Query, Round: r.Round, Asked: r.Asked,
		Priority: r.Priority, State: r.State, FollowUpOf: r.FollowUpOf, JoinedTo: r.JoinedTo,
	}
	for _, a := range r.Asks {
		ask := ledger.Ask{
			Turn: agents.Turn{Session: session, Round: a.Round, Step: a.Step, Attempt: a.Attempt, Agent: a.Agent}, Call: a.Call,
			Query: a.Query, Reason: a.Reason, Priority: a.Priority, At: a.At, Withdrawn: a.Withdrawn,
			Reply: ledger.Reply{RequestID: r.Request, Status: ledger.StatusQueued},
		}
		if a.Reply != nil {
			ask.Reply = *a.Reply
		}
		out.Asks = append(out.Asks, ask)
	}
	for _, a := range r.Answers {
		out.Answers = append(out.Answers, ledger.Answer(a))
	}
	for _, x := range r.Released {
		out.Delivered = append(out.Delivered, ledger.Delivery(x))
	}
	return out
}

// Limits of a document, above what the program writes.
const (
	maxPlayed   = 1000 // rounds
	maxAttempts = 10000
	maxPassages = 1000
	maxFigure   = 1e15
)

var (
	earliest = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
)

// check returns an error for a document that no session can have been written as.
func (d Document) check() error {
	if err := checkValue(reflect.ValueOf(d)); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(d.Topic) == "":
		return fmt.Errorf("it has no topic")
	case len(d.Agents) < 2 || len(d.Agents) > debate.MaxSeats:
		return fmt.Errorf("it has %d agents; a debate has 2 to %d", len(d.Agents), debate.MaxSeats)
	case d.Rounds < 1 || d.Rounds > maxPlayed || len(d.History) > maxPlayed:
		return fmt.Errorf("it has %d rounds planned and %d played; there are 1 to %d", d.Rounds, len(d.History), maxPlayed)
	case !slices.Contains([]debate.QuestionKind{
		debate.QuestionUnset, debate.QuestionYesNo, debate.QuestionChoice, debate.QuestionEstimate, debate.QuestionOpen,
	}, d.Question):
		return fmt.Errorf("there is no kind of question %q", d.Question)
	case !slices.Contains([]debate.StopReason{
		debate.NotStopped, debate.StoppedByUser, debate.StoppedByBudget, debate.EndedByConsensus, debate.EndedByConvergence,
	}, d.Stopped):
		return fmt.Errorf("no debate is stopped by %q", d.Stopped)
	case d.Fork != nil && *d.Fork > len(d.History):
		return fmt.Errorf("it was forked after round %d and has %d", *d.Fork, len(d.History))
	}
	var seats []agents.ID
	for _, p := range d.Agents {
		if p.ID == "" || slices.Contains(seats, p.ID) {
			return fmt.Errorf("two agents have the id %q, or one has none", p.ID)
		}
		seats = append(seats, p.ID)
	}
	for i, r := range d.History {
		if err := r.check(i+1, seats); err != nil {
			return err
		}
		if r.Ended == nil && i+1 < len(d.History) {
			return fmt.Errorf("round %d has not ended, and another one has begun", r.Round)
		}
	}
	for i, q := range d.Interjections {
		if i > 0 && q.N <= d.Interjections[i-1].N {
			return fmt.Errorf("interjection %d comes twice", q.N)
		}
	}
	return d.checkRequests(seats)
}

// checkValue refuses numbers and times that cannot be stored.
func checkValue(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		if n := v.Int(); n > maxFigure || n < -maxFigure {
			return fmt.Errorf("the number %d is too large", n)
		}
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.Abs(f) > maxFigure {
			return fmt.Errorf("the number %g is too large", f)
		}
	case reflect.Struct:
		if t, ok := v.Interface().(time.Time); ok {
			if !t.IsZero() && (t.Before(earliest) || t.After(latest)) {
				return fmt.Errorf("the time %s is impossible", t.Format(time.RFC3339))
			}
			return nil
		}
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				continue
			}
			if err := checkValue(v.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return checkValue(v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		for i := range v.Len() {
			if err := checkValue(v.Index(i)); err != nil {
				return err
			}
		}
	default: // texts, and maps of counts
	}
	return nil
}

// check refuses a round that is not the n-th, or whose attempts cannot be stored.
func (r Round) check(n int, seats []agents.ID) error {
	if r.Round != n {
		return fmt.Errorf("round %d stands where round %d is due", r.Round, n)
	}
	if m := r.Manifest; m != nil && m.Round != n {
		return fmt.Errorf("the manifest of round %d is of round %d", n, m.Round)
	}
	if m := r.Manifest; m != nil && slices.ContainsFunc(m.Seats, func(id agents.ID) bool { return !slices.Contains(seats, id) }) {
		return fmt.Errorf("the manifest of round %d has a seat that the panel lacks", n)
	}
	seen := map[Turn]bool{}
	for _, x := range r.Responses {
		id := debate.TurnID(agents.Turn{Round: x.Round, Step: x.Step, Attempt: x.Attempt, Agent: x.Agent})
		switch {
		case x.Round != n, x.Step < 0, x.Step > maxAttempts, x.Attempt < 1, x.Attempt > maxAttempts:
			return fmt.Errorf("there can be no turn %s in round %d", id, n)
		case !slices.Contains(seats, x.Agent):
			return fmt.Errorf("%s speaks in round %d and has no seat", x.Agent, n)
		case seen[x.Turn]:
			return fmt.Errorf("the turn %s comes twice", id)
		case !slices.Contains([]debate.TurnState{
			debate.TurnRunning, debate.TurnDone, debate.TurnFailed, debate.TurnCancelled, debate.TurnInterrupted,
		}, x.State):
			return fmt.Errorf("the turn %s has the state %q, which does not exist", id, x.State)
		case len(x.Passages) > maxPassages:
			return fmt.Errorf("the turn %s has more than %d passages", id, maxPassages)
		case x.Usage.Requests < 0 || x.Usage.Input < 0 || x.Usage.Output < 0 || x.Usage.Cached < 0 || x.Usage.Reasoning < 0 ||
			x.Usage.Cost != nil && *x.Usage.Cost < 0:
			return fmt.Errorf("the turn %s took less than nothing", id)
		}
		seen[x.Turn] = true
		calls := map[string]bool{}
		for _, p := range x.Passages {
			for _, t := range p.Tools {
				if t.Call == "" || calls[t.Call] || t.Duration < 0 || t.Duration > int64(maxFigure/1e6) {
					return fmt.Errorf("the tool call %q of %s cannot be stored", t.Call, id)
				}
				calls[t.Call] = true
			}
		}
	}
	return nil
}

// requestID returns the expression of the ids of requests.
func requestID() *regexp.Regexp { return regexp.MustCompile(`^C[1-9][0-9]{0,8}$`) }

// checkRequests refuses requests that nobody can have asked.
func (d Document) checkRequests(seats []agents.ID) error {
	seen, id := map[string]bool{}, requestID()
	for _, r := range d.Requests {
		switch {
		case !id.MatchString(r.Request) || seen[r.Request]:
			return fmt.Errorf("the request %q comes twice, or is none", r.Request)
		case r.Priority != ledger.Required && r.Priority != ledger.Optional:
			return fmt.Errorf("%s has the priority %q, which does not exist", r.Request, r.Priority)
		case !slices.Contains([]ledger.State{ledger.Pending, ledger.Resolved, ledger.Released, ledger.Withdrawn, ledger.Expired}, r.State):
			return fmt.Errorf("%s has the state %q, which does not exist", r.Request, r.State)
		case (r.State == ledger.Resolved || r.State == ledger.Released) && len(r.Answers) == 0:
			return fmt.Errorf("%s is answered and has no answer", r.Request)
		case r.State == ledger.Released && len(r.Released) == 0:
			return fmt.Errorf("%s was sent with no round", r.Request)
		}
		seen[r.Request] = true
		for _, a := range r.Asks {
			if !slices.Contains(seats, a.Agent) {
				return fmt.Errorf("%s asks %s and has no seat", a.Agent, r.Request)
			}
		}
		for i, a := range r.Answers {
			if a.Revision < 1 || i > 0 && a.Revision <= r.Answers[i-1].Revision {
				return fmt.Errorf("answer %d of %s comes twice", a.Revision, r.Request)
			}
		}
		for _, x := range r.Released {
			if !slices.ContainsFunc(r.Answers, func(a Answer) bool { return a.Revision == x.Revision }) {
				return fmt.Errorf("answer %d of %s was sent and is missing", x.Revision, r.Request)
			}
		}
	}
	return nil
}
