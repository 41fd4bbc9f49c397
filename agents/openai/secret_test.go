package openai_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

const canary = "sk-canary+/=7f3d9a1c5e"

// leaks returns the forms of the canary that a text contains.
func leaks(text string) (found []string) {
	forms := map[string]string{
		"raw": canary, "query": url.QueryEscape(canary), "path": url.PathEscape(canary),
		"hex": fmt.Sprintf("%x", canary), "capitals": strings.ToUpper(canary),
		"lower query": strings.ReplaceAll(
			strings.ReplaceAll(strings.ReplaceAll(url.QueryEscape(canary), "%2B", "%2b"), "%2F", "%2f"),
			"%3D",
			"%3d",
		),
	}
	for name, form := range forms {
		if strings.Contains(text, form) {
			found = append(found, name)
		}
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=", r)
	}) {
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			plain, _ := enc.DecodeString(strings.TrimRight(word, "="))
			if bytes.Contains(plain, []byte(canary)) {
				found = append(found, "base64")
			}
		}
	}
	return found
}

// keyForms returns every form in which a server may send the key back.
func keyForms() map[string]string {
	return map[string]string{
		"raw": canary, "query": url.QueryEscape(canary), "path": url.PathEscape(canary),
		"base64": base64.StdEncoding.EncodeToString([]byte(canary)), "Basic": base64.StdEncoding.EncodeToString([]byte("me:" + canary)),
		"hex": fmt.Sprintf("%x", canary), "capitals": strings.ToUpper(canary),
	}
}

func keyedClient(t *testing.T, log io.Writer, h http.HandlerFunc) *openai.Client {
	t.Helper()
	transport := roundTrip(func(r *http.Request) (*http.Response, error) {
		w := newRecorder()
		h(w, r)
		return w.response(r), nil
	})
	cfg := openai.Config{
		BaseURL:   "http://localhost/v1",
		APIKeyEnv: "MOCK_KEY",
		Headers:   map[string]openai.Secret{"X-Key": openai.NewSecret(canary)},
	}
	return client(t, cfg, openai.Options{
		Key: canary, Rand: noBackoff, Transport: transport,
		Logger: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
}

// recorder is a response that is written before it is sent.
type recorder struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func newRecorder() *recorder                    { return &recorder{status: 200, header: http.Header{}} }
func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }
func (r *recorder) response(req *http.Request) *http.Response {
	return &http.Response{StatusCode: r.status, Header: r.header, Body: io.NopCloser(&r.body), Request: req}
}

func TestSecret_isInNoFailureNoRetryAndNoLog(t *testing.T) {
	for form, echo := range keyForms() {
		for place, h := range map[string]http.HandlerFunc{
			"a refused key": func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(401)
				fmt.Fprintf(w, `{"error":{"message":"bad key %s"}}`, echo)
			},
			"a page": func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(403)
				fmt.Fprintf(w, `<html><title>%s</title>`, echo)
			},
			"a busy server": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503); fmt.Fprintf(w, `%s`, echo) },
			"a parameter": func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(400)
				fmt.Fprintf(w, `{"error":{"message":"x","param":%q}}`, echo)
			},
			"an event": func(w http.ResponseWriter, r *http.Request) {
				events(w, stream(fmt.Sprintf(`{"error":{"message":"bad key %s"}}`, echo)))
			},
			"no stream": func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<p>"+echo) },
			"a redirect": func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", "/x/"+echo+"?key="+echo)
				w.WriteHeader(302)
			},
			"an encoding": func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Encoding", echo) },
			"a finish reason": func(w http.ResponseWriter, r *http.Request) {
				events(w, stream(one(fmt.Sprintf(`{"delta":{"content":"x"},"finish_reason":%q}`, echo))))
			},
			"a call": func(w http.ResponseWriter, r *http.Request) {
				events(w, stream(call(fmt.Sprintf(`{"index":0,"id":%q,"function":{"name":%q,"arguments":%q},"extra_content":{"a":%q}}`, echo, echo, `{"a":"`+echo+`"}`, echo)), stop))
			},
		} {
			t.Run(form+" in "+place, func(t *testing.T) {
				var log bytes.Buffer
				got := ask(t, t.Context(), keyedClient(t, &log, h), hello("m"))
				text := fmt.Sprintf("%+v %+v", got, got.Failure)
				if got.Failure != nil {
					text += fmt.Sprintf("%#v %v", *got.Failure, got.Failure.Err)
				}
				if found := leaks(text); found != nil {
					t.Errorf("%v in %s", found, text)
				}
				if found := leaks(log.String()); found != nil {
					t.Errorf("%v in the log %s", found, log.String())
				}
			})
		}
	}
}

func TestSecret_isTakenOutOfAnAnswerHoweverItIsCut(t *testing.T) {
	for at := range len(canary) {
		for _, field := range []string{"content", "reasoning_content"} {
			piece := func(s string) string {
				text := must.Get(json.Marshal(map[string]any{"choices": []any{map[string]any{"delta": map[string]any{field: s}}}}))(t)
				return string(text)
			}
			got := ask(t, t.Context(), keyedClient(t, io.Discard, func(w http.ResponseWriter, r *http.Request) {
				events(w, stream(piece("It is "+canary[:at]), piece(canary[at:]+", as I said: sk-"), piece("ca"), stop))
			}), hello("m"))
			if all := got.Text + got.Reasoning; all != "It is [key], as I said: sk-ca" {
				t.Errorf("cut at %d: %q", at, all)
			}
		}
	}
}

func TestSecret_isTakenOutOfAnAnswerInWhateverForm(t *testing.T) {
	for form, echo := range keyForms() {
		for at := range len(echo) {
			got := ask(t, t.Context(), keyedClient(t, io.Discard, func(w http.ResponseWriter, r *http.Request) {
				events(w, stream(content("It is "+echo[:at]), content(echo[at:]+"."), stop))
			}), hello("m"))
			if found := leaks(got.Text); found != nil || !strings.HasPrefix(got.Text, "It is ") || !strings.Contains(got.Text, "[key]") ||
				!strings.HasSuffix(got.Text, ".") {
				t.Errorf("%s cut at %d: %v in %q", form, at, found, got.Text)
			}
		}
	}
}

// headerClient returns a client with one configured header, whose server answers with
// its value in every part of an answer if ok, and else in an error.
func headerClient(t *testing.T, log io.Writer, name, value string, ok bool) *openai.Client {
	cfg := openai.Config{BaseURL: "http://localhost/v1", Headers: map[string]openai.Secret{name: openai.NewSecret(value)}}
	transport := roundTrip(func(r *http.Request) (*http.Response, error) {
		w := newRecorder()
		if !ok {
			w.WriteHeader(400)
			fmt.Fprintf(w, `{"error":{"message":"It is %s."}}`, value)
			return w.response(r), nil
		}
		args := fmt.Sprintf(
			`{"index":0,"id":"c1","function":{"name":"read","arguments":%q},"extra_content":{"a":%q}}`,
			`{"a":"`+value+`"}`,
			value,
		)
		events(
			w,
			stream(
				content("It is "+value[:3]),
				content(value[3:]+"."),
				one(fmt.Sprintf(`{"delta":{"reasoning_content":%q}}`, value)),
				call(args),
				stop,
			),
		)
		return w.response(r), nil
	})
	return client(
		t,
		cfg,
		openai.Options{Transport: transport, Logger: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))},
	)
}

func TestSecret_ofAHeaderIsMaskedInAnswersByTheNameOfTheHeader(t *testing.T) {
	const value = "Roundtable-of-Ada"
	for name, secret := range map[string]bool{
		"Authorization": true, "cookie": true, "X-Api-Key": true, "X-Auth-Token": true, "client_secret": true, "MyKeys": true,
		"X-Title": false, "HTTP-Referer": false, "X-Tenant": false, "Cookies-Allowed": false,
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			got := ask(t, t.Context(), headerClient(t, &log, name, value, true), hello("m"))
			want := value
			if secret {
				want = "[key]"
			}
			if got.Text != "It is "+want+"." || got.Reasoning != want || len(got.Calls) != 1 ||
				got.Calls[0].Args != `{"a":"`+want+`"}` || !strings.Contains(string(got.Calls[0].Extra), `"`+want+`"`) {
				t.Errorf("the answer is %+v", got)
			}
			failed := ask(t, t.Context(), headerClient(t, &log, name, value, false), hello("m"))
			if failed.Failure == nil || !strings.Contains(failed.Failure.Cause, `"It is [key]".`) ||
				strings.Contains(failed.Failure.Error(), value) {
				t.Errorf("the failure is %v", failed.Failure)
			}
			if !strings.Contains(log.String(), "It is [key]") || strings.Contains(log.String(), value) {
				t.Errorf("the log is %s", log.String())
			}
		})
	}
}

func TestSecret_ofACredentialIsMaskedWithoutItsScheme(t *testing.T) {
	cfg := openai.Config{
		BaseURL: "http://localhost/v1",
		Headers: map[string]openai.Secret{"Authorization": openai.NewSecret("Bearer " + canary)},
	}
	c := client(t, cfg, openai.Options{Transport: answering(sample{body: stream(content("Bearer of "+canary+"."), stop)}, whole)})
	if got := ask(t, t.Context(), c, hello("m")); got.Text != "Bearer of [key]." {
		t.Errorf("got %q", got.Text)
	}
}

func TestSecret_theWordsOfOtherHeadersAreLeftAlone(t *testing.T) {
	cfg := openai.Config{
		BaseURL: "http://localhost/v1",
		Headers: map[string]openai.Secret{"X-Title": openai.NewSecret("roundtable debates")},
	}
	h := roundTrip(func(r *http.Request) (*http.Response, error) {
		w := newRecorder()
		w.WriteHeader(400)
		io.WriteString(w, `{"error":{"message":"what is roundtable?"}}`)
		return w.response(r), nil
	})
	if got := ask(t, t.Context(), client(t, cfg, openai.Options{Transport: h}), hello("m")).Failure; got == nil ||
		!strings.Contains(got.Cause, "what is roundtable?") {
		t.Errorf("got %v", got)
	}
}

func TestSecret_inTheNamesOfModelsIsMaskedAsInAnswers(t *testing.T) {
	cfg := openai.Config{
		BaseURL: "http://localhost/v1",
		Headers: map[string]openai.Secret{"X-Default-Model": openai.NewSecret("mistral-small")},
	}
	c := client(
		t,
		cfg,
		openai.Options{
			Key:       canary,
			Transport: answering(sample{body: `{"data":[{"id":"mistral-small"},{"id":"m-` + canary + `"}]}`}, whole),
		},
	)
	if got, err := c.Models(t.Context()); err != nil || listed(got) != "[m-[key] mistral-small]" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestSecret_leavesAPlaceholderAlone(t *testing.T) {
	c := client(t, local, openai.Options{Key: "ollama", Transport: answering(sample{body: stream(content("ollama is fine"), stop)}, whole)})
	if got := ask(t, t.Context(), c, hello("m")); got.Text != "ollama is fine" {
		t.Errorf("got %q", got.Text)
	}
}

func TestSecret_isNotFormatted(t *testing.T) {
	cfg := openai.Config{BaseURL: "https://api.example.com/v1", Headers: map[string]openai.Secret{"X-Key": openai.NewSecret(canary)}}
	opts := openai.Options{Key: canary}
	c := client(t, cfg, opts)
	inside := struct {
		c  *openai.Client
		cc openai.Client
		f  openai.Config
		s  openai.Secret
	}{c, *c, cfg, openai.NewSecret(canary)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, v := range []any{c, *c, cfg, &cfg, opts, inside, &inside, cfg.Headers} {
			text := fmt.Sprintf(verb, v)
			if found := leaks(text); found != nil || strings.Contains(text, fmt.Sprintf("%x", canary)) {
				t.Errorf("%s of %T shows the key", verb, v)
			}
		}
	}
	text, err := json.Marshal(cfg)
	if found := leaks(string(text)); err != nil || found != nil {
		t.Errorf("%v, %v in %s", err, found, text)
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "client", c, "config", cfg, "options", opts)
	if found := leaks(log.String()); found != nil {
		t.Errorf("%v in %s", found, log.String())
	}
}

func TestSecret_isInNoBody(t *testing.T) {
	var body []byte
	c := keyedClient(t, io.Discard, func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		if found := leaks(r.URL.String()); found != nil {
			t.Errorf("%v in the address", found)
		}
		events(w, helloThere)
	})
	ask(t, t.Context(), c, agents.Request{Model: "m", Messages: []agents.Message{{Role: agents.User, Text: "hi"}}})
	if found := leaks(string(body)); found != nil || len(body) == 0 {
		t.Errorf("%v in %s", found, body)
	}
}
