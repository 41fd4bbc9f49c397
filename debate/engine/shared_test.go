package engine_test

import (
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/debatetest"
)

// smallSession creates a session whose models have small windows, changed as a test wants it.
func (h *harness) smallSession(mode string, rounds int, change func(*debate.Session), models ...string) debate.Session {
	h.Helper()
	s := h.session(mode, rounds, models...)
	for i := range s.Seats {
		s.Seats[i].ContextWindow, s.Seats[i].MaxTokens = 6300, 500
	}
	if change != nil {
		change(&s)
	}
	return h.create(s)
}

// withLight gives a session the light model, and its seats windows of so many tokens.
func withLight(window int) func(*debate.Session) {
	return func(s *debate.Session) {
		addLight(s)
		for i := range s.Seats {
			s.Seats[i].ContextWindow = window
		}
	}
}

// longStatement is a whole statement of n characters of prose.
func longStatement(who string, round, n int) string {
	return fmt.Sprintf("%s\n\n```json\n{\"position\": \"%s holds it in round %d.\", \"confidence\": 0.6, \"vote\": "+
		"\"yes\", \"citations\": [\"a book\"]}\n```",
		debatetest.Prose(fmt.Sprintf("%s in round %d", who, round), n), who, round)
}

// replyLong speaks as long as n characters, and tells the rounds apart.
func replyLong(who string, n int) replyFunc {
	return func(_ int, req agents.Request) ([]agents.Chunk, error) {
		round := 0
		if _, err := fmt.Sscanf(textAfter(req.Messages[1].Text, "This is round "), "%d", &round); err != nil {
			return nil, err
		}
		return replyText(longStatement(who, round, n))(0, req)
	}
}

func textAfter(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// replySummary answers like a light model: with a summary of a part of what it was given.
func replySummary(percent int) replyFunc {
	return func(_ int, req agents.Request) ([]agents.Chunk, error) {
		text := req.Messages[1].Text
		text = text[strings.Index(text, "This is what"):]
		n := strings.LastIndex(text, ".\n") * percent / 100
		return replyText("Summary of "+strings.Join(strings.Fields(text)[3:7], " ")+": "+debatetest.Prose("it", max(n-40, 2)))(0, req)
	}
}

const cutInThoughts = "was cut at max_tokens before any text arrived. Raise max_tokens or lower reasoning_effort"

// replyThinking takes all room of a request for its thoughts.
func replyThinking(_ int, req agents.Request) ([]agents.Chunk, error) {
	return []agents.Chunk{{Reasoning: "Hm."}, {Finish: agents.FinishLength, Usage: &agents.Usage{Input: 10, Output: req.MaxTokens}}}, nil
}

func isSummary(req agents.Request) bool {
	return strings.Contains(req.Messages[0].Text, "You shorten one statement")
}

// replyAlsoSummaries answers requests for summaries by light, and all others by speak.
func replyAlsoSummaries(light, speak replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		if isSummary(req) {
			return light(n, req)
		}
		return speak(n, req)
	}
}

// runRounds plays a session until n rounds are played.
func (h *harness) runRounds(s debate.Session, n int) ([]debate.Event, debate.Session) {
	h.Helper()
	var all []debate.Event
	for len(s.History) < n {
		var evs []debate.Event
		evs, s = h.run(s)
		all = append(all, evs...)
	}
	return all, s
}

// userPrompt returns what a model was first sent in a round, summaries apart.
func (h *harness) userPrompt(model string, round int) string {
	h.Helper()
	texts := h.userTexts(model, fmt.Sprint(round))
	if len(texts) == 0 {
		h.Fatalf("%s was not asked in round %d", model, round)
	}
	return texts[0]
}

func (h *harness) summaryRequests() []agents.Request {
	var out []agents.Request
	for _, model := range []string{"a", "b", "c", "light"} {
		for _, r := range h.provider.requests(model) {
			if isSummary(r) {
				out = append(out, r)
			}
		}
	}
	return out
}

func addLight(s *debate.Session) {
	s.Light = &agents.Profile{ID: "light", Name: "Light", Provider: "test", Model: "light"}
}

func noticesByCode(evs []debate.Event) map[string][]debate.Notice {
	out := map[string][]debate.Notice{}
	for _, e := range eventsOf[debate.Noticed](evs) {
		out[e.Notice.Code] = append(out[e.Notice.Code], e.Notice)
	}
	return out
}
