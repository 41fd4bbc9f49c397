//go:build unix

package report_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/debate/report"
)

// browser is a headless Chromium that is told what to do over two pipes.
type browser struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	n       int
	session string
	heard   []event // since the last page was asked for
}

// event is what the browser reports by itself.
type event struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// chromium starts a browser, or skips the test where there is none.
func chromium(t *testing.T) *browser {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium is here")
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 2*time.Minute) // closed in order when the test is over
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--disable-extensions", "--disable-background-networking",
		"--disable-component-update", "--remote-debugging-pipe", "--no-startup-window", "--user-data-dir="+t.TempDir())
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirIn.Close() // or the end of the browser would not be the end of what it writes
	_ = theirOut.Close()
	b := &browser{t: t, to: ourOut, from: bufio.NewReader(ourIn)}
	t.Cleanup(func() {
		defer cancel()
		_, err := b.to.WriteString(`{"id":0,"method":"Browser.close"}` + "\x00")
		_, rest := io.Copy(io.Discard, b.from)
		if err := errors.Join(err, rest, cmd.Wait(), ourOut.Close(), ourIn.Close()); err != nil {
			t.Error(err)
		}
	})
	var made struct{ TargetID string }
	b.ask("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	var joined struct{ SessionID string }
	b.ask("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &joined)
	b.session = joined.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.ask(domain+".enable", nil, nil)
	}
	return b
}

// ask sends a command and waits for its answer.
func (b *browser) ask(method string, params, answer any) {
	b.t.Helper()
	b.n++
	msg := map[string]any{"id": b.n, "method": method}
	if params != nil {
		msg["params"] = params
	}
	if b.session != "" {
		msg["sessionId"] = b.session
	}
	raw, err := json.Marshal(msg)
	if err == nil {
		_, err = b.to.Write(append(raw, 0))
	}
	if err != nil {
		b.t.Fatal(err)
	}
	for {
		id, result := b.next()
		if id != b.n {
			continue
		}
		if answer != nil {
			if err := json.Unmarshal(result, answer); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// next reads one message: the answer to a command, or an event, which it keeps.
func (b *browser) next() (id int, result json.RawMessage) {
	b.t.Helper()
	raw, err := b.from.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("the browser is gone: %v", err)
	}
	var msg struct {
		ID     int
		Result json.RawMessage
		Error  *struct{ Message string }
		event
	}
	if err := json.Unmarshal(raw[:len(raw)-1], &msg); err != nil {
		b.t.Fatal(err)
	}
	if msg.Error != nil {
		b.t.Fatal(msg.Error.Message)
	}
	if msg.ID == 0 {
		b.heard = append(b.heard, msg.event)
	}
	return msg.ID, msg.Result
}

// open shows a page in a window of a width, in a colour scheme.
func (b *browser) open(url string, width int, scheme string) {
	b.t.Helper()
	b.heard = nil
	b.ask("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": width, "height": 900, "deviceScaleFactor": 1,
		"mobile": width < 600,
	}, nil)
	b.ask("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{
		"name":  "prefers-color-scheme",
		"value": scheme,
	}}}, nil)
	var went struct{ ErrorText string }
	b.ask("Page.navigate", map[string]any{"url": url}, &went)
	if went.ErrorText != "" {
		b.t.Fatalf("%s: %s", url, went.ErrorText)
	}
	for !slices.ContainsFunc(b.heard, func(e event) bool { return e.Method == "Page.loadEventFired" }) {
		b.next()
	}
}

// measure returns the numbers that an expression comes to.
func (b *browser) measure(expression string) map[string]float64 {
	b.t.Helper()
	var answer struct {
		Result           struct{ Value map[string]float64 }
		ExceptionDetails json.RawMessage
	}
	b.ask("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &answer)
	if answer.ExceptionDetails != nil {
		b.t.Fatalf("%s", answer.ExceptionDetails)
	}
	return answer.Result.Value
}

// look measures what makes a page readable: whether it has to be scrolled sideways,
// what sticks out, the size and width of its text, and the contrasts.
const look = `(() => {
	const light = c => { const v = c.match(/[\d.]+/g).slice(0, 3).map(x => {
		 x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4 });
		return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2] };
	const ground = e => { for (; e; e = e.parentElement) {
		 const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$/.test(c)) return c } return 'rgb(255, 255, 255)' };
	const contrast = e => { const a = light(getComputedStyle(e).color), b = light(ground(e));
		return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
	const shown = [...document.querySelectorAll('main *')].filter(e => e.getClientRects().length &&
		 [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()));
	const outside = shown.filter(e => !e.closest('.wide, .quote, pre') && e.getBoundingClientRect().right > innerWidth + 1);
	return { wider: document.documentElement.scrollWidth - innerWidth, outside: outside.length, text: shown.length,
		smallest: Math.min(...shown.map(e => parseFloat(getComputedStyle(e).fontSize))),
		main: document.querySelector('main').getBoundingClientRect().width,
		contrast: Math.min(...shown.map(contrast)), body: contrast(document.body),
		dark: light(getComputedStyle(document.documentElement).backgroundColor) < 0.1 ? 1 : 0 };
})()`

func TestHTML_isReadableInABrowserAndAsksNobody(t *testing.T) {
	b := chromium(t)
	pages := map[string][]byte{}
	for name, s := range map[string]debate.Session{
		"ranked": withWideText(ranked()), "live": running(),
		"poisoned": withText(ranked(), strings.Join(hostile, "\n\n"), false),
	} {
		pages["/"+name] = export(t, s, report.HTML, report.Options{Live: name == "live"})
	}
	var mu sync.Mutex
	asked := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(pages[r.URL.Path])
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, pages["/ranked"], 0o600); err != nil {
		t.Fatal(err)
	}
	opened := map[string]int{}
	for _, width := range []int{400, 1400} {
		for _, scheme := range []string{"light", "dark"} {
			for path := range pages {
				if path == "/poisoned" && width == 400 != (scheme == "dark") {
					continue // one of each will do: it is long
				}
				opened[path]++
				b.open(server.URL+path, width, scheme)
				b.check(fmt.Sprintf("%s at %d px, %s", path, width, scheme), server.URL+path, width, scheme)
			}
		}
	}
	b.open("file://"+file, 1400, "light")
	b.check("the file itself", "file://"+file, 1400, "light")
	mu.Lock()
	defer mu.Unlock()
	if fmt.Sprint(asked) != fmt.Sprint(opened) {
		t.Errorf("the server was asked for %v, want %v", asked, opened)
	}
}

// check fails for what the browser complained of, for what it loaded besides the
// page, and for what cannot be read.
func (b *browser) check(name, url string, width int, scheme string) {
	b.t.Helper()
	got := b.measure(look)
	for _, e := range b.heard {
		switch e.Method {
		case "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown":
			b.t.Errorf("%s: the console has %s", name, e.Params)
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if err := json.Unmarshal(e.Params, &p); err != nil || p.Request.URL != url && !strings.HasPrefix(p.Request.URL, "data:") {
				b.t.Errorf("%s: it asks for %s (%v)", name, p.Request.URL, err)
			}
		}
	}
	switch {
	case got["wider"] > 0 || got["outside"] > 0:
		b.t.Errorf("%s: it is %v px too wide, and %v elements stick out", name, got["wider"], got["outside"])
	case got["text"] < 30 || got["smallest"] < 11 || got["main"] < 0.8*float64(min(width, 960)) || got["main"] > 960:
		b.t.Errorf("%s: %v", name, got)
	case got["contrast"] < 4.5 || got["body"] < 10:
		b.t.Errorf("%s: the contrast is %.1f, of text %.1f", name, got["contrast"], got["body"])
	case (got["dark"] == 1) != (scheme == "dark"):
		b.t.Errorf("%s: it is in the other colours", name)
	}
}

// withWideText returns the session with text that could be too wide for a screen.
func withWideText(s debate.Session) debate.Session {
	long := strings.Repeat("abcdefghij", 40)
	s.Topic = "Should billing move to SQLite, or to a database server, when the team has two people and the peak is at month end? " + long[:90]
	s.Verdict.Text += "\n" + long + "\n\n```\n" + long + "\n```\n\n| a | b | c | d | e | f | g | h |\n" +
		"| - | - | - | - | - | - | - | - |\n| alpha | beta | gamma | delta | epsilon | " + long[:60] + " | eta | theta |\n\n" +
		"> > > nested\n\nhttps://example.com/" + long + "\n"
	s.History[0].Responses[0].Passages[0].Tools[0].Result.Text = strings.Repeat(long+"\n", 50)
	s.Requests[0].Answers[0].Content = long
	return s
}
