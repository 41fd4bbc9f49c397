package openai_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

// silent writes text and then nothing until the client disconnects.
func silent(text string) pipes {
	return func(conn net.Conn, _ *http.Request) {
		io.WriteString(conn, text)
		io.Copy(io.Discard, conn)
	}
}

// every writes head, and then piece after each pause until the client disconnects.
func every(head, piece string, pause time.Duration) pipes {
	return func(conn net.Conn, _ *http.Request) {
		_, err := io.WriteString(conn, head)
		for err == nil {
			time.Sleep(pause)
			_, err = io.WriteString(conn, piece)
		}
	}
}

func TestTimeouts_endSilence(t *testing.T) {
	for _, tt := range []struct {
		name  string
		serve pipes
		after time.Duration // of one try
		tries int
		says  string
	}{
		{"no response", silent(""), 600 * time.Second, 2, "Nothing came from mock/m for 10 min. Raise timeouts.first_payload of mock if it needs longer; a change counts when Roundtable starts again."},
		{"headers and no more", silent(streamHead), 600 * time.Second, 2, "Nothing came from mock/m for 10 min."},
		{"comments for ever", every(streamHead, ": hm\n\n", time.Second), 600 * time.Second, 2, "Nothing came from mock/m for 10 min."},
		{"empty data for ever", every(streamHead, "data:\n\n", time.Second), 600 * time.Second, 2, "Nothing came from mock/m for 10 min."},
		{"silence amid the answer", silent(streamHead + stream(content("Hello"))), 180 * time.Second, 1, "Nothing came from mock/m for 3 min. Raise timeouts.idle of mock if it needs longer; a change counts when Roundtable starts again."},
		{"comments amid the answer", every(streamHead+stream(content("Hello")), ": hm\n\n", time.Second), 180 * time.Second, 1, "Nothing came from mock/m for 3 min."},
		{"a token a minute", every(streamHead, stream(content("slow ")), time.Minute), 900 * time.Second, 1, "The answer from mock/m did not finish within 15 min. Raise timeouts.total of mock or ask for less; a change counts when Roundtable starts again."},
		{"an error that does not end", every("HTTP/1.1 400 Bad Request\r\n\r\nno", ".", time.Second), 5 * time.Second, 1, "mock/m refused the request (400): \"no"},
		{"a document that does not end", silent("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"), 600 * time.Second, 2, "Nothing came from mock/m for 10 min."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				got := ask(t, t.Context(), piped(t, openai.Config{}, openai.Options{Rand: noBackoff}, tt.serve), hello("m")).Failure
				if got == nil || (got.Kind != agents.KindSilence) != (got.Status == 400) || !strings.HasPrefix(got.Error(), tt.says) ||
					got.Tries != tt.tries {
					t.Errorf("got %+v", got)
				}
				want := tt.after * time.Duration(tt.tries)
				if took := time.Since(began); took < want || took > want+2*time.Second {
					t.Errorf("took %s, want %s", took, want)
				}
			})
		})
	}
}

func TestTimeouts_areConfigured(t *testing.T) {
	cfg := openai.Config{Timeouts: openai.Timeouts{FirstPayload: seconds(5), Idle: seconds(2)}}
	for response, says := range map[string]string{streamHead: "for 5 s", streamHead + stream(content("Hello")): "for 2 s"} {
		synctest.Test(t, func(t *testing.T) {
			got := ask(t, t.Context(), piped(t, cfg, openai.Options{Rand: noBackoff}, silent(response)), hello("m")).Failure
			if got == nil || !strings.Contains(got.Cause, says) {
				t.Errorf("got %+v, want it to say %s", got, says)
			}
		})
	}
}

func TestTimeouts_doNotCountAgainstOurOwnSlowness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := openai.Config{Timeouts: openai.Timeouts{Idle: seconds(2), FirstPayload: seconds(2)}}
		cl := piped(t, cfg, openai.Options{}, func(conn net.Conn, _ *http.Request) {
			io.WriteString(conn, streamHead)
			for range 5 {
				io.WriteString(conn, stream(content("x")))
			}
			io.WriteString(conn, stream(stop, done))
		})
		text := ""
		for chunk, err := range cl.Stream(t.Context(), hello("m")) {
			must.Do(t, err)
			text += chunk.Text
			time.Sleep(time.Minute) // a store that is slow, a program in the foreground
		}
		if text != "xxxxx" {
			t.Errorf("got %q", text)
		}
	})
}

func TestTimeouts_giveUpAConnectionThatIsNotTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, local, openai.Options{Rand: noBackoff, Dial: untaken})
		began := time.Now()
		got := ask(t, t.Context(), c, hello("m")).Failure
		if got == nil || got.Kind != agents.KindNetwork || got.Cause != "mock/m at localhost did not accept the connection in time." ||
			time.Since(began) != 40*time.Second {
			t.Errorf("after %s: %+v", time.Since(began), got)
		}
	})
}

// Comments show that the server is alive, every few seconds, before the answer and within it. The
// first one also says, once, that the request is queued.
func TestAlive_isSaidWhileTheServerComments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := piped(t, openai.Config{}, openai.Options{}, func(conn net.Conn, _ *http.Request) {
			io.WriteString(conn, streamHead)
			for _, event := range []string{stream(content("Hello")), stream(content(" there"))} {
				for range 21 {
					io.WriteString(conn, ": keep-alive\n\n")
					time.Sleep(time.Second)
				}
				io.WriteString(conn, event)
			}
			io.WriteString(conn, stream(stop, counted, done))
		})
		began := time.Now()
		var seen []string
		for chunk, err := range c.Stream(t.Context(), hello("m")) {
			switch {
			case err != nil:
				t.Fatal(err)
			case isQueued(chunk):
				seen = append(seen, fmt.Sprintf("queued after %s", time.Since(began)))
			case chunk.Event == agents.Alive{}:
				seen = append(seen, "alive")
			case chunk.Text != "":
				seen = append(seen, chunk.Text)
			}
		}
		got := strings.Join(seen, "|")
		if want := "queued after 0s|alive|alive|alive|alive|Hello|alive|alive|alive|alive| there"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// A request that waits for a place says so, and says when it is sent.
func TestAlive_isSaidAfterTheWaitForAPlace(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	c := serveWith(t, openai.Config{MaxConcurrent: 1}, func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() {
			close(begun)
			<-release
		})
		events(w, helloThere)
	})
	var first sync.WaitGroup
	first.Go(func() { ask(t, t.Context(), c, hello("m")) })
	<-begun
	var seen []string
	for chunk, err := range c.Stream(t.Context(), hello("m")) {
		switch {
		case err != nil:
			t.Fatal(err)
		case chunk.Event == agents.Queued{Waits: true}:
			seen = append(seen, "waits")
			close(release)
		case chunk.Event == agents.Alive{Placed: true}:
			seen = append(seen, "sent")
		}
	}
	if got := strings.Join(seen, "|"); got != "waits|sent" {
		t.Errorf("got %s", got)
	}
	first.Wait()
}

func TestFinish_isHeldBackForASecondAtMost(t *testing.T) {
	for _, tt := range []struct {
		name  string
		serve pipes
		took  time.Duration
		usage bool
	}{
		{"finish and an open socket", silent(streamHead + stream(content("Hello there"), stop)), time.Second, false},
		{"DONE and an open socket", silent(streamHead + stream(content("Hello there"), done)), 0, false},
		{"finish, usage and an open socket", silent(streamHead + stream(content("Hello there"), stop, counted)), 0, true},
		{"usage half a second late", func(conn net.Conn, _ *http.Request) {
			io.WriteString(conn, streamHead+stream(content("Hello there"), stop))
			time.Sleep(500 * time.Millisecond)
			io.WriteString(conn, stream(counted))
			io.Copy(io.Discard, conn)
		}, 500 * time.Millisecond, true},
		{"finish and comments for ever", every(streamHead+stream(content("Hello there"), stop), ": hm\n\n", 100*time.Millisecond), time.Second, false},
		{"DONE and comments for ever", every(streamHead+stream(content("Hello there"), done), ": hm\n\n", 10*time.Millisecond), 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				got := ask(t, t.Context(), piped(t, openai.Config{}, openai.Options{}, tt.serve), hello("m"))
				if got.Failure != nil || got.Text != "Hello there" || got.Finish != agents.FinishStop || (got.Usage != nil) != tt.usage {
					t.Errorf("got %+v", got)
				}
				if took := time.Since(began); took != tt.took {
					t.Errorf("took %s, want %s", took, tt.took)
				}
			})
		})
	}
}
