package verdict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/oracle"
)

// playedPanel builds the session of a panel, as the engine and the store would leave it.
type playedPanel struct {
	testing.TB
	oracle.Panel
	s     debate.Session
	began time.Time
}

// sessionOf returns the session of a panel.
func sessionOf(t testing.TB, panel oracle.Panel) debate.Session {
	p := playedPanel{TB: t, Panel: panel, began: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	p.s = debate.Session{
		ID: "k7m2", Topic: "What should be done?", Question: debate.QuestionKind(panel.Question.Kind), Rounds: panel.Planned,
		Author: authorOf(panel.TopicAuthor), Mode: p.mode(),
	}
	if p.s.Unit = panel.Question.Unit; p.s.Unit == "none" {
		p.s.Unit = ""
	}
	for _, seat := range panel.Seats {
		p.s.Seats = append(p.s.Seats, profileOf(seat))
	}
	p.s.Caps.None = !panel.Seats[0].Asks
	if panel.Evidence > 0 {
		p.s.Evidence = []debate.Evidence{debate.NewEvidence("plan.md", debate.EvidenceFile, strings.Repeat("A line.\n", panel.Evidence), "")}
		p.s.Evidence[0].ID = "F1"
	}
	p.play()
	p.ask()
	p.end()
	return p.s
}

func authorOf(name string) ledger.Author {
	switch name {
	case "":
		return ledger.Author{Kind: ledger.Person}
	case "a command":
		return ledger.Author{Kind: ledger.Command}
	}
	return ledger.Author{Kind: ledger.Assistant, Door: name}
}

func profileOf(seat oracle.Seat) agents.Profile {
	out := agents.Profile{
		ID: agents.ID(seat.ID), Name: seat.Name, Provider: "server-of-" + seat.ID, Model: modelName(seat.Maker, seat.Model), Loop: seat.Agent,
	}
	if seat.Scripted {
		out.Provider = debate.DemoProvider
	}
	return out
}

func modelName(maker, model string) string {
	if model == "" {
		return "default"
	}
	return maker + "-" + model
}

// mode returns a mode with the phases of the panel.
func (p *playedPanel) mode() debate.Mode {
	m := debate.Mode{Name: p.Mode.Name, MinSeats: 2, MaxSeats: 8, Order: debate.Parallel, First: "Say.", Later: "Say.", Last: "Say.", Asking: "Ask."}
	m.Options = p.Question.Options
	if p.Mode.Phases[0].Sequential {
		m.Order = debate.Sequential
	}
	var seating []string
	for i, seat := range p.Panel.Seats {
		role := debate.Role{Name: fmt.Sprint("role ", i), Brief: "Speak."}
		if seat.Stance {
			role.Stance, role.Fixed = debate.Yes, true
		}
		m.Roles, seating = append(m.Roles, role), append(seating, role.Name)
	}
	m.Seating = [][]string{seating}
	switch p.Mode.Kind {
	case "none":
		m.Votes, m.Order = debate.VotesNone, debate.ByTeams
		m.Teams = []string{"red", "blue"}
		for i := range m.Roles {
			m.Roles[i].Name = m.Teams[i%2]
			m.Seating[0][i] = m.Roles[i].Name
		}
	case "review":
		m.Asks, m.Votes, m.Roles, m.Seating = debate.AsksFindings, debate.VotesNone, nil, nil
	case "critique":
		m.Asks, m.Votes, m.Speakers = debate.AsksReplies, debate.VotesNone, m.Seating[0][:1]
	}
	for _, ph := range p.Mode.Phases[1:] {
		extra := debate.Phase{Name: ph.Name, Order: debate.Parallel, First: "Vote.", Later: "Vote.", Last: "Vote."}
		if ph.Rounds == "odd" {
			extra.Rounds = debate.OddRounds
		}
		switch {
		case p.Mode.Kind == "critique":
			extra.Asks, extra.Roles = debate.AsksConcerns, m.Seating[0][1:]
		case ph.Ranks:
			extra.Asks, m.Votes = debate.AsksRanking, ph.Name
		case ph.Votes:
			extra.Asks, m.Votes = debate.AsksVote, ph.Name
		default:
			continue
		}
		m.Phases = append(m.Phases, extra)
	}
	return m
}

// phaseOf returns what the program calls a phase of the panel.
func (p *playedPanel) phaseOf(name string) string {
	if p.s.Mode.Phase(name).Name == name {
		return name
	}
	return ""
}

// stepOf returns the step in which a seat speaks in a phase of a round.
func (p *playedPanel) stepOf(t oracle.Turn) debate.Step {
	for _, step := range p.s.Mode.Steps(p.s.SeatIDs(), t.Round, p.Planned) {
		if step.Phase == p.phaseOf(t.Phase) && slices.Contains(step.Seats, p.s.Seats[t.Seat].ID) {
			return step
		}
	}
	p.Fatalf("seed %d: seat %d has no step in phase %q of round %d", p.Seed, t.Seat, t.Phase, t.Round)
	return debate.Step{}
}

func (p *playedPanel) play() {
	models := map[int]string{}
	for _, t := range p.Turns {
		for len(p.s.History) < t.Round {
			p.beginRound()
		}
		was, spoke := models[t.Seat]
		if !spoke {
			was = p.s.Seats[t.Seat].Model
		}
		if was != modelName(t.Maker, t.Model) {
			now, before := p.s.Seats[t.Seat], p.s.Seats[t.Seat]
			now.Model = modelName(t.Maker, t.Model)
			p.s.SeatChanges = append(p.s.SeatChanges, debate.SeatChange{Round: t.Round, Agent: now.ID, Was: before, Now: now})
			p.s.Seats[t.Seat] = now
		}
		models[t.Seat] = modelName(t.Maker, t.Model)
		x := p.response(t)
		r := &p.s.History[t.Round-1]
		r.Responses = append(r.Responses, x)
		p.count(t, x)
	}
	for i := range p.s.History {
		slices.SortStableFunc(p.s.History[i].Responses, func(a, b debate.Response) int { return a.Turn.Step - b.Turn.Step })
	}
	blind := slices.ContainsFunc(p.Tools, func(t oracle.Tool) bool { return p.Mode.Blind && !t.Reads && len(t.Seats) > 1 })
	if blind && len(p.Turns) > 0 {
		p.s.Notices = append(p.s.Notices, debate.Notice{Code: "shared_tool", Round: 1, Text: "lookup may change something."})
	}
}

func (p *playedPanel) beginRound() {
	n := len(p.s.History) + 1
	if n > 1 {
		p.s.History[n-2].Ended = p.began
	}
	m := debate.Manifest{Session: p.s.ID, Round: n, Rounds: p.Planned, Seats: p.s.SeatIDs()}
	if p.Evidence > 0 {
		m.Evidence = []string{"F1"}
	}
	p.s.History = append(p.s.History, debate.Round{Number: n, Manifest: m, Began: p.began})
}

func (p *playedPanel) response(t oracle.Turn) debate.Response {
	x := debate.Response{
		Turn:  agents.Turn{Session: p.s.ID, Round: t.Round, Step: p.stepOf(t).Index, Attempt: 1, Agent: p.s.Seats[t.Seat].ID},
		Phase: p.phaseOf(t.Phase), State: debate.TurnDone, Began: p.began, Ended: p.began,
	}
	fail := func(state debate.TurnState, kind agents.Kind, cause string) {
		x.State, x.Failure = state, &debate.TurnFailure{Kind: kind, Cause: cause}
	}
	switch {
	case t.State == "failed" || t.State == "cut":
		fail(debate.TurnFailed, agents.KindBusy, "the server exploded")
	case t.State == "cancelled":
		fail(debate.TurnCancelled, agents.KindCancelled, "Cancelled by request.")
	case t.State == "running" && p.Ended == "user":
		fail(debate.TurnCancelled, agents.KindCancelled, debate.CauseCutOff)
	case t.State == "running" && p.Ended == "budget":
		fail(debate.TurnFailed, agents.KindBudget, "the budget is used up")
	case t.State == "running":
		x.State, x.Ended = debate.TurnInterrupted, time.Time{}
	default:
		x.Statement = p.statement(t)
	}
	for _, r := range t.Reads {
		o := oracle.Turn{Round: r.Round, Phase: t.Phase, Seat: r.Seat}
		seen := agents.Turn{Session: p.s.ID, Round: r.Round, Step: p.stepOf(o).Index, Attempt: 1, Agent: p.s.Seats[r.Seat].ID}
		x.SeenResponses = append(x.SeenResponses, debate.TurnID(seen))
	}
	for _, name := range t.Tools {
		x.Passages = append(x.Passages, debate.Passage{Tools: []debate.ToolRecord{{
			Name: name, State: debate.ToolDone, Result: agents.ToolResult{Status: agents.ToolOK, Text: "found"},
		}}})
	}
	return x
}

func (p *playedPanel) statement(t oracle.Turn) debate.Statement {
	st := debate.Statement{Body: "So.", Confidence: t.Confidence, Citations: nil}
	if t.Vote != nil {
		st.Vote = *t.Vote
	}
	if t.Value != nil {
		st.Vote = fmt.Sprint(*t.Value)
	}
	for _, id := range t.Cites {
		st.Citations = append(st.Citations, "["+id+"]")
	}
	for _, seat := range t.Ballot {
		st.Ranking = append(st.Ranking, p.s.Seats[seat].Name)
	}
	if t.Findings != nil {
		st.Findings = []debate.Finding{}
	}
	for _, f := range t.Findings {
		st.Findings = append(st.Findings, debate.Finding{Title: f.Key, Severity: debate.Severity(f.Severity)})
	}
	if t.Judgements != nil {
		st.Judgements = []debate.Judgement{}
	}
	for _, j := range t.Judgements {
		found := verdict.FirstFindings(p.s)
		i := slices.IndexFunc(found, func(f debate.ReviewFinding) bool { return f.Title == j.Key })
		st.Judgements = append(st.Judgements, debate.Judgement{Finding: found[i].ID, True: debate.Opinion(j.True)})
	}
	if t.Concerns != nil {
		st.Concerns = []debate.Objection{}
	}
	for _, title := range t.Concerns {
		st.Concerns = append(st.Concerns, debate.Objection{Title: title})
	}
	for _, r := range t.Replies {
		st.Replies = append(st.Replies, debate.Reply{Concern: r.Concern, Does: debate.ReplyKind(r.Does)})
	}
	if c := t.ChangedBy; c != nil {
		said := c.Fact + c.Tool + c.Text
		if c.Seat != nil {
			said = p.s.Seats[*c.Seat].Name
		}
		st.ChangedBy = &said
	}
	if p.Evidence > 0 {
		st.Shown = shownBut(p.Evidence, t.EvidenceCut)
	}
	if p.isCut(t) {
		st.Cut = &agents.PromptCut{Server: t.Prompt.Server, Read: t.Prompt.Counted, Estimate: t.Prompt.Estimate}
	}
	return st
}

func shownBut(lines int, hidden [][2]int) []debate.Citation {
	out := []debate.Citation{}
	for n := 1; n <= lines; n++ {
		if !slices.ContainsFunc(hidden, func(h [2]int) bool { return h[0] <= n && n <= h[1] }) {
			out = append(out, debate.Citation{ID: "F1", From: n, To: n})
		}
	}
	return debate.MergeCitations(out)
}

// isCut reports whether the client knows that a prompt was cut: by the window that it asked
// the server for, or by two signs.
func (p *playedPanel) isCut(t oracle.Turn) bool {
	q := t.Prompt
	if q.Window > 0 && q.Window < q.Estimate {
		return true
	}
	return p.says(t) && 10*(q.Counted+q.Cached) < 6*q.Estimate && slices.ContainsFunc(p.Turns, func(o oracle.Turn) bool {
		longer, shorter := max(o.Prompt.Estimate, q.Estimate), min(o.Prompt.Estimate, q.Estimate)
		return p.says(o) && o.Prompt.Server == q.Server && o.Prompt.Counted == q.Counted && 10*(longer-shorter) > longer
	})
}

func (p *playedPanel) says(t oracle.Turn) bool {
	return t.Prompt.Counted > 0 && !p.Panel.Seats[t.Seat].Agent && !t.Prompt.LeftOut
}

// count adds what the server counted of a prompt.
func (p *playedPanel) count(t oracle.Turn, x debate.Response) {
	if p.says(t) {
		p.s.PromptCounts = append(p.s.PromptCounts, debate.PromptCount{
			Turn: x.Turn, Purpose: debate.ForMember, Call: 1, Server: t.Prompt.Server, Estimate: t.Prompt.Estimate,
			Counted: t.Prompt.Counted, Cached: t.Prompt.Cached,
		})
	}
}

func (p *playedPanel) ask() {
	for _, q := range p.Panel.Requests {
		r := ledger.Request{ID: q.ID, Query: "What is " + q.ID + "?", Round: q.Round, Priority: ledger.Optional, State: ledger.Pending}
		if q.Required {
			r.Priority = ledger.Required
		}
		for i, a := range q.Answers {
			if a.Outcome == "given_up" {
				r.State = ledger.Unanswered
				continue
			}
			r.State = ledger.Resolved
			answer := ledger.Answer{
				Revision: i + 1, Outcome: ledger.Outcome(a.Outcome), Content: "It is so.", Author: authorOf(a.Author), Correction: i > 0,
			}
			if a.Reason != "" {
				answer.Content = a.Reason
			}
			r.Answers = append(r.Answers, answer)
			if a.Released > 0 {
				r.Delivered = append(r.Delivered, ledger.Delivery{Revision: i + 1, Round: a.Released})
			}
			if len(r.Delivered) > 0 {
				r.State = ledger.Released
			}
		}
		p.s.Requests = append(p.s.Requests, r)
	}
}

func (p *playedPanel) end() {
	verdictOf := &debate.Verdict{Chair: "ada"}
	if p.ReportCut {
		verdictOf.Cut = &agents.PromptCut{}
	}
	n := len(p.s.History)
	switch p.Ended {
	case "user":
		p.s.Stopped, p.s.Verdict = debate.StoppedByUser, verdictOf
	case "budget":
		p.s.Stopped, p.s.Verdict = debate.StoppedByBudget, verdictOf
	case "agreement":
		p.s.Stopped, p.s.Verdict = debate.EndedByConsensus, verdictOf
	case "settled":
		p.s.Stopped, p.s.Verdict = debate.EndedByConvergence, verdictOf
	case "plan":
		p.s.Verdict = verdictOf
	}
	over := n > 0
	if n > 0 {
		for _, x := range p.s.History[n-1].Responses {
			over = over && x.Finished()
		}
		due := 0
		for _, step := range p.s.Mode.Steps(p.s.SeatIDs(), n, p.Planned) {
			due += len(step.Seats)
		}
		over = over && due == len(p.s.History[n-1].Responses)
	}
	if n > 0 && (p.s.Verdict != nil || over) {
		p.s.History[n-1].Ended = p.began
	}
}
