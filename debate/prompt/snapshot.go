package prompt

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Snapshot is what the speakers of a round may see, rebuilt from its manifest. It is a
// value with slices of its own. Only the statements of the round's finished steps are
// added to it.
type Snapshot struct {
	Topic         string
	Question      debate.QuestionKind
	Unit          string // of an estimate
	Mode          debate.Mode
	Round         int
	Rounds        int
	Seats         []agents.Profile
	Earlier       []debate.Response // statements by round, step and seat
	Facts         []Fact
	Evidence      []Evidence // by id
	Missing       []debate.MissingResponse
	Focus         string
	FocusAuthor   ledger.Author
	Hash          string
	Fit           debate.FitOptions
	Created       time.Time // the date is part of the rules
	Workspace     debate.Workspace
	Caps          ledger.Caps
	fence         fence
	seed          string // of the orders in which answers are shown for ranking
	shuffled      bool   // this round's statements are in such an order
	sidesHidden   bool   // since answers are ranked by their readers
	Anonymizer    Anonymizer
	findings      []debate.ReviewFinding // of round 1 of a review, for the rounds after it
	concerns      []debate.Concern       // of earlier rounds of a critique
	interjections []interjection
	open          []string                // ids of the requests that waited for an answer when the round began
	requests      []ledger.Request        // with the asks that the speakers know of
	excerpts      map[string]shownExcerpt // of statements not passed on in full
	evidenceParts map[int]debate.Part     // as a speaker gets it, by round
	evidenceLimit int                     // see WithEvidenceLimit
	evidenceShown []debate.Citation       // lines in evidenceParts
}

// NewSnapshot returns what the given round started from.
func NewSnapshot(s debate.Session, round int) (Snapshot, error) {
	if round < 1 || round > len(s.History) {
		return Snapshot{}, fmt.Errorf("round %d of session %s has not begun", round, s.ID)
	}
	s = s.AsOf(round)
	r := s.History[round-1]
	m := r.Manifest
	snap := Snapshot{
		Topic: s.Topic, Question: cmp.Or(s.Question, debate.QuestionYesNo), Unit: s.Unit,
		Mode: s.Mode, Round: m.Round, Rounds: m.Rounds,
		Seats: slices.Clone(s.Seats), Focus: m.Focus, FocusAuthor: m.FocusAuthor, Hash: r.Hash, Fit: s.Fit,
		fence: newFence(s.Nonce), seed: m.Seed, Anonymizer: NewAnonymizer(s),
		Created: s.Created, Workspace: s.Workspace, Caps: s.Caps, open: m.Open,
		requests: requestsBefore(s.Requests, round),
	}
	for _, earlier := range s.History[:round-1] {
		earlier.Responses = slices.DeleteFunc(slices.Clone(earlier.Responses), func(x debate.Response) bool {
			return x.HasStatement() && !slices.Contains(m.Responses, x.ID()) // it came later
		})
		for _, x := range earlier.Said() {
			snap.Earlier = append(snap.Earlier, snap.Anonymizer.scrubResponse(x))
		}
		snap.Missing = append(snap.Missing, s.SilentSeats(earlier)...)
	}
	if round > 1 {
		snap.findings = verdict.FirstFindings(s)
		s := s
		s.History = s.History[:round-1]
		snap.concerns = s.Concerns()
	}
	for _, ref := range m.Facts {
		q, ok := s.Request(ref.ID)
		a, has := q.Revision(ref.Revision)
		if !ok || !has {
			return Snapshot{}, fmt.Errorf("round %d of session %s rests on %s revision %d, which is not there",
				round, s.ID, ref.ID, ref.Revision)
		}
		released := round
		if len(q.Delivered) > 0 {
			released = min(max(q.Delivered[0].Round, 1), round)
		}
		snap.Facts = append(snap.Facts, Fact{
			ID: q.ID, Query: snap.Anonymizer.Scrub(q.Query), Askers: q.Askers(), Round: q.Round, Released: released, Answer: a,
		})
	}
	var err error
	if snap.Evidence, err = evidenceOf(s, m); err != nil {
		return Snapshot{}, err
	}
	snap.interjections, err = interjectionsOf(s, m)
	return snap, err
}

func requestsBefore(all []ledger.Request, round int) []ledger.Request {
	var out []ledger.Request
	for _, q := range all {
		if q.Round < round {
			out = append(out, withAsks(q, func(a ledger.Ask) bool { return a.Turn.Round < round && !a.Withdrawn }))
		}
	}
	return out
}

// withAsks returns what speakers may know of a request, which later answers do not change.
func withAsks(q ledger.Request, keep func(ledger.Ask) bool) ledger.Request {
	asks := slices.DeleteFunc(slices.Clone(q.Asks), func(a ledger.Ask) bool { return !keep(a) })
	return ledger.Request{ID: q.ID, Query: q.Query, Asks: asks}
}

// With returns the snapshot of the next step, with the statements of a finished one.
func (snap Snapshot) With(step []debate.Response) Snapshot {
	snap.Earlier = slices.Clone(snap.Earlier)
	for _, x := range step {
		if x.HasStatement() {
			snap.Earlier = append(snap.Earlier, snap.Anonymizer.scrubResponse(x))
		}
	}
	return snap
}

// SeenResponses returns the ids of the responses in a prompt of the snapshot.
func (snap Snapshot) SeenResponses() []string {
	ids := make([]string, 0, len(snap.Earlier))
	for _, x := range snap.Earlier {
		if snap.excerpts[x.ID()].form != debate.FormOmitted {
			ids = append(ids, x.ID())
		}
	}
	return ids
}

// Final reports whether no later round is planned.
func (snap Snapshot) Final() bool { return snap.Round >= snap.Rounds }

// PromptName returns what prompts call a member: its name or its label.
func (snap Snapshot) PromptName(id agents.ID) string {
	return debate.Session{Seats: snap.Seats, Mode: snap.Mode}.PromptName(id)
}

// Profile returns the profile of a seat and its number, counted from 1.
func (snap Snapshot) Profile(id agents.ID) (agents.Profile, int) {
	return debate.Session{Seats: snap.Seats}.Seat(id)
}

// NextSnapshot returns what the next round would start from.
func NextSnapshot(s debate.Session) (Snapshot, error) {
	m, release, err := s.Begin(debate.Focus{})
	if err != nil {
		return Snapshot{}, err
	}
	s.Requests = ledger.Ledger{Requests: s.Requests}.Apply(release...).Requests
	s.History = append(slices.Clip(s.History), debate.Round{Number: m.Round, Manifest: m})
	return NewSnapshot(s, m.Round)
}

// VisibleTo returns the snapshot as a seat sees it in a step: without what the mode
// hides from it, and in the order that the mode wants.
func (snap Snapshot) VisibleTo(step debate.Step, seat agents.ID) Snapshot {
	phase := snap.Mode.Phase(step.Phase)
	snap.Earlier = slices.DeleteFunc(slices.Clone(snap.Earlier), func(x debate.Response) bool {
		switch {
		case x.Turn.Agent == seat:
			return false
		case snap.Mode.Phase(x.Phase).Private, phase.Asks == debate.AsksFindings: // findings are judged without names
			return true
		default:
			return snap.Mode.Sees() == debate.SeesRounds && x.Turn.Round == snap.Round && x.Phase == step.Phase
		}
	})
	if snap.Mode.Sees() == debate.SeesTeam {
		snap.Earlier = slices.Concat(snap.ownTeam(seat), snap.otherTeams(seat))
	}
	snap.sidesHidden = slices.ContainsFunc(snap.Mode.Phases, func(p debate.Phase) bool { return p.Asks == debate.AsksRanking })
	if phase.Asks == debate.AsksRanking {
		snap.Earlier, snap.shuffled = snap.shuffledFor(seat), true
	}
	return snap
}

func (snap Snapshot) teamOf(id agents.ID) string {
	_, seat := snap.Profile(id)
	role, _ := snap.Mode.RoleOf(seat, len(snap.Seats))
	return role.Name
}

func (snap Snapshot) ownTeam(seat agents.ID) []debate.Response {
	return slices.DeleteFunc(slices.Clone(snap.Earlier),
		func(x debate.Response) bool { return snap.teamOf(x.Turn.Agent) != snap.teamOf(seat) })
}

func (snap Snapshot) otherTeams(seat agents.ID) []debate.Response {
	last := map[string]debate.Response{}
	for _, x := range snap.Earlier {
		team := snap.teamOf(x.Turn.Agent)
		if was, ok := last[team]; !ok || cmp.Or(x.Turn.Round-was.Turn.Round, x.Turn.Step-was.Turn.Step) > 0 {
			last[team] = x
		}
	}
	return slices.DeleteFunc(slices.Clone(snap.Earlier), func(x debate.Response) bool {
		newest := last[snap.teamOf(x.Turn.Agent)].Turn
		return snap.teamOf(x.Turn.Agent) == snap.teamOf(seat) || x.Turn.Round != newest.Round || x.Turn.Step != newest.Step
	})
}

// shuffleKey returns by what things with an id are ordered for a reader in the round.
func (snap Snapshot) shuffleKey(reader agents.ID, id string) string {
	sum := sha256.Sum256([]byte(snap.seed + "|" + string(reader) + "|" + id))
	return string(sum[:])
}

func (snap Snapshot) shuffledFor(reader agents.ID) []debate.Response {
	out := slices.Clone(snap.Earlier)
	slices.SortStableFunc(out, func(a, b debate.Response) int {
		if a.Turn.Round != snap.Round || b.Turn.Round != snap.Round {
			return a.Turn.Round - b.Turn.Round
		}
		return cmp.Compare(snap.shuffleKey(reader, a.ID()), snap.shuffleKey(reader, b.ID()))
	})
	return out
}

// Fact is a released answer as agents see it.
type Fact struct {
	ID       string
	Query    string
	Askers   []agents.ID
	Round    int // of the first ask
	Released int // the round with which the first revision came
	ledger.Answer
}

// factsPart returns the answers that came first with a round. A correction replaces
// what it corrects.
func (snap Snapshot) factsPart(round int) (none debate.Part) {
	var b strings.Builder
	for _, x := range snap.Facts {
		if x.Released == round {
			b.WriteString("\n" + snap.factBlock(x))
		}
	}
	if b.Len() == 0 {
		return none
	}
	title := fmt.Sprintf("your answers, sent with round %d", round)
	text := fmt.Sprintf("Answers of the user that came with round %d, to be cited by their ids in square brackets:", round)
	return debate.Part{Title: title, Text: text + b.String()}
}

func (snap Snapshot) factBlock(x Fact) string {
	var t strings.Builder
	fmt.Fprintf(&t, "Question: %s\n", x.Query)
	switch {
	case x.Outcome == ledger.Unavailable:
		fmt.Fprintf(&t, "Not available, because: %s", x.Content)
	case x.Correction:
		fmt.Fprintf(&t, "Answer, corrected: %s", x.Content)
	default:
		fmt.Fprintf(&t, "Answer: %s", x.Content)
	}
	if x.Source != "" {
		fmt.Fprintf(&t, "\nSource: %s", x.Source)
	}
	if program := text.Label(x.Author.Assistant()); program != "" {
		fmt.Fprintf(&t, "\nAnswered by a program (%s) in the user's place, not by the user.", program)
	}
	askers := strings.Join(snap.names(x.Askers), ", ")
	return snap.fence.block(fmt.Sprintf("[%s] asked by %s in round %d", x.ID, askers, x.Round), t.String())
}

type interjection struct {
	debate.Interjection
	seats []agents.ID
}

func interjectionsOf(s debate.Session, m debate.Manifest) ([]interjection, error) {
	var out []interjection
	for _, ref := range m.Interjections {
		i := slices.IndexFunc(s.Interjections, func(i debate.Interjection) bool { return i.N == ref.N })
		if i < 0 {
			return nil, fmt.Errorf("round %d of session %s rests on interjection %d, which is not there", m.Round, s.ID, ref.N)
		}
		out = append(out, interjection{s.Interjections[i], ref.Seats})
	}
	return out, nil
}
