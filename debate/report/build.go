package report

import (
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
)

// documentOf returns the document of a session whose text has been made safe.
func documentOf(s debate.Session, live bool) Document {
	d := Document{
		Format: FormatName, Version: Version, State: stateOf(s, live), ID: s.ID, Title: s.Title, Topic: s.Topic,
		Question: s.Question, Options: s.GivenOptions(), Mode: s.Mode.Name, Summary: s.Mode.Summary,
		Status: s.Status(), Demo: s.Demo(), Rounds: s.Rounds, Created: s.Created.UTC(), Updated: s.Updated.UTC(),
		Stopped: s.Stopped, Budget: s.Budget,
		Agents: panelOf(s), Chair: s.Chair, Light: s.Light, History: []Round{}, Requests: []Request{}, Sources: sourcesOf(s),
		Interjections: []Interjection{}, Spent: spentOf(s), Notices: notices(s, 0), Imported: s.Imported,
		Setup: &Setup{Mode: s.Mode, Caps: s.Caps, Endings: s.EndConditions, Fit: s.Fit, Config: s.ConfigHash},
	}
	if s.ForkedFrom != "" {
		d.Parent, d.Fork, d.Changes = s.ForkedFrom, &s.ForkRound, s.ForkChanges
		if took := budget.InheritedSpending(s); took.Calls > 0 {
			d.ForkTook = &took
		}
	}
	q := verdict.SidesOf(s)
	for _, r := range s.History {
		d.History = append(d.History, roundOf(s, q, r, live))
	}
	for _, r := range s.Requests {
		d.Requests = append(d.Requests, wholeRequest(r))
	}
	for _, i := range s.Interjections {
		i.At = i.At.UTC()
		d.Interjections = append(d.Interjections, Interjection{i, roundsGiven(s, i.N)})
	}
	for _, f := range s.FollowUps {
		d.FollowUps = append(d.FollowUps, followUpOf(f, live))
	}
	if v := s.Verdict; v != nil {
		counted := recounted(*v, s)
		d.Verdict = &Verdict{counted.Headline, ledgerLine(counted, s), counted}
		d.Verdict.Verdict.Headline = "" // it is the header
	}
	return d
}

// panelOf returns the members with their roles.
func panelOf(s debate.Session) []Seat {
	panel := []Seat{}
	for i, p := range s.Seats {
		role, _ := s.Mode.RoleOf(i+1, len(s.Seats))
		seat := Seat{Seat: i + 1, Profile: p, Role: role.Name}
		if s.Mode.Label != "" {
			seat.Label = s.PromptName(p.ID)
		}
		panel = append(panel, seat)
	}
	return panel
}

func roundOf(s debate.Session, q verdict.Sides, r debate.Round, live bool) Round {
	out := Round{
		Round: r.Number, Snapshot: r.Hash, Focus: r.Manifest.Focus, Released: []string{}, Began: r.Began.UTC(),
		Ended:     optionalTime(r.Ended),
		Responses: []Response{}, Missing: missingTurns(s, r), Consensus: r.Consensus, Notices: notices(s, r.Number),
		Manifest: &r.Manifest,
	}
	for _, asked := range s.Requests {
		if slices.ContainsFunc(asked.Delivered, func(d ledger.Delivery) bool { return d.Round == r.Number }) {
			out.Released = append(out.Released, asked.ID)
		}
	}
	for _, x := range r.Responses {
		out.Responses = append(out.Responses, responseOf(s, q, x, live))
	}
	return out
}

// missingTurns returns the turns of a round that have not begun.
func missingTurns(s debate.Session, r debate.Round) []MissingTurn {
	out := []MissingTurn{}
	for _, step := range s.Mode.Steps(seatsAt(s, r), r.Number, max(r.Manifest.Rounds, r.Number)) {
		for _, id := range step.Seats {
			begun := slices.ContainsFunc(r.Responses,
				func(x debate.Response) bool { return x.Turn.Agent == id && x.Turn.Step == step.Index })
			if !begun {
				out = append(out, MissingTurn{id, step.Index, step.Phase})
			}
		}
	}
	return out
}

// seatsAt returns the agents that had a seat in a round.
func seatsAt(s debate.Session, r debate.Round) []agents.ID {
	if len(r.Manifest.Seats) > 0 {
		return r.Manifest.Seats
	}
	var ids []agents.ID
	for _, p := range s.Seats {
		ids = append(ids, p.ID)
	}
	return ids
}

func responseOf(s debate.Session, q verdict.Sides, x debate.Response, live bool) Response {
	out := Response{
		Turn: TurnOf(x.Turn), State: x.State, Role: x.Role, Phase: x.Phase, Text: x.Text(), Statement: x.Statement,
		NotAddressed: cite.UnaddressedAnswers(s, x), Passages: []Passage{}, Finish: x.Finish,
		Failure: x.Failure, Fitting: x.ContextFit, Prompts: x.PromptVersion, Usage: Usage{x.Calls, x.Usage, x.Cost}, Began: x.Began.UTC(),
		Ended: optionalTime(x.Ended), Snapshot: x.SnapshotHash, Saw: x.SeenResponses, Inherited: x.Inherited,
	}
	if out.State == debate.TurnRunning && !live { // its process has ended
		out.State = debate.TurnInterrupted
	}
	for _, p := range x.Passages {
		one := Passage{Text: p.Text, Reasoning: p.Reasoning, Tools: []Tool{}}
		for _, t := range p.Tools {
			tool := Tool{
				Call: t.ID, Tool: t.Name, Own: t.Own, Arguments: t.Args, State: t.State, Began: optionalTime(t.Began),
				Duration: t.Took.Milliseconds(),
			}
			if t.State == debate.ToolDone {
				tool.Result = &t.Result
			}
			one.Tools = append(one.Tools, tool)
		}
		out.Passages = append(out.Passages, one)
	}
	if x.State == debate.TurnDone {
		out.Side = q.Of(x.Statement)
		out.InRole = out.Side != debate.Undecided && s.InRole(x.Turn.Agent, x.Phase)
		out.Standing = standing(s, x, out.Side)
	}
	return out
}

// TurnOf returns a turn as a document has it.
func TurnOf(t agents.Turn) Turn { return Turn{t.Agent, t.Round, t.Step, t.Attempt} }

// RequestOf returns a request as a document has it.
func RequestOf(r ledger.Request) Request {
	out := Request{
		Request: r.ID, Agents: r.Askers(), Query: r.Query, Priority: r.Priority, State: r.State, Round: r.Round,
		Asked: r.Asked.UTC(), FollowUpOf: r.FollowUpOf, JoinedTo: r.JoinedTo,
		Asks: []Ask{}, Answers: []Answer{}, Released: []Release{},
	}
	if out.Agents == nil {
		out.Agents = []agents.ID{}
	}
	for _, a := range r.Asks {
		out.Asks = append(out.Asks, Ask{TurnOf(a.Turn), a.Query, a.Reason, a.Priority, a.Withdrawn, a.At.UTC(), "", nil})
	}
	for _, a := range r.Answers {
		out.Answers = append(out.Answers, Answer{a.Revision, a.Outcome, a.Content, a.Source, a.Author, a.Correction, a.At.UTC()})
	}
	for _, x := range r.Delivered {
		out.Released = append(out.Released, Release(x))
	}
	return out
}

// wholeRequest returns a request with what an import needs besides.
func wholeRequest(r ledger.Request) Request {
	out := RequestOf(r)
	for i, a := range r.Asks {
		out.Asks[i].Call, out.Asks[i].Reply = a.Call, &a.Reply
	}
	return out
}

// notices returns the notices of a round; round 0 has those of no round.
func notices(s debate.Session, round int) []debate.Notice {
	out := []debate.Notice{}
	for _, n := range s.Notices {
		if n.Round == round {
			n.At = n.At.UTC()
			out = append(out, n)
		}
	}
	return out
}

// roundsGiven returns the rounds that started with an interjection.
func roundsGiven(s debate.Session, n int) []int {
	out := []int{}
	for _, r := range s.History {
		if slices.ContainsFunc(r.Manifest.Interjections, func(ref debate.InterjectionRef) bool { return ref.N == n }) {
			out = append(out, r.Number)
		}
	}
	return out
}

// spentOf returns what the calls took: by purpose, then in total.
func spentOf(s debate.Session) []debate.Spending {
	if s.Verdict != nil && len(s.Verdict.Spending) > 0 && s.ForkRound == 0 && len(s.FollowUps) == 0 {
		return s.Verdict.Spending
	}
	out := append([]debate.Spending{budget.MemberSpending(s, 1)}, s.AuxiliarySpending...)
	return append(out, budget.TotalSpending(s))
}

// optionalTime returns nil for the zero time.
func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	u := t.UTC()
	return &u
}
