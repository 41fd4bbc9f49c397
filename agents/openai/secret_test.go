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

	"roundtable/agents/openai"
)

const canary = "sk-canary+/=7f3d9a1c5e"

// leaks returns the forms of the canary that a text contains.
func leaks(text string) (found []string) {
	small := strings.ToLower(text)
	for name, form := range keyForms() {
		if strings.Contains(small, strings.ToLower(form)) {
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

// debugLog writes all that is logged.
func debugLog(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// keyedClient returns a client that has a key and a header with it. It has them in no address and no body.
func keyedClient(t *testing.T, log io.Writer, h http.HandlerFunc) *openai.Client {
	t.Helper()
	cfg := openai.Config{BaseURL: local.BaseURL, APIKeyEnv: "MOCK_KEY", Headers: secrets("X-Key", canary)}
	checked := inMemory(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if found := leaks(r.URL.String() + " " + string(body)); found != nil || err != nil || len(body) == 0 {
			t.Errorf("%v is sent to %s in %s, %v", found, r.URL, body, err)
		}
		h(w, r)
	})
	return client(t, cfg, openai.Options{Key: canary, Rand: noBackoff, Transport: checked, Logger: debugLog(log)})
}

func secrets(name, value string) map[string]openai.Secret {
	return map[string]openai.Secret{name: openai.NewSecret(value)}
}

// streamed answers with events.
func streamed(all ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { events(w, stream(all...)) }
}

func TestSecret_isInNoFailureNoRetryAndNoLog(t *testing.T) {
	for form, echo := range keyForms() {
		redirect, _ := answered(302, "", "Location", "/x/"+echo+"?key="+echo)
		encoding, _ := answered(200, "", "Content-Encoding", echo)
		for place, h := range map[string]http.HandlerFunc{
			"a refused key":   answers(401, `{"error":{"message":"bad key `+echo+`"}}`),
			"a page":          answers(403, `<html><title>`+echo+`</title>`),
			"a busy server":   answers(503, echo),
			"a parameter":     answers(400, `{"error":{"message":"x","param":"`+echo+`"}}`),
			"an event":        streamed(`{"error":{"message":"bad key ` + echo + `"}}`),
			"no stream":       answers(200, "<p>"+echo),
			"a redirect":      redirect,
			"an encoding":     encoding,
			"a finish reason": streamed(one(`{"delta":{"content":"x"},"finish_reason":"` + echo + `"}`)),
			"a call": streamed(call(fmt.Sprintf(`{"index":0,"id":%q,"function":{"name":%q,"arguments":%q},"extra_content":{"a":%q}}`,
				echo, echo, `{"a":"`+echo+`"}`, echo)), stop),
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

func TestSecret_isTakenOutOfAnAnswerInWhateverFormAndHoweverItIsCut(t *testing.T) {
	for form, echo := range keyForms() {
		for at := range len(echo) {
			for _, field := range []string{"content", "reasoning_content"} {
				piece := func(text string) string { return one(fmt.Sprintf(`{"delta":{%q:%q}}`, field, text)) }
				got := ask(t, t.Context(), keyedClient(t, io.Discard, streamed(
					piece("It is "+echo[:at]), piece(echo[at:]+", as I said: sk-"), piece("ca"), stop)), hello("m"))
				all := got.Text + got.Reasoning
				if found := leaks(all); found != nil || !strings.HasPrefix(all, "It is ") || !strings.Contains(all, "[key]") ||
					!strings.HasSuffix(all, ", as I said: sk-ca") || form == "raw" && all != "It is [key], as I said: sk-ca" {
					t.Errorf("%s cut at %d: %v in %q", form, at, found, all)
				}
			}
		}
	}
}

func TestSecret_ofAHeaderIsMaskedInAnswersByTheNameOfTheHeader(t *testing.T) {
	const value = "Roundtable-of-Ada"
	for name, secret := range map[string]bool{
		"Authorization": true, "cookie": true, "X-Api-Key": true, "X-Auth-Token": true, "client_secret": true, "MyKeys": true,
		"X-Title": false, "HTTP-Referer": false, "X-Tenant": false, "Cookies-Allowed": false,
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			reply := func(h http.HandlerFunc) result {
				cfg := openai.Config{BaseURL: local.BaseURL, Headers: secrets(name, value)}
				return ask(t, t.Context(), client(t, cfg, openai.Options{Transport: inMemory(h), Logger: debugLog(&log)}), hello("m"))
			}
			got := reply(streamed(
				content("It is "+value[:3]), content(value[3:]+"."), one(`{"delta":{"reasoning_content":"`+value+`"}}`),
				call(`{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"a\":\"`+value+`\"}"},"extra_content":{"a":"`+value+`"}}`), stop))
			want := value
			if secret {
				want = "[key]"
			}
			if got.Text != "It is "+want+"." || got.Reasoning != want || len(got.Calls) != 1 ||
				got.Calls[0].Args != `{"a":"`+want+`"}` || !strings.Contains(string(got.Calls[0].Extra), `"`+want+`"`) {
				t.Errorf("the answer is %+v", got)
			}
			failed := reply(answers(400, `{"error":{"message":"It is `+value+`."}}`)).Failure
			if failed == nil || !strings.Contains(failed.Cause, `"It is [key]".`) || strings.Contains(failed.Error(), value) {
				t.Errorf("the failure is %v", failed)
			}
			if !strings.Contains(log.String(), "It is [key]") || strings.Contains(log.String(), value) {
				t.Errorf("the log is %s", log.String())
			}
		})
	}
}

// The scheme of a credential, the words of other headers and a placeholder are no secrets.
func TestSecret_isNoWordThatAnAnswerNeeds(t *testing.T) {
	for _, tt := range []struct {
		headers   map[string]openai.Secret
		key       string
		reply     http.HandlerFunc
		said, why string
	}{
		{secrets("Authorization", "Bearer "+canary), "", streamed(content("Bearer of "+canary+"."), stop), "Bearer of [key].", ""},
		{secrets("X-Title", "roundtable debates"), "", answers(400, `{"error":{"message":"what is roundtable?"}}`), "", "what is roundtable?"},
		{nil, "ollama", streamed(content("ollama is fine"), stop), "ollama is fine", ""},
	} {
		cfg := openai.Config{BaseURL: local.BaseURL, Headers: tt.headers}
		got := ask(t, t.Context(), client(t, cfg, openai.Options{Key: tt.key, Transport: inMemory(tt.reply)}), hello("m"))
		if f := got.Failure; got.Text != tt.said || (f != nil) != (tt.why != "") || f != nil && !strings.Contains(f.Cause, tt.why) {
			t.Errorf("got %q, %v", got.Text, f)
		}
	}
}

func TestSecret_inTheNamesOfModelsIsMaskedAsInAnswers(t *testing.T) {
	list := answers(200, `{"data":[{"id":"mistral-small"},{"id":"m-`+canary+`"}]}`)
	cfg := openai.Config{BaseURL: local.BaseURL, Headers: secrets("X-Default-Model", "mistral-small")}
	c := client(t, cfg, openai.Options{Key: canary, Transport: inMemory(list)})
	if got, err := c.Models(t.Context()); err != nil || listed(got) != "[m-[key] mistral-small]" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestSecret_isNotFormatted(t *testing.T) {
	cfg := openai.Config{BaseURL: "https://api.example.com/v1", Headers: secrets("X-Key", canary)}
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
