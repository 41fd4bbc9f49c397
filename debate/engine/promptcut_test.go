package engine_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/verdict"
)

// ollama is a server that reads the end of a prompt only, as much as its window holds.
type ollama struct {
	window int
	says   string
	mu     sync.Mutex
	longer int // prompts that were cut
}

func (o *ollama) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api/ps" {
		window := fmt.Sprintf(`"context_length":%d`, o.window)
		fmt.Fprintf(w, `{"models":[{"name":"a",%s},{"name":"b",%s},{"name":"light",%s}]}`, window, window, window)
		return
	}
	var req struct {
		Messages []struct{ Content string }
		Tools    []struct{ Function json.RawMessage }
	}
	body, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n := 0
	for _, m := range req.Messages {
		n += agents.Tokens(m.Content)
	}
	for _, t := range req.Tools {
		n += agents.Tokens(string(t.Function))
	}
	if n > o.window {
		o.mu.Lock()
		o.longer++
		o.mu.Unlock()
		n = o.window
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%q},\"finish_reason\":\"stop\"}]}\n\n", o.says)
	fmt.Fprintf(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":9}}\n\ndata: [DONE]\n\n", n)
}

// playOllama plays a debate of two seats on one Ollama.
func playOllama(t *testing.T, o *ollama, question string) debate.Session {
	t.Helper()
	srv := httptest.NewServer(o)
	t.Cleanup(srv.Close)
	client, err := openai.New("local", openai.Config{Preset: "ollama", BaseURL: srv.URL + "/v1"}, openai.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := newHarness(t, nil)
	h.engine = engine.New(engine.Options{
		Recorder: h.store, Provider: func(agents.Profile) (agents.Provider, error) { return client, nil },
	})
	s := h.session("collaborative", 2, "a", "b")
	s, err = h.store.Create(t.Context(), debate.Session{Topic: question, Mode: s.Mode, Seats: s.Seats, Rounds: 2, Caps: s.Caps})
	if err != nil {
		t.Fatal(err)
	}
	for s.Verdict == nil {
		_, s = h.run(s)
	}
	return s
}

func TestPromptCut_isOnTheSeatTheNoticesAndTheVerdict(t *testing.T) {
	t.Parallel()
	o := &ollama{window: 2048, says: "I hold that it should be done."}
	s := playOllama(t, o, strings.Repeat("Which of the two is better, and why? ", 800))
	want := "Ollama read 2,048 of about "
	for _, r := range s.History {
		for _, x := range r.Responses {
			if cut := x.Statement.Cut; cut == nil || cut.Read != 2048 || cut.Estimate < 6000 {
				t.Errorf("round %d: %s is marked with %+v", r.Number, x.Turn.Agent, cut)
			}
			if notes := strings.Join(x.Statement.Notes, "; "); !strings.Contains(notes, want) {
				t.Errorf("round %d: %s has the notes %q", r.Number, x.Turn.Agent, notes)
			}
		}
	}
	told := map[agents.ID]int{}
	for _, n := range s.Notices {
		if n.Code == debate.NoticePromptCut {
			told[n.Agent]++
			if !strings.Contains(n.Text, want) || !strings.Contains(n.Text, "OLLAMA_CONTEXT_LENGTH") {
				t.Errorf("notice: %s", n.Text)
			}
		}
	}
	if len(told) != 2 || told["a"] != 1 || told["b"] != 1 {
		t.Errorf("notices by speaker: %v, want one each", told)
	}
	if v := s.Verdict; v.Cut == nil || v.Cut.Read != 2048 {
		t.Errorf("the report was written on %+v", v.Cut)
	}
	if !verdict.Count(s).Incomplete {
		t.Error("the result is not incomplete")
	}
}

func TestPromptCut_theWindowThatIsInForceShortensPromptsInstead(t *testing.T) {
	t.Parallel()
	o := &ollama{window: 8192, says: strings.Repeat("I hold that it should be done, since it helps. ", 700)}
	s := playOllama(t, o, "Should we?")
	if o.longer > 0 {
		t.Errorf("%d prompts exceeded the window", o.longer)
	}
	for _, x := range s.History[1].Responses {
		if x.ContextFit == nil || x.ContextFit.Limit > 8192 || x.Statement.Cut != nil {
			t.Errorf("%s is fitted as %+v, cut %+v", x.Turn.Agent, x.ContextFit, x.Statement.Cut)
		}
	}
	if v := s.Verdict; v.Cut != nil {
		t.Errorf("the report was written on %+v", v.Cut)
	}
}

// A comparison whose prompt the server of the light model cut does not count.
func TestPromptCut_aComparisonThatWasCutDoesNotCount(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(&ollama{window: 512, says: `{"groups": [["H1", "H3"]]}`})
	t.Cleanup(srv.Close)
	client, err := openai.New("local", openai.Config{Preset: "ollama", BaseURL: srv.URL + "/v1"}, openai.Options{})
	if err != nil {
		t.Fatal(err)
	}
	long := func(who string) replyFunc {
		var all []string
		for n := range 12 {
			all = append(all, finding(fmt.Sprint(who, n, strings.Repeat(" goes wrong", 12)), "F1:8"))
		}
		return replyReviewing(strings.Join(all, ", "), nil)
	}
	h := newHarness(t, map[string]replyFunc{"ann": long("Ann"), "ben": long("Ben"), "cat": long("Cat")})
	h.engine = engine.New(engine.Options{Recorder: h.store, Provider: func(p agents.Profile) (agents.Provider, error) {
		if p.Model == "light" {
			return client, nil
		}
		return h.provider, nil
	}})
	_, s := h.run(h.startReview(addLight))
	if same := s.History[0].Same; len(same.Groups) > 0 || !strings.Contains(same.Ignored, "Ollama read 512 of about ") {
		t.Errorf("compared: %+v", same)
	}
}
