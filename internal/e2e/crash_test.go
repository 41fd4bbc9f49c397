//go:build unix

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// trial is one debate against a capturing server, in a home of its own.
type trial struct {
	*testing.T
	exe       string
	env       []string
	config    string
	server    *endpoint.Server
	immediate atomic.Bool // once the program has been killed, models take no time any more

	session  string   // its id, once there is one
	kills    int      // how often it was killed
	finished []string // who was done when it was killed first
	before   int      // requests that had been sent by then
}

// newTrial makes a panel of three. One seat asks both questions, so that they keep their numbers;
// another fails in round 2.
func newTrial(t *testing.T, pace time.Duration) *trial {
	t.Helper()
	tr := &trial{T: t, exe: built(t), env: home(t)}
	tr.server = endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		who := saidBy(r)
		switch asks := who == "m1 1" && len(r.Tools) > 0; {
		case asks && r.Results == 0:
			return endpoint.Reply{Call: `{"query":"What is the budget?","reason":"it decides","priority":"required"}`}
		case asks && r.Results == 1:
			return endpoint.Reply{Call: `{"query":"Who decides?","reason":"it helps","priority":"optional"}`}
		case who == "m3 2":
			return endpoint.Reply{Status: http.StatusBadRequest}
		}
		reply := endpoint.Reply{Text: who + " says" + strings.Repeat(" so", 10), Pace: pace}
		if tr.immediate.Load() {
			reply.Pace = 0
		}
		return reply
	})
	tr.config = seatedAt(t, tr.server.URL, "[context]\nask_again = false\n", "", 3) // each seat is asked once
	return tr
}

// saidBy names who a request is for, with the round; the chair speaks in round 0.
func saidBy(r endpoint.Request) string {
	if strings.Contains(r.Messages[0].Content, "You are the chair") {
		return r.Model + " 0"
	}
	return fmt.Sprint(r.Model, " ", roundAsked(r))
}

// command runs the program and returns what it printed. It is ended as kill -9 does where it comes
// to a crash point.
func (tr *trial) command(point string, args ...string) (out string, struck bool) {
	tr.Helper()
	cmd := exec.Command(tr.exe, append([]string{"--config", tr.config}, args...)...)
	cmd.Env = append(slices.Clone(tr.env), "ROUNDTABLE_CRASH="+point)
	var printed, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &complaints
	must.Do(tr, cmd.Start())
	err := cmd.Wait()
	code := cmd.ProcessState.ExitCode()
	if code != -1 && code != 0 && code != 3 || strings.Contains(printed.String()+complaints.String(), "database is locked") {
		tr.Fatalf("%v: %v\n%s%s", args, err, printed.String(), complaints.String())
	}
	if code == -1 {
		tr.inspect()
	}
	return printed.String(), code == -1
}

// output runs the program, which must end well.
func (tr *trial) output(args ...string) string {
	tr.Helper()
	out, struck := tr.command("", args...)
	if struck {
		tr.Fatalf("%v was killed", args)
	}
	return out
}

// id returns the session's id, "" before there is one.
func (tr *trial) id() string {
	tr.Helper()
	if tr.session != "" {
		return tr.session
	}
	var all []listed
	must.Do(tr, json.Unmarshal([]byte(tr.output("sessions", "--json")), &all))
	if len(all) == 0 {
		return ""
	}
	tr.session = all[0].ID
	return tr.session
}

// play takes the debate to its end. The first command that comes to the next point is ended there,
// and given again, as a user would.
func (tr *trial) play(points ...string) {
	tr.Helper()
	commands := []func(id string) []string{
		func(id string) []string {
			if id == "" {
				return []string{"run", "Is it so?", "--rounds", "3", "--json"}
			}
			return []string{"continue", id, "--json"}
		},
		func(id string) []string { return []string{"answer", id, "C1", "--text", "ten thousand"} },
		func(id string) []string { return []string{"continue", id, "--json"} },
	}
	for _, args := range commands {
		for struck := true; struck; {
			next := ""
			if len(points) > 0 {
				next = points[0]
			}
			if _, struck = tr.command(next, args(tr.id())...); struck {
				points = points[1:]
			}
		}
	}
}

var marker = regexp.MustCompile(`[0-9a-f]{12}`)

// sent is how often each request was sent. The fences' markers differ between
// sessions by their nonce, so each is replaced by its place.
func (tr *trial) sent() map[string]int {
	out := map[string]int{}
	for _, r := range tr.server.Requests("") {
		seen := map[string]string{}
		out[marker.ReplaceAllStringFunc(r.Raw, func(m string) string {
			if seen[m] == "" {
				seen[m] = fmt.Sprintf("marker-%d", len(seen))
			}
			return seen[m]
		})]++
	}
	return out
}

// check holds a debate that may have been killed against one that was not.
func (tr *trial) check(want map[string]int) {
	tr.Helper()
	got := tr.sent()
	for body := range want {
		if got[body] == 0 {
			tr.Errorf("never sent after the crash: %.300s", body)
		}
	}
	again := 0
	for body, n := range got {
		if want[body] == 0 {
			tr.Errorf("sent only because of the crash: %.2000s", body)
		}
		again += n - want[body]
	}
	// Each of three seats starts its interrupted turn again, of three completions at most.
	if most := tr.kills * 3 * 3; again > most {
		tr.Errorf("%d requests were sent again, %d at most belong to interrupted turns", again, most)
	}
	for _, r := range tr.server.Requests("")[tr.before:] {
		if slices.Contains(tr.finished, saidBy(r)) {
			tr.Errorf("%s had finished and was asked again", saidBy(r))
		}
	}
	w := tr.open()
	const asks = "SELECT request || ' ' || count(DISTINCT type) FROM context_events WHERE type IN ('ask', 'cap') GROUP BY request ORDER BY request"
	if asked := w.column(asks); !slices.Equal(asked, []string{"C1 1", "C2 1"}) {
		tr.Errorf("asked at the end: %q", asked)
	}
	const answered = "SELECT request || ' ' || (payload ->> 'content') FROM context_events WHERE type = 'answer'"
	if answers := w.column(answered); !slices.Equal(answers, []string{"C1 ten thousand"}) {
		tr.Errorf("answers at the end: %q", answers)
	}
	if all := sessions(tr.T, tr.env); len(all) != 1 || all[0].Status != "complete" {
		tr.Errorf("at the end: %+v", all)
	}
}

// points are the store's crash points that a debate passes, and at which time of
// passing them, counted in each process, it crashes.
var points = map[string][]int{
	"create": {1}, "round": {1, 2}, "turn": {1, 2, 5, 7}, "call": {1, 2, 5, 7}, "call-end": {1, 2}, "call-break": {1},
	"tool-start": {1, 2}, "tool-end": {1, 2}, "ask": {1, 2}, "journal": {1, 3}, "turn-end": {1, 2, 3, 6, 7},
	"round-end": {1, 2}, "answer": {1}, "verdict": {1},
}

// places lists the points to crash at. By default this is the far side of the first time
// that a point is passed; in full, both sides of every time.
func places(times []int) (out []string) {
	for i, nth := range times {
		if inFull() {
			out = append(out, fmt.Sprintf("before:%d", nth))
		}
		if i == 0 || inFull() {
			out = append(out, fmt.Sprintf("after:%d", nth))
		}
	}
	return out
}

func TestCrash_atEveryPointADebateGoesOnAsIfNothingHadHappened(t *testing.T) {
	skipShort(t)
	whole := newTrial(t, time.Millisecond)
	whole.play()
	want := whole.sent()
	whole.check(want)
	try := func(name string, pace time.Duration, points ...string) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, pace)
			tr.play(points...)
			if tr.kills != len(points) {
				t.Fatalf("the debate came to %d of its crash points", tr.kills)
			}
			tr.check(want)
		})
	}
	const drawn = 50 * time.Millisecond // so that an answer takes longer than the journal waits
	for point, times := range points {
		pace := time.Millisecond
		if point == "journal" {
			pace = drawn
		}
		for _, place := range places(times) {
			place = point + ":" + place
			try(place, pace, place)
		}
	}
	for _, repair := range []string{"repair:before", "repair:after"} {
		try("then "+repair, drawn, "journal:after:1", repair, "turn-end:before:2", repair)
	}
}
