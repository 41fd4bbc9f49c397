//go:build unix

package e2e_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/internal/e2e/endpoint"
)

// asked is a turn of one of several debates, as its server sees it.
type asked struct {
	topic, model string
	round        int // 0: the verdict
}

// ration lets a server say so many words, and holds its replies then.
type ration struct {
	mu      sync.Mutex
	changed *sync.Cond
	left    int
}

func newRation() *ration {
	r := &ration{}
	r.changed = sync.NewCond(&r.mu)
	return r
}

// take counts a word, and waits while none is left.
func (r *ration) take(string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left--
	r.changed.Broadcast()
	for r.left <= 0 {
		r.changed.Wait()
	}
}

// allow lets n more words be said.
func (r *ration) allow(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = n
	r.changed.Broadcast()
}

// await waits until all words are said.
func (r *ration) await() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.left > 0 {
		r.changed.Wait()
	}
}

// Three debates run at once and the program is killed, over and over. Nothing that was stored
// is lost or asked for again, and all three can be resumed to their verdicts.
func TestCrash_threeDebatesAtOnce(t *testing.T) {
	t.Parallel()
	topics := []string{"Alpha or beta?", "Gamma or delta?", "Kappa or sigma?"}
	words := newRation()
	speak := orator(40, 15*time.Millisecond)
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		reply := speak(r)
		reply.Sent = words.take
		return reply
	})
	t.Cleanup(func() { words.allow(1 << 30) }) // before the server closes, which waits for its replies
	turnOf := func(r endpoint.Request) asked {
		for _, topic := range topics {
			if strings.Contains(r.Raw, topic) {
				return asked{topic, r.Model, roundAsked(r)}
			}
		}
		t.Fatalf("a request of no debate: %.300s", r.Raw)
		return asked{}
	}
	env, config := home(t), seated(t, srv.URL, "[defaults]\nends = \"planned\"\n[context]\nask_again = false\n", 3)
	ids, before := map[string]string{}, map[asked][]attempt{}
	kills := []int{100, 300, 300} // words of the server until each; the debates need 840, a turn 40
	for _, n := range kills {
		words.allow(n)
		tm := playThree(t, env, config, topics, ids)
		words.await()
		tm.kill()
		now := attemptsOf(t, env, ids)
		for turn, was := range before {
			last := was[len(was)-1]
			if is := now[turn]; last.State == "done" && (len(is) != len(was) || is[len(is)-1] != last) {
				t.Errorf("%+v was stored and is %+v", turn, is)
			}
		}
		before = now
	}
	words.allow(1 << 30)
	tm := playThree(t, env, config, topics, ids)
	tm.await("✓ "+topics[0], "✓ "+topics[1], "✓ "+topics[2])
	tm.kill()
	times, interrupted := map[asked]int{}, 0
	for _, r := range srv.Requests("") {
		times[turnOf(r)]++
	}
	for turn, all := range attemptsOf(t, env, ids) {
		for i, x := range all {
			if last := i == len(all)-1; last != (x.State == "done") {
				t.Errorf("%+v: attempt %d of %d is %s", turn, i+1, len(all), x.State)
			}
		}
		if interrupted += len(all) - 1; times[turn] == 0 || times[turn] > len(all) || len(all) > 1+len(kills) {
			t.Errorf("%+v was asked %d times in %d attempts", turn, times[turn], len(all))
		}
	}
	if interrupted == 0 || len(times) != len(topics)*7 { // 3 seats in 2 rounds, and the chair
		t.Errorf("%d turns were interrupted, %d asked", interrupted, len(times))
	}
}

// playThree starts the program with three debates that run, and shows the list. The first
// time it makes them.
func playThree(t *testing.T, env []string, config string, topics []string, ids map[string]string) *terminal {
	t.Helper()
	tm := open(t, env, 120, 40, "--config", config)
	tm.await("New debate")
	for i, topic := range topics {
		if ids[topic] == "" {
			if i > 0 { // the first start shows the form
				tm.send("\x0e")
			}
			tm.await("M3 m3")
			tm.press(topic, topic)
			tm.press(ctrlS, "round 1 of 2")
			tm.press("q", "j k move")
			continue
		}
		tm.press("/", "ctrl+u clear")
		tm.press(topic, "1 match")
		tm.press(enter, "no open questions")
		if strings.Contains(tm.text(), "paused") {
			tm.send(" ")
			tm.gone("paused")
		}
		tm.press("q", "esc list")
		tm.press("\x15"+esc, "j k move")
	}
	for _, s := range summaries(t, env) {
		ids[s.Topic] = s.ID
	}
	return tm
}

type summary struct{ ID, Topic, Status string }

func summaries(t *testing.T, env []string) (all []summary) {
	t.Helper()
	raw, err := program(t, env, "sessions", "--json").Output()
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// attempt is one of a turn, as it is stored.
type attempt struct{ State, Text string }

// attemptsOf returns the stored attempts of each turn of a round.
func attemptsOf(t *testing.T, env []string, ids map[string]string) map[asked][]attempt {
	t.Helper()
	out := map[asked][]attempt{}
	for topic, id := range ids {
		raw, err := program(t, env, "show", id, "--json").Output()
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			History []struct {
				Round     int
				Responses []struct {
					Agent       string
					State, Text string
				}
			}
		}
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatal(err)
		}
		for _, r := range s.History {
			for _, x := range r.Responses {
				turn := asked{topic, x.Agent, r.Round}
				out[turn] = append(out[turn], attempt{x.State, x.Text})
			}
		}
	}
	return out
}
