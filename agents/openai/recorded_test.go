package openai_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/internal/testing/must"
)

// exchange is one recorded request with its response.
type exchange struct {
	name string
	path string
	sent struct {
		Max int `json:"max_tokens"`
	}
	status int
	kind   string
	body   string
}

// exchanges returns all recorded traffic.
func exchanges(t testing.TB) []exchange {
	t.Helper()
	files, err := filepath.Glob("testdata/recorded/*/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no recorded traffic", err)
	}
	var all []exchange
	for _, file := range files {
		all = append(all, readExchange(t, file))
	}
	return all
}

func readExchange(t testing.TB, file string) exchange {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	asked, answered, _ := bytes.Cut(text, []byte("<<<\n"))
	line, body, _ := bytes.Cut(bytes.TrimPrefix(asked, []byte(">>> ")), []byte("\n"))
	e := exchange{name: strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "testdata/recorded/"), ".txt"), path: string(line)}
	json.Unmarshal(body, &e.sent) // some were recorded because they are broken
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(answered)), nil)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	e.status, e.kind, e.body = resp.StatusCode, resp.Header.Get("Content-Type"), string(got)
	return e
}

// recorded returns the recorded answers as samples. Their meaning is decoded by a
// second, strict decoder, which is possible since they are regular.
func recorded(t testing.TB) (all []sample) {
	t.Helper()
	for _, e := range exchanges(t) {
		if e.status == http.StatusOK && strings.HasPrefix(e.path, "POST /v1/chat/completions") {
			all = append(all, sample{name: e.name, body: e.body, kind: e.kind, max: max(0, e.sent.Max), want: strict(t, e)})
		}
	}
	return all
}

type strictChunk struct {
	Choices []struct {
		Delta, Message strictDelta
		Finish         agents.Finish `json:"finish_reason"`
	}
	Usage struct {
		In  int `json:"prompt_tokens"`
		Out int `json:"completion_tokens"`
	}
}

type strictDelta struct {
	Content string
	Calls   []struct {
		Index    int
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

func strict(t testing.TB, e exchange) (want outcome) {
	t.Helper()
	var ids, names, args []string
	for line := range strings.Lines(e.body) {
		payload, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		switch {
		case strings.HasPrefix(line, "error: "):
			return outcome{Text: want.Text, Kind: agents.KindTooLong, Says: "The prompt is too long for mock/m"}
		case payload == "[DONE]" || payload == "":
			continue
		case !ok && !strings.HasPrefix(payload, "{"):
			t.Fatalf("%s: unexpected line %q", e.name, line)
		}
		var c strictChunk
		if err := json.Unmarshal([]byte(payload), &c); err != nil {
			t.Fatalf("%s: %v in %q", e.name, err, line)
		}
		if c.Usage.Out > 0 {
			want.Usage = fmt.Sprintf("%d/%d/0", c.Usage.In, c.Usage.Out)
		}
		for _, choice := range c.Choices {
			want.Text += choice.Delta.Content + choice.Message.Content
			if choice.Finish != "" {
				want.Finish = choice.Finish
			}
			for i, k := range append(choice.Delta.Calls, choice.Message.Calls...) {
				at := max(i, k.Index)
				if at == len(ids) {
					ids, names, args = append(ids, k.ID), append(names, k.Function.Name), append(args, "")
				}
				args[at] += k.Function.Arguments
			}
		}
		if e.sent.Max > 0 && c.Usage.Out >= e.sent.Max && want.Finish == agents.FinishStop {
			want.Finish = agents.FinishLength
		}
	}
	for i := range ids {
		ids[i] = names[i] + "(" + args[i] + ")#" + ids[i]
	}
	want.Calls = strings.Join(ids, " ")
	return want
}
