package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"roundtable/agents"
	"roundtable/agents/openai"
)

// A search of OpenRouter is asked for by a field of the seat, or by the model's name. Its answer
// has the sources beside the text, as recorded.
func TestStream_readsAnswersWithSourcesOfTheWeb(t *testing.T) {
	const sources = `"annotations":[{"type":"url_citation","url_citation":{"url":"https://example.org/a","title":"A","content":"…",` +
		`"start_index":0,"end_index":12}}]`
	for name, reply := range map[string]string{
		"beside a piece": stream(`{"choices":[{"index":0,"delta":{"role":"assistant","content":"It is 42.",`+sources+`}}]}`, stop, done),
		"at the end": stream(content("It is 42."),
			`{"choices":[{"index":0,"delta":{"role":"assistant","content":"",`+sources+`},"finish_reason":"stop"}]}`, done),
		"whole": `{"choices":[{"index":0,"message":{"role":"assistant","content":"It is 42.",` + sources + `},"finish_reason":"stop"}]}`,
	} {
		var sent struct {
			Model   string
			Plugins []struct{ ID string }
		}
		h := func(w http.ResponseWriter, r *http.Request) {
			raw, err := io.ReadAll(r.Body)
			if err == nil {
				err = json.Unmarshal(raw, &sent)
			}
			if err != nil {
				t.Error(err)
			}
			io.WriteString(w, reply)
		}
		req := hello("openai/gpt-6.2-sol:online")
		req.ExtraBody = json.RawMessage(`{"plugins":[{"id":"web"}]}`)
		got := ask(t, t.Context(), serveWith(t, openai.Config{}, h), req)
		if got.Failure != nil || got.Text != "It is 42." || got.Finish != agents.FinishStop {
			t.Errorf("%s: %q, %v", name, got.Text, got.Failure)
		}
		if sent.Model != req.Model || len(sent.Plugins) != 1 || sent.Plugins[0].ID != "web" {
			t.Errorf("%s: sent %+v", name, sent)
		}
	}
}
