package demo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/debate/statement"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

const note = "Scripted answer of the demo: no model wrote this."

// harness runs a session of the scripted panel with the real prompts and tools.
type harness struct {
	testing.TB
	debate.Session
	client agents.Provider
	sent   []agents.Request
}

func TestQuestions_areTheTopicsThatFormsOfferAndAVerdictKnows(t *testing.T) {
	if demo.Question() != debate.DemoTopic || demo.ReviewQuestion() != debate.DemoReviewTopic || demo.Name != debate.DemoProvider {
		t.Errorf("%q is not %q, or %q not %q", demo.Question(), debate.DemoTopic, demo.ReviewQuestion(), debate.DemoReviewTopic)
	}
}

func newHarness(t testing.TB, mode string, seats, rounds int) *harness {
	t.Helper()
	m := debatetest.Mode(t, mode)
	return &harness{
		TB:     t,
		client: demo.Provider{},
		Session: debate.Session{
			ID: "s", Topic: "Should we move?", Question: debate.QuestionYesNo, Mode: m, Seats: demo.Panel(seats), Rounds: rounds, Nonce: "n",
		},
	}
}

// Request puts a question into the ledger, as the engine does.
func (s *harness) Request(_ context.Context, turn agents.Turn, call string, q tools.Question) (tools.Output, error) {
	l := ledger.Ledger{Requests: s.Requests}
	asked := ledger.Question{Query: q.Query, Reason: q.Reason, Priority: ledger.Priority(q.Priority), Refresh: q.Refresh}
	reply, events, err := l.Ask(turn, call, asked, ledger.DefaultCaps)
	if err != nil {
		return tools.Output{}, err
	}
	s.Requests = l.Apply(events...).Requests
	raw, err := json.Marshal(reply)
	return tools.Output{Text: string(raw)}, err
}

func (s *harness) answer(subs ...ledger.Submission) {
	s.Helper()
	l := ledger.Ledger{Requests: s.Requests}
	events := must.Get(l.Answer(subs...))(s)
	s.Requests = l.Apply(events...).Requests
}

// round runs the next round and returns its statements by seat.
func (s *harness) round() map[agents.ID]debate.Statement {
	s.Helper()
	m, release, err := s.Begin(debate.Focus{})
	must.Do(s, err)
	s.Requests = ledger.Ledger{Requests: s.Requests}.Apply(release...).Requests
	s.History = append(s.History, debate.Round{Number: m.Round, Manifest: m, Hash: m.Hash(), Began: time.Now()})
	snap := must.Get(prompt.NewSnapshot(s.Session, m.Round))(s)
	kit := must.Get(tools.NewExecutor(tools.Sources{Requests: s}, tools.RequestContext()))(s)
	out := map[agents.ID]debate.Statement{}
	for _, step := range s.Mode.Steps(m.Seats, m.Round, s.Rounds) {
		var done []debate.Response
		for _, seat := range step.Seats {
			x := s.speak(snap, step, seat, kit)
			out[seat], done = x.Statement, append(done, x)
		}
		s.Current().Responses = append(s.Current().Responses, done...)
		snap = snap.With(done)
	}
	s.Current().Ended = time.Now()
	return out
}

func (s *harness) speak(snap prompt.Snapshot, step debate.Step, seat agents.ID, kit agents.Toolkit) debate.Response {
	s.Helper()
	who, n := s.Seat(seat)
	a := agents.Agent{Profile: who, Client: s.client}
	turn := agents.Turn{Session: s.ID, Round: snap.Round, Step: step.Index, Attempt: 1, Agent: seat}
	var used agents.Usage
	calls := 0
	messages := prompt.Member(s.Mode, snap, step, a.Profile).Messages()
	reply := must.Get(a.Speak(s.Context(), turn, messages, kit, func(p agents.Progress) error {
		switch p := p.(type) {
		case agents.Sending:
			s.sent = append(s.sent, p.Request)
			calls++
		case agents.Completed:
			used = used.Add(p.Completion.Usage)
		}
		return nil
	}))(s)
	if !strings.Contains(reply.Text, note) {
		s.Errorf("%s does not say in round %d that it is scripted:\n%s", seat, snap.Round, reply.Text)
	}
	if used.Input == 0 || used.Output == 0 || used.Estimated {
		s.Errorf("%s used %+v", seat, used)
	}
	role, _ := s.Mode.RoleOf(n, len(s.Seats))
	said := statement.Parse(reply.Text)
	if vote := voteIn(s.TB, reply.Text); said.Vote != vote {
		s.Errorf("%s votes %q, which is read as %q", seat, vote, said.Vote)
	}
	return debate.Response{
		Turn: turn, State: debate.TurnDone, Role: role.Name, Phase: step.Phase,
		Statement: said, Finish: reply.Finish, Usage: used, Calls: calls,
	}
}

// forAllPanels runs a test for panels of the smallest, the usual and the largest size in two modes.
func forAllPanels(t *testing.T, f func(t *testing.T, s *harness, asker agents.ID)) {
	for _, mode := range []string{"collaborative", "expert-panel"} {
		for _, seats := range []int{2, 3, debate.MaxSeats} {
			t.Run(fmt.Sprint(mode, " ", seats), func(t *testing.T) {
				s := newHarness(t, mode, seats, 3)
				f(t, s, s.Seats[min(3, seats)-1].ID)
			})
		}
	}
}

func TestShow_oneSeatAsksOneRequiredAndThenOneOptionalFact(t *testing.T) {
	forAllPanels(t, func(t *testing.T, s *harness, asker agents.ID) {
		first := s.round()
		if len(s.Requests) != 2 {
			t.Fatalf("%d requests, want 2", len(s.Requests))
		}
		for i, want := range []ledger.Priority{ledger.Required, ledger.Optional} {
			r := s.Requests[i]
			if r.Priority != want || len(r.Asks) != 1 || r.Asks[0].Turn.Agent != asker || r.Asks[0].Reason == "" {
				t.Errorf("%s = %s by %v, want it %s by %s", r.ID, r.Priority, r.Askers(), want, asker)
			}
		}
		if got := s.Status(); got != debate.NeedsContext {
			t.Errorf("after round 1 the session is %s", got)
		}
		if got := first[asker].Vote; got != "no" {
			t.Errorf("%s begins with %q, want no", asker, got)
		}
		for seat, st := range first {
			if st.Position == "" || st.Confidence == nil || st.Vote == "" || len(st.Notes) > 0 || strings.Contains(st.Body, "```") ||
				!strings.Contains(st.Body, "Should we move?") {
				t.Errorf("%s says %+v", seat, st)
			}
		}
		s.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "A week."})
		s.round()
		s.round()
		if len(s.Requests) != 2 {
			t.Errorf("after round 1 it asks again: %+v", s.Requests)
		}
	})
}

func TestShow_theAnswerChangesThePositionAndIsQuoted(t *testing.T) {
	for _, c := range []struct {
		name  string
		sub   ledger.Submission
		vote  string
		quote string
	}{
		{"answered", ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "A week of work.\nWe see it at once."}, "yes", "A week of work. We see it at once."},
		{"unavailable", ledger.Submission{Request: "C1", Outcome: ledger.Unavailable, Content: "nobody has counted"}, "no", "nobody has counted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			forAllPanels(t, func(t *testing.T, s *harness, asker agents.ID) {
				s.round()
				s.answer(c.sub)
				for range 2 {
					got := s.round()[asker]
					if got.Vote != c.vote || !strings.Contains(got.Body, "“"+c.quote+"” [C1]") ||
						!cmp.Equal(got.ContextUsed, []string{"C1"}) {
						t.Errorf("round %d: %s says %+v", len(s.History), asker, got)
					}
					if strings.Contains(got.Position, "[C1]") != (c.vote == "yes") {
						t.Errorf("position: %s", got.Position)
					}
				}
			})
		})
	}
}

func TestShow_whatIsAskedInTheLastRoundIsReadInAnAddedOne(t *testing.T) {
	s := newHarness(t, "collaborative", 3, 1)
	if got := s.round()["cleo"]; got.Vote != "no" || len(s.Requests) != 2 {
		t.Errorf("Cleo says %+v after %d requests", got, len(s.Requests))
	}
	s.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "A week."})
	s.Rounds = 2
	if got := s.round()["cleo"]; got.Vote != "yes" || !cmp.Equal(got.ContextUsed, []string{"C1"}) {
		t.Errorf("in the added round Cleo says %+v", got)
	}
}

func TestShow_theChairReportsWhatTheLastRoundHolds(t *testing.T) {
	for seats := 2; seats <= debate.MaxSeats; seats++ {
		for _, answered := range []bool{true, false} {
			s := newHarness(t, "collaborative", seats, 2)
			s.round()
			sub := ledger.Submission{Request: "C1", Outcome: ledger.Unavailable, Content: "nobody has counted"}
			if answered {
				sub = ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "A week."}
			}
			s.answer(sub)
			votes := map[string]int{}
			for _, st := range s.round() {
				votes[st.Vote]++
			}
			v := s.conclude()
			want := "The panel is split"
			switch {
			case 2*votes["yes"] > seats:
				want = "Yes, in steps that can be undone"
			case 2*votes["no"] > seats:
				want = "Not now"
			}
			if !strings.HasPrefix(v.Text, "## Answer\n"+want+". ") || !strings.Contains(v.Text, note) || len(s.unknownCitations()) > 0 {
				t.Errorf("%d seats, votes %v: the report is\n%s", seats, votes, v.Text)
			}
			if no := strings.Contains(v.Text, "1. Leave it as it is for now."); no != (want == "Not now") {
				t.Errorf("%d seats: the advice does not follow from %q:\n%s", seats, want, v.Text)
			}
			part := "## What nobody covered"
			if answered {
				part = "## Why"
			}
			_, text, _ := strings.Cut(v.Text, part)
			if text, _, _ = strings.Cut(text, "\n## "); !strings.Contains(text, "“"+sub.Content+"” [C1]") ||
				strings.Count(v.Text, sub.Content) != 1 {
				t.Errorf("%d seats: the report does not have %q under %q:\n%s", seats, sub.Content, part, v.Text)
			}
			if !answered && !strings.Contains(v.Text, "[C1]\n- Who watches") {
				t.Errorf("%d seats: what is open runs together:\n%s", seats, v.Text)
			}
			for _, p := range s.Seats {
				if n := strings.Count(v.Text, "**"+p.Name+"** ("); n != 1 {
					t.Errorf("%d seats: %s stands in the report %d times", seats, p.Name, n)
				}
			}
		}
	}
}

func TestShow_whoStatesNoSideIsCountedForNone(t *testing.T) {
	s := newHarness(t, "socratic", 3, 1)
	votes := map[string]int{}
	for _, st := range s.round() {
		votes[st.Vote]++
	}
	if votes[""] != 1 || votes["no"] != 2 {
		t.Fatalf("the respondents and the questioner state %v", votes)
	}
	if text := s.conclude().Text; !strings.Contains(text, "**Ada** (no side): ") {
		t.Errorf("the report takes a question for a side:\n%s", text)
	}
}

func TestShow_anOpenQuestionHasNoSides(t *testing.T) {
	for _, mode := range []string{"delphi", "expert-panel"} {
		for seats := 2; seats <= debate.MaxSeats; seats++ {
			s := newHarness(t, mode, seats, 2)
			s.Topic, s.Question = "How long will the migration take?", debate.QuestionOpen
			for n := range 2 {
				for seat, st := range s.round() {
					text := st.Body + " " + st.Position + " " + st.Vote
					if st.Vote == "" || st.Position == "" || st.Confidence == nil || len(st.Notes) > 0 || sided.MatchString(text) {
						t.Errorf("%s, round %d: %s says %+v", mode, n+1, seat, st)
					}
				}
				if n == 0 {
					s.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "A week."})
				}
			}
			if v := s.conclude(); sided.MatchString(v.Text) {
				t.Errorf("%s: the report names a side:\n%s", mode, v.Text)
			}
		}
	}
	s := newHarness(t, "adversarial", 3, 1)
	s.Topic = "How long will the migration take?"
	for seat, st := range s.round() {
		if st.Vote == "" {
			t.Errorf("%s is to take a side in any case, and says %+v", seat, st)
		}
	}
}

// sided matches words that answer a question with yes or no.
var sided = regexp.MustCompile(`(?m)(^|[^\w“])(Yes|No|Undecided)[,:.]|yes or no|from no to yes|against it`)

// unknownCitations returns the caution on citations of answers that do not exist.
func (s *harness) unknownCitations() []debate.Caution {
	all := verdict.Count(s.Session).Cautions
	return slices.DeleteFunc(all, func(c debate.Caution) bool { return c.ID != verdict.CautionUnknownCitation })
}

// conclude has the demo's chair write the verdict.
func (s *harness) conclude() debate.Verdict {
	s.Helper()
	who := append(prompt.Chairs(s.Session), agents.Profile{})[0] // a critique has none
	built, _, err := prompt.Chair(s.Session, who)
	must.Do(s, err)
	chair := agents.Agent{Profile: s.WithOutputLimit(who), Client: s.client}
	turn := agents.Turn{Session: s.ID, Round: len(s.History), Step: debate.VerdictStep, Attempt: 1, Agent: who.ID}
	reply := must.Get(chair.Speak(s.Context(), turn, built.Messages(), nil, func(agents.Progress) error { return nil }))(s)
	v, _ := verdict.ReportOf(s.Session, who, reply)
	s.Verdict = &v
	return v
}

// stream returns all chunks of an answer.
func stream(t *testing.T, ctx context.Context, p demo.Provider, req agents.Request) ([]agents.Chunk, error) {
	t.Helper()
	var out []agents.Chunk
	for c, err := range p.Stream(ctx, req) {
		if err != nil {
			return out, err
		}
		out = append(out, c)
	}
	return out, nil
}

func TestStream_theSameRequestIsTheSameBytes(t *testing.T) {
	s := newHarness(t, "adversarial", 4, 2)
	s.round()
	s.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "A week."})
	s.round()
	for i, req := range s.sent {
		first := must.Get(stream(t, t.Context(), demo.Provider{}, req))(t)
		again := must.Get(stream(t, t.Context(), demo.Provider{}, req))(t)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("request %d is answered in two ways:\n%s", i, diff)
		}
		last := first[len(first)-1]
		if last.Finish == "" || last.Usage == nil || (last.Finish == agents.FinishToolCalls) != (len(last.Calls) == 1) {
			t.Errorf("request %d ends with %+v", i, last)
		}
	}
}

func TestStream_keepsItsPaceAndOtherwiseWaitsForNothing(t *testing.T) {
	s := newHarness(t, "collaborative", 2, 2)
	s.round()
	req := s.sent[0]
	for _, pace := range []time.Duration{0, demo.Readable} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			chunks := must.Get(stream(t, t.Context(), demo.New(pace), req))(t)
			if took, want := time.Since(begun), time.Duration(len(chunks)-1)*pace; took != want {
				t.Errorf("at a pace of %s %d chunks take %s, want %s", pace, len(chunks), took, want)
			}
		})
	}
}

// TestStream_isReadableUntilTheFormOpens adds up what the seats of round 1 take.
func TestStream_isReadableUntilTheFormOpens(t *testing.T) {
	for _, topic := range []string{"Should we move?", demo.Question()} {
		s := newHarness(t, "collaborative", 3, 2)
		s.Topic = topic
		s.round()
		took := map[string]time.Duration{}
		synctest.Test(t, func(t *testing.T) {
			for _, req := range s.sent {
				begun := time.Now()
				must.Get(stream(t, t.Context(), demo.New(demo.Readable), req))(t)
				took[req.Model] += time.Since(begun)
			}
		})
		if longest := slices.Max(slices.Collect(maps.Values(took))); longest < 12*time.Second || longest > 20*time.Second {
			t.Errorf("%s: round 1 takes %s", topic, longest)
		}
	}
}

func TestRetryNow_endsTheWaitsOfTheStage(t *testing.T) {
	s := newHarness(t, "collaborative", 3, 2)
	s.round()
	first, asks, goesOn := s.sent[0], s.sent[2], s.sent[3]
	s.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "A week."})
	s.round()
	next := s.sent[len(s.sent)-1]
	synctest.Test(t, func(t *testing.T) {
		p := demo.New(time.Minute)
		seconds := func(req agents.Request) float64 {
			begun := time.Now()
			must.Get(stream(t, t.Context(), p, req))(t)
			return time.Since(begun).Seconds()
		}
		p.RetryNow() // nobody speaks yet
		time.AfterFunc(90*time.Second, p.RetryNow)
		if got := seconds(asks); got != 90 {
			t.Errorf("the skipped answer took %v s, want 90", got)
		}
		if got := seconds(goesOn) + seconds(first); got != 0 {
			t.Errorf("the rest of the round goes on at its pace: %v s", got)
		}
		if got := seconds(next); got < 600 {
			t.Errorf("the next round is skipped, too: %v s", got)
		}
	})
}

func TestStream_stopsAtOnceWhenItIsCancelled(t *testing.T) {
	s := newHarness(t, "collaborative", 2, 2)
	s.round()
	req := s.sent[0]
	for _, pace := range []time.Duration{0, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Minute, cancel)
			if pace == 0 {
				cancel()
			}
			begun := time.Now()
			chunks, err := stream(t, ctx, demo.New(pace), req)
			if !errors.Is(err, context.Canceled) || len(chunks) > 0 || time.Since(begun) > time.Minute {
				t.Errorf("at a pace of %s: %v after %d chunks and %s", pace, err, len(chunks), time.Since(begun))
			}
			cancel()
		})
	}
}

func TestStream_answersWhateverItIsSent(t *testing.T) {
	for _, req := range []agents.Request{
		{},
		{Messages: []agents.Message{{Role: agents.User, Text: "Hello."}}},
		{Messages: []agents.Message{{Role: agents.System, Text: "Go."}, {Role: agents.User, Text: "You are Ada, seat 99 of 99 in a structured debate.\nThe question:\n```json\n{\n\nThis is round 7 of 7. Go."}}},
		{Messages: []agents.Message{{Role: agents.User, Text: "You are Ada, seat 99999999999999999999 of 3 in a structured debate."}}},
	} {
		chunks, err := stream(t, t.Context(), demo.Provider{}, req)
		if err != nil || len(chunks) < 2 {
			t.Errorf("%+v: %d chunks, %v", req, len(chunks), err)
			continue
		}
		text := ""
		for _, c := range chunks {
			text += c.Text
		}
		if !strings.Contains(text, note) || statement.Parse(text).Confidence == nil {
			t.Errorf("%+v is answered with %q", req, text)
		}
	}
}

func TestPanel_hasTwoToEightSeatsThatCostNothing(t *testing.T) {
	for n, want := range map[int]int{-1: 2, 0: 2, 2: 2, 5: 5, 8: 8, 9: 8} {
		panel := demo.Panel(n)
		if len(panel) != want {
			t.Errorf("Panel(%d) has %d seats, want %d", n, len(panel), want)
		}
		seen := map[agents.ID]bool{}
		for _, p := range panel {
			cost := p.Cost(agents.Usage{Input: 1000, Output: 1000})
			if seen[p.ID] || p.Provider != debate.DemoProvider || p.Name == "" || p.Persona == "" || cost == nil || *cost != 0 {
				t.Errorf("seat %+v", p)
			}
			seen[p.ID] = true
		}
	}
	if !(debate.Session{Seats: demo.Panel(2)}).Demo() {
		t.Error("the session does not know that it is a demo")
	}
}

func TestDemo_citesLinesOfEvidence(t *testing.T) {
	s := newHarness(t, "collaborative", 4, 1)
	text := "package main\n\nfunc main() {}\n// [C9] end\n"
	s.Evidence = must.Get(debate.AddEvidence(nil, []debate.Evidence{debate.NewEvidence("main.go", debate.EvidenceFile, text, "")}))(t)
	said := s.round()
	cited := map[string]bool{}
	for _, p := range s.Seats {
		cites := cite.By(said[p.ID]).Evidence
		if len(cites) != 1 {
			t.Fatalf("%s cites %v", p.ID, cites)
		}
		l := cite.Resolve(cites[0], s.Session, 1)
		if l.Problem != "" || l.Text == "" || !strings.Contains(said[p.ID].Body, "“"+l.Text+"” ["+cites[0].String()+"]") {
			t.Errorf("%s cites %s, which is %q:\n%s", p.ID, cites[0], l.Text, said[p.ID].Body)
		}
		cited[cites[0].String()] = true
	}
	if len(cited) != 3 {
		t.Errorf("of three lines the seats cite %v", cited)
	}
}

// A summary may take five seconds. At a readable pace a long one would not be done.
func TestStream_givesASummaryAtOnce(t *testing.T) {
	body := strings.Repeat("One writer is enough. ", 200)
	chunks, err := stream(t, t.Context(), demo.Provider{}, agents.Request{Messages: []agents.Message{
		{Role: agents.System, Text: "You shorten one statement of a debate for readers who cannot read all of it."},
		{Role: agents.User, Text: "The reasoning of one statement.\n0123456789ab reasoning\n" + body + "\n0123456789ab end\n\nShorten it to 880 to 1320 characters."},
	}})
	if err != nil || len(chunks) != 2 {
		t.Fatalf("%d chunks, %v", len(chunks), err)
	}
	if n := len([]rune(chunks[0].Text)); n < 880 || n > 1320 || !strings.HasPrefix(chunks[0].Text, "Scripted summary: One writer") {
		t.Errorf("%d characters: %s", n, chunks[0].Text)
	}
}

func sampleReview(t *testing.T, seats int) *harness {
	t.Helper()
	s := newHarness(t, "review", seats, debate.ReviewRounds)
	e := debate.NewEvidence(demo.SampleName, debate.EvidenceDiff, demo.Sample(), "")
	all := must.Get(debate.AddEvidence(nil, []debate.Evidence{e}))(t)
	s.Topic, s.Question, s.Evidence = demo.ReviewQuestion(), debate.QuestionOpen, all
	return s
}

// Panels of all sizes find the three bugs at their lines, and refute the false finding if they
// have two judges of it.
func TestStream_reviewsTheSample(t *testing.T) {
	for seats := 2; seats <= debate.MaxSeats; seats++ {
		s := sampleReview(t, seats)
		s.round()
		s.round()
		if len(s.Requests) > 0 {
			t.Errorf("%d seats ask %+v", seats, s.Requests)
		}
		v := s.conclude()
		var got []string
		for _, f := range verdict.Review(s.Session) {
			at := f.Places[0]
			line, _, _ := strings.Cut(strings.TrimSpace(at.Text), "\n")
			got = append(got, fmt.Sprint(f.State, " ", f.Severity, " ", at.String(), " ", line))
		}
		slices.Sort(got)
		fate := "refuted"
		if seats == 2 {
			fate = "disputed"
		}
		want := []string{
			"agreed high shop/orders.go:23 rows, err := o.db.QueryContext(ctx, \"SELECT id, total FROM orders WHERE customer = '\"+customer+\"'\")",
			"agreed high shop/orders.go:41 for i := 0; i <= len(orders); i++ {",
			"agreed medium shop/orders.go:53-54 defer f.Close()",
			fate + " medium shop/orders.go:23-29 rows, err := o.db.QueryContext(ctx, \"SELECT id, total FROM orders WHERE customer = '\"+customer+\"'\")",
		}
		if !slices.Equal(got, want) || verdict.Count(s.Session).Incomplete {
			t.Errorf("%d seats, %+v:\n%s", seats, verdict.Count(s.Session), strings.Join(got, "\n"))
		}
		for _, title := range []string{"The loop runs past the last order", "becomes part of the query", "closing the file is lost"} {
			if first, _, _ := strings.Cut(v.Text, "## Where they differ"); !strings.Contains(first, title) {
				t.Errorf("%d seats: the report leaves out %q:\n%s", seats, title, v.Text)
			}
		}
	}
}
