//go:build unix

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
	"roundtable/internal/text"
	"roundtable/store"
)

// hostile holds what terminals act on, and what hides, turns or breaks text.
const hostile = "evil\x1b]52;c;ZXZpbA==\a\x1b[2J\x1b]0;owned\x1b\\\u009b31m\x1b[8m\u202eturned\u2069\u200b\U000e0041\r\x00\x7f\x1bPq\x1b\\a\u0301\u0301end\x1b]8;;http://x"

// broken is hostile and no UTF-8 either.
const broken = hostile + "\xff\xc3"

// quoted is text as a JSON or TOML string.
func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err)
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\x7f", `\u007f`)
}

// rogue answers each model with text that no terminal should be given.
func rogue(r endpoint.Request) endpoint.Reply {
	event := func(format string, args ...any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			endpoint.Stream(w, fmt.Sprintf(format, args...), "[DONE]")
		}
	}
	refuse := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/%1b%5b2J\u009b31m\u202eturned\u200b")
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	served := map[string]http.HandlerFunc{
		"m-text":     event(`{"choices":[{"delta":{"reasoning":%s,"content":%s},"finish_reason":%s}]}`, quoted(hostile), quoted(hostile+"\n```json\n{\"position\":"+quoted(hostile)+",\"vote\":\"yes\",\"citations\":["+quoted(hostile)+"],\"context_used\":["+quoted(hostile)+"]}\n```"), quoted(hostile)),
		"m-error":    refuse(400, `{"error":{"message":`+quoted(hostile)+`,"param":`+quoted(hostile)+`}}`),
		"m-page":     refuse(403, "<html><title>"+broken+"</title>"),
		"m-bytes":    refuse(418, broken),
		"m-redirect": refuse(302, ""),
		"m-refusal":  event(`{"choices":[{"delta":{"refusal":%s},"finish_reason":"stop"}]}`, quoted(hostile)),
		"m-amid":     event(`{"error":{"message":%s,"type":"invalid_request_error"}}`, quoted(hostile)),
		"m-no":       func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, broken) },
	}
	if last := r.Messages[len(r.Messages)-1]; r.Model == "m-text" && len(r.Tools) > 0 && last.Role != "tool" {
		args := `{"query":` + quoted(hostile+"?") + `,"reason":` + quoted(hostile) + `,"priority":"required"}`
		return endpoint.Reply{Serve: event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":%s,"function":{"name":%s,"arguments":"{}"}},{"index":1,"id":"b","function":{"name":"request_context","arguments":%s}}]},"finish_reason":"tool_calls"}]}`,
			quoted(hostile), quoted(hostile), quoted(args))}
	}
	return endpoint.Reply{Serve: served[r.Model]}
}

// harmless fails where an output holds what a terminal would act on.
func harmless(t *testing.T, what string, raw []byte, isJSON bool) {
	t.Helper()
	content := string(raw)
	switch {
	case !utf8.ValidString(content):
		t.Errorf("%s is no UTF-8: %q", what, content)
	case strings.ContainsFunc(content, func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
	}):
		t.Errorf("%s holds a control: %q", what, content)
	case !isJSON && text.Clean(content) != content:
		t.Errorf("%s is not safe: %q", what, content)
	}
}

// hostileHome returns a home with a hostile configuration and a database as no program of
// ours would write it.
func hostileHome(t *testing.T, url string) (env []string, config string, old debate.Session) {
	t.Helper()
	env = home(t)
	dir := variable(env, "HOME")
	config = filepath.Join(dir, "config.toml")
	models := []string{"m-text", "m-error", "m-page", "m-bytes", "m-redirect", "m-refusal", "m-amid", "m-no"}
	text := fmt.Sprintf("[providers.here]\nbase_url = %q\n", url+"/v1")
	var seats []agents.Profile
	for i, m := range models {
		text += fmt.Sprintf("[[agents]]\nid = \"s%d\"\nprovider = \"here\"\nmodel = %q\npersona = %s\n", i, m, quoted(hostile))
		seats = append(seats, agents.Profile{
			ID: agents.ID(fmt.Sprintf("s%d%s", i, broken)), Name: broken + fmt.Sprint(i),
			Provider: broken, Model: broken, Persona: broken,
		})
	}
	must.Do(t, os.WriteFile(config, []byte(text), 0o600))
	data := filepath.Join(dir, "data", "roundtable")
	must.Do(t, os.MkdirAll(data, 0o700))
	st, err := store.Open(t.Context(), filepath.Join(data, "roundtable.db"), store.Options{})
	must.Do(t, err)
	defer st.Close()
	all, err := modes.Builtin()
	must.Do(t, err)
	old = debate.Session{
		Topic: "old " + broken, Title: "title " + broken, Mode: all[0], Rounds: 2,
		Seats: seats[:3], Chair: &seats[3], Budget: debate.Budget{Tokens: 1_000_000},
	}
	old.Mode.Name = broken
	if old, err = st.Create(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	must.Do(t, st.Note(t.Context(), old.ID, debate.Notice{Code: broken, Text: broken, Agent: seats[0].ID, Round: 1}))
	return env, config, old
}

func TestHostile_textCommandsNoTerminalWhereverItComesFrom(t *testing.T) {
	skipShort(t)
	t.Parallel()
	srv := endpoint.New(t, rogue)
	env, config, old := hostileHome(t, srv.URL)
	run := func(args ...string) []byte {
		t.Helper()
		var out, errs bytes.Buffer
		cmd := program(t, env, append([]string{"--config", config}, args...)...)
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() < 0 {
			t.Fatalf("%q: %v", args, err)
		}
		what := fmt.Sprintf("%.40q", args)
		harmless(t, "the output of "+what, out.Bytes(), strings.Contains(what, `"--json"`))
		harmless(t, "the errors of "+what, errs.Bytes(), false)
		if out.Len()+errs.Len() == 0 {
			t.Errorf("%s prints nothing", what)
		}
		return out.Bytes()
	}
	raw := strings.ReplaceAll(broken, "\x00", "")
	argument := strings.ToValidUTF8(raw, "") // else it is refused

	// everything that a server says
	var ids []string
	for _, agents := range []string{"s0,s1,s2", "s0,s3,s4,s5,s6,s7"} {
		for _, form := range []string{"--json", "--quiet=false"} {
			out := run("run", "topic "+argument, "--agents", agents, "--rounds", "2", "--focus", argument, form)
			if form != "--json" {
				_, rest, _ := strings.Cut(string(out), "Debate ")
				ids = append(ids, rest[:10])
				continue
			}
			for line := range bytes.Lines(out) {
				if !json.Valid(line) {
					t.Errorf("no JSON: %q", line)
				}
			}
		}
	}
	// and everything that is said of it later
	for _, id := range append(ids, old.ID) {
		for _, form := range []string{"--json", "--json=false"} {
			run("show", id, form)
			run("requests", id, form)
		}
		run("answer", id, "C1", "--text", "answer "+argument, "--source", argument)
		run("answer", id, argument, "--text", "x")
		run("continue", id)
		run("show", id)
		run("rename", id, argument)
	}
	// what the user types, and what the files say
	for _, args := range [][]string{
		{"run", raw, "--agents", "s0,s1"},
		{"answer", old.ID, "C1", "--text", raw},
		{"sessions"},
		{"sessions", "--json"},
		{"sessions", "--search", argument},
		{"sessions", "--status", argument},
		{"agents"},
		{"config", "check"},
		{argument},
		{"show", argument},
		{"run", "x", "--panel", argument},
		{"run", "x", "--agents", "s0," + argument},
		{"--config", argument, "agents"},
		{"--db", "/" + argument + "/x.db", "sessions"},
		{"run", "x", "--budget", argument},
		{"answer", old.ID, "C1", "--file", argument},
		{"delete", old.ID, "--yes"},
	} {
		run(args...)
	}
	bad := filepath.Join(filepath.Dir(config), "bad.toml")
	for _, text := range []string{
		"[" + quoted(hostile) + "]\n",
		"[providers." + quoted(hostile) + "]\npreset = " + quoted(hostile) + "\n" +
			"[providers.here]\nbase_url = " + quoted("ftp://"+hostile) + "\napi_key_env = " + quoted(hostile) + "\nheaders = { " + quoted(hostile) + " = \"x\" }\n",
		"[[agents]]\nid = " + quoted(hostile) + "\nname = " + quoted(hostile) + "\nprovider = " + quoted(hostile) + "\nmodel = " + quoted(hostile) + "\n",
		"[panels." + quoted(hostile) + "]\nagents = [" + quoted(hostile) + "]\nchair = " + quoted(hostile) + "\n[defaults]\npanel = " + quoted(hostile) + "\nmode = " + quoted(hostile) + "\n",
		"x = " + hostile, broken,
	} {
		must.Do(t, os.WriteFile(bad, []byte(text), 0o600))
		run("--config", bad, "config", "check")
	}
	environment := append(env, "ROUNDTABLE_CONFIG="+argument, "TERM="+argument)
	for _, args := range [][]string{nil, {"agents"}, {"config", "path"}} {
		cmd := program(t, environment, args...)
		out, _ := cmd.CombinedOutput()
		harmless(t, fmt.Sprintf("%q with a hostile environment", args), out, false)
	}
}

func TestHostile_textOfAnOldDatabaseStaysTextOnTheScreen(t *testing.T) {
	t.Parallel()
	srv := endpoint.New(t, rogue)
	env, config, old := hostileHome(t, srv.URL)
	tm := open(t, env, 140, 40, "--config", config)
	tm.await("title evil")
	tm.send(enter)
	tm.await("Not started.", "evilturned")
	tm.send(" ") // plays a round, in which everybody fails
	tm.await("Round 1 failed")
	tm.send("z")
	tm.await("z all", "Next   Add [providers.evil")
	tm.send(ctrlC)
	tm.end()
	raw := tm.written()
	for _, bad := range []string{"\x1b]52", "\x1b]8;;http://x", "\x1b[8m", "\x1bPq", "owned\x1b", "\u009b", "\u202e", "\u2069", "\U000e0041", "\u200b"} {
		if strings.Contains(raw, bad) {
			t.Errorf("%q reached the terminal", bad)
		}
	}
	if !strings.Contains(raw, "evil") || old.ID == "" {
		t.Error("nothing of it was shown")
	}
}
