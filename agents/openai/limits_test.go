package openai_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
)

// flood writes head, then piece n times or until the client disconnects.
func flood(head, piece string, times int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, err := io.WriteString(w, head)
		for range times {
			if err != nil {
				return
			}
			_, err = io.WriteString(w, piece)
		}
	}
}

const forEver = 1 << 30

// peak returns the largest heap in use while f ran.
func peak(f func()) (most uint64) {
	runtime.GC()
	stop := make(chan struct{})
	var sampler sync.WaitGroup
	sampler.Go(func() {
		var m runtime.MemStats
		for {
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	})
	f()
	close(stop)
	sampler.Wait()
	return most
}

func TestLimits_cutWhatIsTooMuch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	kib := strings.Repeat("x", 1<<10)
	small := openai.Limits{Stream: 4 << 20, Answer: 1 << 20}
	for _, tt := range []struct {
		name   string
		limits openai.Limits
		serve  http.HandlerFunc
		key    string
	}{
		{"a line of 64 MiB", openai.Limits{}, flood(`data: {"choices":[{"delta":{"content":"`, kib, 64<<10), "limits.event_bytes"},
		{"a comment of 64 MiB", openai.Limits{}, flood(`: `, kib, 64<<10), "limits.event_bytes"},
		{"an event of many lines", openai.Limits{}, flood("data: {\n", "data: "+kib+"\n", 64<<10), "limits.event_bytes"},
		{"a document of 64 MiB", openai.Limits{}, flood(`{"choices":[{"message":{"content":"`, kib, 64<<10), "limits.event_bytes"},
		{"white space of 64 MiB", openai.Limits{}, flood("", strings.Repeat(" ", 1<<10), 64<<10), "limits.event_bytes"},
		{"text without end", openai.Limits{}, flood("", stream(content(kib), content("y"+kib)), forEver), "limits.answer_bytes"},
		{"arguments without end", small, flood("", stream(call(`{"index":0,"id":"c","function":{"name":"read","arguments":"`+kib+`"}}`)), forEver), "limits.answer_bytes"},
		{"calls without end", openai.Limits{}, func(w http.ResponseWriter, r *http.Request) {
			for i := 0; r.Context().Err() == nil; i++ {
				events(w, stream(call(fmt.Sprintf(`{"index":%d,"id":"c%d","function":{"name":"read"}}`, i, i))))
			}
		}, "limits.answer_bytes"},
		{"details of reasoning without end", small, flood("", stream(one(`{"delta":{"reasoning_details":[{"type":"reasoning.text","text":"`+kib+`"}]}}`)), forEver), "limits.answer_bytes"},
		{"the same piece 500 times", openai.Limits{}, flood("", stream(content("again ")), 500), "limits.repeats"},
		{"the same thought 500 times", openai.Limits{}, flood("", stream(one(`{"delta":{"reasoning_content":"again "}}`)), 500), "limits.repeats"},
		{"empty deltas without end", small, flood("", stream(content("")), forEver), "limits.stream_bytes"},
		{"comments without end", small, flood("", ": hm\n\n", forEver), "limits.stream_bytes"},
		{"empty data without end", small, flood("", "data:\n", forEver), "limits.stream_bytes"},
		{"blank lines after an event without end", small, flood(stream(content("x")), "\n\r", forEver), "limits.stream_bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := serveWith(t, openai.Config{Limits: tt.limits}, tt.serve)
			var got *agents.Failure
			used := peak(func() { got = ask(t, t.Context(), c, hello("m")).Failure })
			if got == nil || got.Kind != agents.KindLimit || !strings.Contains(got.Error(), tt.key) || got.Tries != 1 {
				t.Errorf("got %+v", got)
			}
			if used > 256<<20 {
				t.Errorf("%d MiB were in use", used>>20)
			}
		})
	}
}

func TestLimits_anAnswerThatPassesItsTokensIsCut(t *testing.T) {
	const most = 100
	word := func(i int) string { return fmt.Sprintf("word%d ", i) }
	serve := func(w http.ResponseWriter, r *http.Request) {
		for i := 0; r.Context().Err() == nil; i++ {
			events(w, stream(content(word(i))))
		}
	}
	long := strings.Repeat("A whole passage in each event. ", 100)
	for name, tt := range map[string]struct {
		serve http.HandlerFunc
		cut   bool
	}{
		"a token an event": {serve, true},
		"many an event":    {flood("", stream(content(long), content("y"+long)), forEver), true},
		"thoughts":         {flood("", stream(one(`{"delta":{"reasoning_content":"so "}}`), one(`{"delta":{"reasoning_content":"and "}}`)), forEver), true},
		"one that only counts otherwise": {func(w http.ResponseWriter, _ *http.Request) {
			for i := range most + most/2 {
				events(w, stream(content(word(i))))
			}
			events(w, stream(stop, done))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			req := hello("m")
			req.MaxTokens = most
			got := ask(t, t.Context(), serveWith(t, openai.Config{}, tt.serve), req)
			if got.Failure != nil || (got.Finish == agents.FinishLength) != tt.cut ||
				tt.cut && len(got.Text)+len(got.Reasoning) > 50*most+len(long)*2 {
				t.Errorf("%v, finish %q, %d bytes", got.Failure, got.Finish, len(got.Text)+len(got.Reasoning))
			}
		})
	}
}

func TestLimits_letALongAnswerThrough(t *testing.T) {
	word := strings.Repeat("word ", 200)
	args := `{"text":"` + strings.Repeat("x", 5<<20) + `"}`
	var fragments []string
	for i := range 200 {
		fragments = append(fragments, call(fmt.Sprintf(`{"index":%d,"id":"c%d","function":{"name":"read","arguments":"{}"}}`, i, i)))
	}
	for name, tt := range map[string]struct {
		body  string
		check func(result) bool
	}{
		"a million characters": {
			strings.Repeat(stream(content(word), content(word+"and ")), 500) + stream(stop, done),
			func(r result) bool { return len(r.Text) == 1002000 },
		},
		"one line of 5 MB": {stream(content(strings.Repeat("x", 5<<20)), stop, done), func(r result) bool { return len(r.Text) == 5<<20 }},
		"arguments of 5 MB": {
			stream(call(fmt.Sprintf(`{"index":0,"id":"c","function":{"name":"write","arguments":%q}}`, args)), stop, done),
			func(r result) bool { return len(r.Calls) == 1 && r.Calls[0].Args == args },
		},
		"200 calls":                {stream(fragments...) + stream(stop, done), func(r result) bool { return len(r.Calls) == 200 }},
		"the same piece 300 times": {strings.Repeat(stream(content("-")), 300) + stream(stop, done), func(r result) bool { return len(r.Text) == 300 }},
	} {
		h, _ := answered(200, tt.body, "Content-Type", "text/event-stream")
		if got := ask(t, t.Context(), serve(t, h), hello("m")); got.Failure != nil || !tt.check(got) {
			t.Errorf("%s: %v, %d bytes, %d calls", name, got.Failure, len(got.Text), len(got.Calls))
		}
	}
}
