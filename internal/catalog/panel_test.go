package catalog_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"roundtable/internal/catalog"
	"roundtable/internal/testing/must"
)

// rowsOf returns the rows of a file of testdata, without its remarks.
func rowsOf(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	raw := must.Get(os.ReadFile("testdata/" + name))(t)
	for line := range strings.Lines(string(raw)) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimSpace(line), "\t"))
		}
	}
	return rows
}

func TestPanel_seatsThreeMinds(t *testing.T) {
	lists := map[string][]catalog.Offer{}
	for _, row := range rowsOf(t, "lists.txt") {
		o := catalog.Offer{Provider: row[0], ID: row[1]}
		if out, err := strconv.ParseFloat(row[2], 64); err == nil {
			o.Out = &out
		}
		lists[row[0]] = append(lists[row[0]], o)
	}
	for _, row := range rowsOf(t, "panels.txt") {
		var direct, router []catalog.Offer
		for _, provider := range strings.Fields(row[0]) {
			if provider == "openrouter" {
				router = lists[provider]
			} else {
				direct = append(direct, lists[provider]...)
			}
		}
		var seats []string
		all := catalog.Panel(direct, router)
		for _, o := range all[:min(len(all), 3)] {
			seats = append(seats, o.Provider+" "+o.ID)
		}
		if got := strings.Join(seats, ", "); got != row[1] {
			t.Errorf("%s:\n got %s\nwant %s", row[0], got, row[1])
		}
	}
}

func TestPanel_seatsOnlyWhatCanDebate(t *testing.T) {
	price := func(usd float64) *float64 { return &usd }
	for _, c := range []struct {
		name  string
		roads [][]catalog.Offer
		want  string
	}{
		{"nothing", nil, ""},
		{"no chat model", [][]catalog.Offer{{{ID: "whisper-1"}, {ID: "gemini-embedding-2"}, {ID: "x/llama-guard-4"}}}, ""},
		{"one model", [][]catalog.Offer{{{ID: "gpt-6.2-sol"}}}, "gpt-6.2-sol"},
		{"too dear", [][]catalog.Offer{{{ID: "gpt-6.2-sol", Out: price(25.5)}, {ID: "gpt-6-sol", Out: price(25)}}}, "gpt-6-sol"},
		{"versions are numbers", [][]catalog.Offer{{{ID: "gemini-3.9-flash"}, {ID: "gemini-3.10-flash"}}}, "gemini-3.10-flash"},
		{"a snapshot is no newer version", [][]catalog.Offer{{{ID: "claude-sonnet-4-5-20250929"}, {ID: "claude-sonnet-5"}}}, "claude-sonnet-5"},
		{"an agent is of its maker", [][]catalog.Offer{{{ID: "default", Maker: "claude"}}, {{ID: "claude-sonnet-5-5"}, {ID: "gpt-6.2-sol"}}}, "gpt-6.2-sol, default"},
		{"makers that nobody knows", [][]catalog.Offer{{{ID: "z/zeta-2"}, {ID: "alpha-1"}, {ID: "gpt-6-sol"}}}, "gpt-6-sol, z/zeta-2, alpha-1"},
		{"free models of a router", [][]catalog.Offer{{{ID: "google/gemma-4-31b-it:free", Out: price(0)}, {ID: "z-ai/glm-5.3"}}}, "z-ai/glm-5.3"},
		{"no default line", [][]catalog.Offer{{{ID: "claude-haiku-5-5", Out: price(.5)}, {ID: "claude-opus-5-5", Out: price(20)}}}, "claude-opus-5-5, claude-haiku-5-5"},
	} {
		var ids []string
		for _, o := range catalog.Panel(c.roads...) {
			ids = append(ids, o.ID)
		}
		if got := strings.Join(ids, ", "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A server may have hundreds of models.
func TestTogether_looksAtManyModels(t *testing.T) {
	var all []catalog.Offer
	for i := range 400 {
		all = append(all, catalog.Offer{ID: "m" + string(rune('a'+i%20)) + ":" + strconv.Itoa(i) + "b", Size: int64(i + 1)})
	}
	if best := catalog.Together(all, 1_000); len(best) != 3 || best[0].Size+best[1].Size+best[2].Size != 1_000 {
		t.Errorf("together: %+v", best)
	}
}

func TestTogether_fitsIntoMemory(t *testing.T) {
	const gb = 1 << 30
	offers := []catalog.Offer{ // sizes as Ollama lists them
		{ID: "llama3.3:70b", Size: 43 * gb},
		{ID: "phi4:14b", Size: 9 * gb},
		{ID: "gemma3:12b", Size: 8 * gb},
		{ID: "llama3.1:8b", Size: 5 * gb},
		{ID: "qwen3:8b", Size: 5*gb - 1},
		{ID: "mistral:7b", Size: 4 * gb},
		{ID: "gemma3:4b", Size: 3 * gb},
		{ID: "phi4-mini:3.8b", Size: 2*gb + 1},
		{ID: "llama3.2:3b", Size: 2 * gb},
		{ID: "qwen3:1.7b", Size: gb},
		{ID: "deepseek-r1:1.5b", Size: gb},
		{ID: "smollm2:360m", Size: gb - 1},
	}
	for memory, want := range map[int64]string{
		24 * gb: "phi4:14b, gemma3:12b, llama3.1:8b", 13 * gb: "phi4:14b, gemma3:4b, qwen3:1.7b", 5 * gb: "gemma3:4b, qwen3:1.7b, deepseek-r1:1.5b", gb: "",
	} {
		var ids []string
		for _, o := range catalog.Together(offers, memory) {
			ids = append(ids, o.ID)
		}
		if got := strings.Join(ids, ", "); got != want {
			t.Errorf("in %d GB: got %q, want %q", memory/gb, got, want)
		}
	}
}
