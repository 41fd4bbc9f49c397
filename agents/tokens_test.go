package agents_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/internal/testing/must"
)

// The reference counts were made once, with two vocabularies of OpenAI. o200k is the
// one of its current models.
type reference struct {
	O200k  int `json:"o200k"`
	CL100k int `json:"cl100k"`
}

func references(t testing.TB) (counts map[string]reference, texts map[string]string) {
	t.Helper()
	raw := must.Get(os.ReadFile(filepath.Join("testdata", "tokens.json")))(t)
	must.Do(t, json.Unmarshal(raw, &counts))
	texts = map[string]string{}
	for name := range counts {
		text := must.Get(os.ReadFile(filepath.Join("testdata", "tokens", name)))(t)
		texts[name] = string(text)
	}
	return counts, texts
}

func TestBudget4_tokensAreEstimatedWithinAFifth(t *testing.T) {
	counts, texts := references(t)
	if len(counts) < 10 {
		t.Fatalf("only %d fixtures", len(counts))
	}
	for name, want := range counts {
		got := agents.Tokens(texts[name])
		off := 100 * (float64(got)/float64(want.O200k) - 1)
		t.Logf("%-16s %4d estimated, %4d counted: %+5.1f %%", name, got, want.O200k, off)
		if math.Abs(off) > 20 {
			t.Errorf("%s: %d tokens estimated, %d counted: %+.1f %%", name, got, want.O200k, off)
		}
		old := float64(got) / float64(want.CL100k)
		if old < 0.5 || old > 1.2 {
			t.Errorf("%s: %d tokens estimated, %d counted with an older vocabulary", name, got, want.CL100k)
		}
	}
}

func TestTokens_addUpAndNeverPanic(t *testing.T) {
	if n := agents.Tokens(""); n != 0 {
		t.Errorf("nothing is %d tokens", n)
	}
	for _, s := range []string{"\xff\xfe", "\x00", strings.Repeat("\u0301", 9), "👩‍💻", strings.Repeat("x", 5000), strings.Repeat("9", 5000)} {
		if n := agents.Tokens(s); n < 1 {
			t.Errorf("%.20q is %d tokens", s, n)
		}
	}
	_, texts := references(t)
	for name, text := range texts {
		once, twice := agents.Tokens(text), agents.Tokens(text+"\n\n"+text)
		if d := twice - 2*once; d < -2 || d > 4 {
			t.Errorf("%s is %d tokens, and twice that text %d", name, once, twice)
		}
	}
}

func TestRequestTokens_countAllThatIsSent(t *testing.T) {
	text := func(n int) string { return strings.TrimSpace(strings.Repeat("one two three. ", n)) }
	req := agents.Request{Messages: []agents.Message{{Role: agents.System, Text: text(100)}}}
	last := req.Tokens()
	for i, add := range []func(){
		func() { req.Messages = append(req.Messages, agents.Message{Role: agents.User, Text: text(10)}) },
		func() {
			req.Messages = append(req.Messages, agents.Message{Role: agents.Assistant, Calls: []agents.ToolCall{{Name: "read", Args: `{"path":"a"}`}}})
		},
		func() {
			req.Tools = []agents.ToolSpec{{Name: "read", Description: text(5), Schema: json.RawMessage(`{"type":"object"}`)}}
		},
		func() { req.Schema = json.RawMessage(`{"type":"object","properties":{}}`) },
	} {
		add()
		n := req.Tokens()
		if n <= last {
			t.Errorf("addition %d: %d tokens after %d", i, n, last)
		}
		last = n
	}
}

func ExampleTokens() {
	fmt.Println(agents.Tokens("Is one file enough for a small team?"))
	// Output: 8
}

func TestBudget4_aWindowIsToldOr32k(t *testing.T) {
	for _, c := range []struct {
		told, tokens int
		known        bool
	}{{9000, 9000, true}, {0, agents.DefaultWindow, false}} {
		if tokens, known := (agents.Profile{Model: "gpt-4o", ContextWindow: c.told}).Window(); tokens != c.tokens || known != c.known {
			t.Errorf("%d: %d, %v", c.told, tokens, known)
		}
	}
}

func TestBudget4_aPromptLeavesRoomForTheAnswer(t *testing.T) {
	for _, c := range []struct {
		name  string
		p     agents.Profile
		share float64
		want  int
	}{
		{"with a limit", agents.Profile{ContextWindow: 10_000, MaxTokens: 2000}, 0.9, 7000},
		{"without one", agents.Profile{ContextWindow: 100_000}, 0.9, 90_000 - 4096},
		{"without one in a small window", agents.Profile{ContextWindow: 8_000}, 0.9, 7200 - 2000},
		{"with a limit that leaves nothing", agents.Profile{ContextWindow: 8_000, MaxTokens: 8_000}, 0.9, 2000},
	} {
		if got := c.p.MaxPromptTokens(c.share); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestCost_ofCachedTokens(t *testing.T) {
	in, cached, out := 2.0, 0.5, 4.0
	u := agents.Usage{Input: 1_000_000, Cached: 800_000, Output: 500_000}
	for _, tt := range []struct {
		price *float64
		want  float64
	}{{nil, 4}, {&cached, 2.8}} {
		got := agents.Profile{PriceIn: &in, PriceCachedIn: tt.price, PriceOut: &out}.Cost(u)
		if got == nil || *got != tt.want {
			t.Errorf("it costs %v, want %v", got, tt.want)
		}
	}
	in, out = 0.15, 0.6
	if got := (agents.Profile{PriceIn: &in, PriceOut: &out}).Cost(agents.Usage{Input: 1000, Output: 4}); *got != 0.0001524 {
		t.Errorf("it costs %v, want 0.0001524", *got)
	}
}
