package engine_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/modes"
	"roundtable/internal/testing/debatetest"
)

// sentPrompt is a request as providers read it: the tools, then the messages.
type sentPrompt struct {
	text  string
	fixed int // bytes before what changes from round to round
}

// tailTitles begin the titles of the parts that change from round to round.
var tailTitles = regexp.MustCompile(`^(statistics|labels in use|your messages|questions to the user|form of|instructions for)|` +
	`by the other team|shuffled`)

func promptOf(t *testing.T, req agents.Request) sentPrompt {
	t.Helper()
	raw, err := json.Marshal(req.Tools)
	if err != nil {
		t.Fatal(err)
	}
	beginning := string(raw) + "\n" + req.Messages[0].Text + "\n"
	parts := req.Messages[1].Parts
	tail := slices.IndexFunc(parts, func(p agents.Part) bool { return tailTitles.MatchString(p.Title) })
	return sentPrompt{
		text: beginning + req.Messages[1].Text, fixed: len(beginning) + len(agents.JoinParts(parts[:tail])),
	}
}

// shared returns how many bytes two prompts begin with in common.
func shared(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

var roundAndPhase = regexp.MustCompile(`This is round (\d) of \d((?:, [^.]+)?)\.`)

// Providers bill the beginning that a prompt has in common with an earlier one at a lower
// price. A seat's prompt repeats that of the round before up to what changes, and with
// 32 KB of evidence seats of one model have most of their first prompts in common.
func TestEveryMode_promptsBeginWithTheSameBytes(t *testing.T) {
	t.Parallel()
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		lines := map[string]replyFunc{}
		for i := 1; i <= 3; i++ {
			lines[fmt.Sprint("m", i)] = replyText(debatetest.Statement(debatetest.Prose(fmt.Sprint(i), 1500), "So.", "yes", 0.6))
		}
		h := newHarness(t, lines)
		h.engine = engine.New(engine.Options{
			Recorder: h.store, Provider: func(agents.Profile) (agents.Provider, error) { return h.provider, nil },
			Tools: []tools.Tool{
				tools.RequestContext{}, tools.ReadEvidence{}, tools.ListEvidence{}, tools.SearchEvidence{},
			},
		})
		s := h.seatedSession("delphi", 3, 3)
		s.ID, s.Mode, s.Question = "", m, debate.QuestionOpen
		if m.Question != "" {
			s.Question = m.Question
		}
		s.Evidence = []debate.Evidence{debate.NewEvidence("log.txt", debate.EvidenceFile, strings.Repeat("It is written on this line.\n", 1170), "")}
		if s, err = h.store.Create(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		_, s = h.runRounds(s, 3)
		rounds, seats := 1.0, 1.0
		compared := 0
		earliest := slices.MinFunc(s.History[0].Responses, func(a, b debate.Response) int { return a.Turn.Step - b.Turn.Step })
		who, _ := s.Seat(earliest.Turn.Agent)
		first := promptOf(t, h.provider.requests(who.Model)[0])
		for i := 1; i <= 3; i++ {
			before := map[string]sentPrompt{} // by phase
			for n, req := range h.provider.requests(fmt.Sprint("m", i)) {
				where := roundAndPhase.FindStringSubmatch(req.Messages[1].Text)
				if where == nil { // the chair
					continue
				}
				now := promptOf(t, req)
				if was, ok := before[where[2]]; ok {
					compared++
					rounds = min(rounds, float64(shared(was.text, now.text))/float64(was.fixed))
				}
				before[where[2]] = now
				if n == 0 {
					seats = min(seats, float64(shared(first.text, now.text))/float64(len(first.text)))
				}
			}
		}
		t.Logf("| %s | %.2f | %.2f |", m.Name, rounds, seats)
		if compared < 4 || rounds < 0.95 || seats < 0.8 {
			t.Errorf("%s: %d compared; between rounds %.2f, between seats %.2f", m.Name, compared, rounds, seats)
		}
	}
}
