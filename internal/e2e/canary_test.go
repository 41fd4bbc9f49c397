//go:build unix

package e2e_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// The keys of this test, by where they come from. They hold characters that
// every encoding changes.
var canaries = map[string]string{
	"the environment": "sk-canary+/=env-7f3d9a1c5e",
	"a command":       "sk-canary+/=cmd-2b8e6d4f0a",
	"a header":        "sk-canary+/=hdr-9c1d7e3b5f",
}

// formsOf lists what a key looks like wherever it stands: as it is, and for URLs.
func formsOf(key string) map[string]string {
	return map[string]string{
		"raw": key, "URL query": url.QueryEscape(key), "URL path": url.PathEscape(key), "URL in lower case": strings.ToLower(url.QueryEscape(key)),
	}
}

// noKeys fails where a key stands in what something holds, in any form.
func noKeys(t *testing.T, what string, raw []byte) {
	t.Helper()
	for from, key := range canaries {
		for name, form := range formsOf(key) {
			if i := bytes.Index(raw, []byte(form)); i >= 0 {
				t.Errorf("%s holds the key of %s (%s): …%q", what, from, name, raw[max(0, i-80):min(len(raw), i+len(form)+20)])
			}
		}
	}
}

// echo says the key that it was sent back in every place and form that a server
// has; the model's name says where.
func echo(w http.ResponseWriter, r *http.Request, where string) {
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if key == "" {
		key = r.Header.Get("X-Key")
	}
	all := []string{key, r.Header.Get("Authorization"), r.Header.Get("X-Key")}
	for _, form := range formsOf(key) {
		all = append(all, form)
	}
	said := quoted(strings.Join(all, " | "))
	switch where {
	case "status":
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"bad key","param":%[1]s,"code":%[1]s}}`, quoted(key))
	case "page":
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintf(w, "<html><title>%s</title>", strings.Join(all, " "))
	case "redirect":
		w.Header().Set("Location", "/"+url.PathEscape(key)+"?key="+url.QueryEscape(key))
		w.WriteHeader(http.StatusFound)
	case "busy":
		w.Header().Set("Retry-After-Ms", "20") // instead of seconds
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, strings.Join(all[3:], " "))
	case "amid":
		endpoint.Stream(w, `{"choices":[{"delta":{"content":"I would"}}]}`, `{"error":{"type":"invalid_request_error","message":`+said+`}}`)
	case "nostream":
		io.WriteString(w, strings.Join(all, " "))
	case "asks":
		args := quoted(`{"query":` + quoted("Is it "+strings.Join(all, " ")+"?") + `,"reason":` + said + `,"priority":"optional"}`)
		endpoint.Stream(w, `{"choices":[{"delta":{"reasoning":`+said+`,"content":`+said+`,"tool_calls":[{"index":0,"id":`+quoted(key)+`,"function":{"name":"request_context","arguments":`+args+`},"extra_content":{"a":`+said+`}}]},"finish_reason":"tool_calls"}]}`)
	default: // says it, letter by letter too
		for _, piece := range slices.Concat([]string{"It is ", " \n"}, all, strings.Split(key, "")) {
			endpoint.Stream(w, `{"choices":[{"delta":{"content":`+quoted(piece)+`}}]}`)
		}
		endpoint.Stream(w, `{"choices":[{"delta":{"content":`+quoted("\n```json\n{\"position\":"+said+",\"vote\":\"yes\",\"citations\":["+said+"]}\n```")+`},"finish_reason":`+quoted(key)+`}]}`)
	}
	endpoint.Stream(w, "[DONE]")
}

// keyed is a home whose providers have their keys from everywhere, and a server
// that says them back.
func keyed(t *testing.T) (env []string, folder, config string, srv *endpoint.Server) {
	t.Helper()
	srv = endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		where, _, _ := strings.Cut(r.Model, "-")
		if where == "asks" && (len(r.Tools) == 0 || r.Last().Role == "tool") {
			where = "says"
		}
		return endpoint.Reply{Serve: func(w http.ResponseWriter, hr *http.Request) { echo(w, hr, where) }}
	})
	env = append(home(t), "CANARY_KEY="+canaries["the environment"], "ROUNDTABLE_LOG=debug")
	folder = variable(env, "HOME")
	outside := t.TempDir() // what the user keeps is not searched: the config, and the command's own file
	secret := filepath.Join(outside, "secret")
	must.Do(t, os.WriteFile(secret, []byte(canaries["a command"]+"\n"), 0o600))
	text := fmt.Sprintf("[providers.env]\nbase_url = %[1]q\napi_key_env = \"CANARY_KEY\"\n[providers.cmd]\nbase_url = %[1]q\napi_key_command = [\"cat\", %[2]q]\n[providers.hdr]\nbase_url = %[1]q\nheaders = { X-Key = %[3]q }\n",
		srv.URL+"/v1", secret, canaries["a header"])
	i := 0
	for _, model := range []string{"says", "asks", "status", "page", "redirect", "busy", "amid", "nostream"} {
		for _, provider := range []string{"env", "cmd", "hdr"} {
			text += fmt.Sprintf("[[agents]]\nid = \"s%d\"\nname = \"Seat %d\"\nprovider = %q\nmodel = \"%s-%d\"\n", i, i, provider, model, i)
			i++
		}
	}
	config = filepath.Join(outside, "config.toml")
	must.Do(t, os.WriteFile(config, []byte(text), 0o600))
	return env, folder, config, srv
}

func TestCanary_isNowhereButWhereItIsSent(t *testing.T) {
	skipShort(t)
	t.Parallel()
	exe := built(t)
	env, folder, config, srv := keyed(t)
	run := func(more []string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command(exe, append([]string{"--config", config}, args...)...)
		cmd.Env = append(slices.Clone(env), more...)
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState.ExitCode() < 0 {
			t.Fatalf("%q: %v", args, err)
		}
		noKeys(t, fmt.Sprintf("what %q prints", args), out)
		return out
	}
	var ids []string
	play := func(more []string, args ...string) {
		t.Helper()
		out := string(run(more, append([]string{"run", "Is it so?", "--rounds", "2"}, args...)...))
		_, rest, ok := strings.Cut(out, `"session":"`)
		if !ok {
			_, rest, ok = strings.Cut(out, "Debate ")
		}
		if !ok {
			t.Fatalf("no session in %s", out)
		}
		ids = append(ids, rest[:10])
	}
	play(nil, "--json", "--agents", "s0,s1,s2,s3,s4,s5")                           // every source says it
	play(nil, "--agents", "s0,s3,s6,s10,s14,s15,s19,s23")                          // and fails with it
	play([]string{"ROUNDTABLE_PANIC=agent"}, "--json", "--agents", "s0,s1,s2,s21") // and panics
	for _, id := range ids {
		if out := run(nil, "show", id, "--prompt", "s0"); !bytes.Contains(out, []byte("Sent to s0")) {
			t.Errorf("no receipt in %s", out)
		}
		for _, format := range []string{"md", "json", "html"} {
			run(nil, "export", id, "-o", filepath.Join(folder, id+"."+format))
		}
		for _, args := range [][]string{{"show", id}, {"show", id, "--json"}, {"requests", id}, {"requests", id, "--json"}, {"answer", id, "C1", "--text", "yes"}} {
			run(nil, args...)
		}
	}
	run(nil, "continue", ids[0], "--rounds", "1")
	for _, args := range [][]string{{"sessions"}, {"sessions", "--json"}, {"sessions", "--search", "canary"}, {"agents"}, {"config", "check"}} {
		run(nil, args...)
	}
	tm := open(t, env, 140, 40, "--config", config, "new", "Is it so?", "--agents", "s0,s1,s5,s6,s10,s18", "--rounds", "2", "--start")
	tm.await("incomplete (")
	tm.send(ctrlC)
	tm.end()
	noKeys(t, "the screen", []byte(tm.written()))
	for _, id := range ids[:1] {
		tm := open(t, env, 140, 40, "--config", config, "resume", id)
		tm.await("Verdict ·") // the list, which is drawn first, has the seats too
		tm.send("p")
		tm.await("exactly what was sent")
		for _, key := range []string{"j", "j", "j", "\x1b[6~", "t", "\x1b", "z", "g", "t"} {
			tm.send(key)
		}
		tm.send(ctrlC)
		tm.end()
		noKeys(t, "the screen", []byte(tm.written()))
		noKeys(t, "the screen", []byte(tm.text()))
	}

	for _, r := range srv.Requests("") {
		noKeys(t, "a request's body", []byte(r.Raw))
	}
	reports, logged, databases, exports := 0, 0, 0, 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		noKeys(t, path, raw)
		switch name := d.Name(); {
		case name == "roundtable.log":
			reports += bytes.Count(raw, []byte("msg=defect"))
			logged += bytes.Count(raw, []byte("level=DEBUG"))
		case strings.HasPrefix(name, "roundtable.db"):
			databases++
		case slices.Contains([]string{".md", ".json", ".html"}, filepath.Ext(name)):
			exports++
		}
		return err
	})
	if err != nil || reports == 0 || logged < 10 || databases == 0 || exports != 3*len(ids) {
		t.Errorf("%v; %d reports, %d lines of a closer look, %d databases, %d exports", err, reports, logged, databases, exports)
	}
	if n := len(srv.Requests("")); n < 30 {
		t.Errorf("only %d requests were sent", n)
	}
}

func TestCanary_isInNoProcessThatIsNotAskedForIt(t *testing.T) {
	t.Parallel()
	env, folder, config, _ := keyed(t)
	seen := filepath.Join(folder, "seen")
	editor := filepath.Join(t.TempDir(), "editor")
	must.Do(t, os.WriteFile(editor, []byte("#!/bin/sh\nenv > "+seen+"\nprintf 'edited\\n' > \"$1\"\n"), 0o700))
	others := []string{"VAULT_TOKEN=canary-vault", "SOME_API_KEY=canary-some", "GH=ghp_canary0123456789", "DB_PASSWORD=canary-db", "KEYBOARD=dvorak"}
	tm := open(t, append(append(env, others...), "EDITOR="+editor), 120, 36, "--config", config, "resume", toTheGate(t, env, config))
	tm.await("C1", takesKeys)
	tm.send("\x0f") // ctrl+o
	tm.await("edited")
	tm.send(ctrlC)
	tm.send(ctrlC)
	tm.end()
	raw := must.Get(os.ReadFile(seen))(t)
	noKeys(t, "the editor's environment", raw)
	if bytes.Contains(raw, []byte("canary")) || !bytes.Contains(raw, []byte("KEYBOARD=dvorak")) {
		t.Errorf("the editor's environment is\n%s", raw)
	}
}

// toTheGate plays a round in which a required question is asked.
func toTheGate(t *testing.T, env []string, config string) string {
	t.Helper()
	runs(t, env, 3, "--config", config, "run", "Is it so?", "--panel", "demo")
	return sessions(t, env)[0].ID
}
