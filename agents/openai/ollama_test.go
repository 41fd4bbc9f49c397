package openai_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

// ollamaServer answers as Ollama does; what it has no answer for is not found.
func ollamaServer(t *testing.T, answers map[string]string) openai.Config {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		answer, ok := answers[strings.TrimSpace(r.Method+" "+r.URL.Path+" "+string(body))]
		if !ok {
			http.Error(w, `{"error":"not found"}`, http.StatusNotFound)
			return
		}
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(srv.Close)
	return openai.Config{Preset: "ollama", BaseURL: srv.URL + "/v1"}
}

func TestLocalModels_areWhatTheServerSaysOfThem(t *testing.T) {
	t.Parallel()
	const tags = `{"models":[{"name":"llama3.1:8b","size":4900},{"name":"nomic-embed-text","size":270},{"name":"old:7b","size":3800}]}`
	for name, c := range map[string]struct {
		answers map[string]string
		want    []openai.LocalModel
	}{
		"all is said": {map[string]string{
			"GET /api/tags": tags,
			"GET /api/ps":   `{"models":[{"name":"llama3.1:8b","size":6000,"context_length":8192}]}`,
		}, []openai.LocalModel{
			{Name: "llama3.1:8b", Size: 4900, Loaded: true, Window: 8192, Chat: true}, {Name: "nomic-embed-text", Size: 270}, {Name: "old:7b", Size: 3800, Chat: true},
		}},
		"the list alone": {map[string]string{"GET /api/tags": tags}, []openai.LocalModel{
			{Name: "llama3.1:8b", Size: 4900, Chat: true}, {Name: "nomic-embed-text", Size: 270}, {Name: "old:7b", Size: 3800, Chat: true},
		}},
		"no models": {map[string]string{"GET /api/tags": `{"models":[]}`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			client := must.Get(openai.New("ollama", ollamaServer(t, c.answers), openai.Options{}))(t)
			got, err := client.LocalModels(t.Context())
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Errorf("%v: %s", err, diff)
			}
		})
	}
	client := must.Get(openai.New("ollama", ollamaServer(t, nil), openai.Options{}))(t)
	if got, err := client.LocalModels(t.Context()); err == nil {
		t.Errorf("another server has the models %+v", got)
	}
}
