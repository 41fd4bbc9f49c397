package openai_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"roundtable/agents/openai"
)

// unstreaming is a server that refuses tools together with stream, and stream_options.
func unstreaming(t *testing.T) (*picky, string) {
	t.Helper()
	p := &picky{refuse: func(body map[string]any) (int, string) {
		switch {
		case body["stream"] == true && body["tools"] != nil:
			return http.StatusInternalServerError, `{"error":{"code":500,"message":"Cannot use tools with stream","type":"server_error"}}`
		case body["stream_options"] != nil:
			return http.StatusBadRequest, `{"error":{"message":"Unknown parameter: stream_options"}}`
		}
		return 0, ""
	}}
	srv := httptest.NewServer(p)
	t.Cleanup(srv.Close)
	return p, srv.URL + "/v1"
}

func TestLessons_areKeptForADay(t *testing.T) {
	p, base := unstreaming(t)
	dir, now := t.TempDir(), time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	open := func(base string, after time.Duration) *openai.Client {
		return client(t, openai.Config{BaseURL: base}, openai.Options{
			Rand: noBackoff, StateDir: dir, Now: func() time.Time { return now.Add(after) },
		})
	}
	requests := func(c *openai.Client, model string) int {
		before := len(p.bodies)
		for _, req := range []bool{true, false} {
			r := hello(model)
			if req {
				r = everything(model)
			}
			if got := ask(t, t.Context(), c, r); got.Failure != nil {
				t.Fatal(got.Failure)
			}
		}
		return len(p.bodies) - before
	}
	if n := requests(open(base, 0), "m"); n != 4 {
		t.Errorf("%d requests to an unknown server, want two and two refused ones", n)
	}
	if n := requests(open(base, 23*time.Hour), "m"); n != 2 {
		t.Errorf("%d requests on the same day, want 2", n)
	}
	if n := requests(open(base, time.Hour), "other"); n != 4 {
		t.Errorf("%d requests to another model, want 4", n)
	}
	if n := requests(open(base, time.Hour), "m"); n != 2 {
		t.Errorf("%d requests to the first model, want 2: the other one's lessons replaced its own", n)
	}
	if n := requests(open(base, 25*time.Hour), "m"); n != 4 {
		t.Errorf("%d requests a day later, want 4", n)
	}
	_, elsewhere := unstreaming(t)
	c := open(elsewhere, time.Hour)
	if got := ask(t, t.Context(), c, everything("m")); len(got.Retries) == 0 {
		t.Error("another server has the lessons of the first")
	}
}

func TestLessons_toolsThatAreRefusedAreNotKept(t *testing.T) {
	p := &picky{refuse: func(body map[string]any) (int, string) {
		if body["tools"] != nil {
			return http.StatusBadRequest, `{"error":{"message":"m does not support tools"}}`
		}
		return 0, ""
	}}
	srv := httptest.NewServer(p)
	defer srv.Close()
	opts := openai.Options{Rand: noBackoff, StateDir: t.TempDir()}
	for range 2 {
		ask(t, t.Context(), client(t, openai.Config{BaseURL: srv.URL + "/v1"}, opts), everything("m"))
	}
	if n := p.has("tools"); n != 2 {
		t.Errorf("tools were offered %d times, want once by each client", n)
	}
}

func TestLessons_damageIsNoLesson(t *testing.T) {
	_, base := unstreaming(t)
	dir := t.TempDir()
	opts := openai.Options{Rand: noBackoff, StateDir: dir}
	ask(t, t.Context(), client(t, openai.Config{BaseURL: base}, opts), everything("m"))
	files, err := filepath.Glob(filepath.Join(dir, "servers", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %q, %v", files, err)
	}
	for _, text := range []string{"", "{", `{"m":[]}`, `{"m":{"learned":"2100-01-01T00:00:00Z","unstreamed_tools":true}}`} {
		if err := os.WriteFile(files[0], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got := ask(t, t.Context(), client(t, openai.Config{BaseURL: base}, opts), everything("m"))
		if got.Failure != nil || len(got.Retries) == 0 {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
