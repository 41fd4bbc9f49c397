//go:build unix

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roundtable/internal/e2e/endpoint"
)

// trial is one debate against a capturing server, in a home of its own.
type trial struct {
	*testing.T
	exe    string
	env    []string
	config string
	server *endpoint.Server
	speech speech
	spoken heard

	session  string        // its id, once there is one
	wrecks   int           // how often it was struck
	kills    int           // how often it was killed
	due      int           // words that had to be stored by then
	behind   time.Duration // by how much stored text may be late, since commits take time
	finished map[said]bool // who was done when it was struck first
	before   int           // requests that had been sent by then
	faulty   bool          // a fault goes on
	other    string        // a sound database that is not its own; "": none
}

// speech is how the models of a trial talk. Once the program has been struck
// they take no time any more.
type speech struct {
	words     int
	pace      time.Duration
	immediate atomic.Bool
}

func (s *speech) now() time.Duration {
	if s.immediate.Load() {
		return 0
	}
	return s.pace
}

// newTrial makes a panel of three. One seat asks both questions, so that they
// keep their numbers; another fails in round 2.
func newTrial(t *testing.T, words int, pace time.Duration) *trial {
	t.Helper()
	tr := &trial{T: t, exe: built(t), env: home(t)}
	tr.speech.words, tr.speech.pace = words, pace
	tr.server = endpoint.New(t, tr.reply)
	tr.config = seatedAt(t, tr.server.URL, "[context]\nask_again = false\n", "", 3) // only what is said is streamed
	return tr
}

func (tr *trial) reply(r endpoint.Request) endpoint.Reply {
	results := 0
	for _, m := range r.Messages {
		if m.Role == "tool" {
			results++
		}
	}
	who := saidBy(r)
	switch asks := who == (said{"m1", 1}) && len(r.Tools) > 0; {
	case asks && results == 0:
		return endpoint.Reply{Call: `{"query":"What is the budget?","reason":"it decides","priority":"required"}`}
	case asks && results == 1:
		return endpoint.Reply{Call: `{"query":"Who decides?","reason":"it helps","priority":"optional"}`}
	case who == (said{"m3", 2}):
		return endpoint.Reply{Status: http.StatusBadRequest}
	}
	text := fmt.Sprintf("The statement of %s in round %d is this:", who.model, who.round)
	for n := range tr.speech.words {
		text += fmt.Sprintf(" %s-%d-%d", who.model, who.round, n)
	}
	return endpoint.Reply{Text: text, Pace: tr.speech.now(), Sent: tr.spoken.stream(who, tr.speech.now())}
}

// said names what a model says in a round; the chair speaks in round 0.
type said struct {
	model string
	round int
}

var ofRound = regexp.MustCompile(`round (\d) of 3`)

func saidBy(r endpoint.Request) said {
	if m := ofRound.FindStringSubmatch(r.Messages[1].Content); m != nil && !strings.Contains(r.Messages[0].Content, "You are the chair") {
		return said{r.Model, int(m[1][0] - '0')}
	}
	return said{r.Model, 0}
}

// strike says when the program is to be ended as kill -9 does: at a crash point,
// or some time after the command that has this number, from 0, and not before
// text of so many speakers is due to be stored. With a fault the database is first
// made so, and the program has some more time.
type strike struct {
	point   string
	command int
	after   time.Duration
	due     int
	fault   *fault
	more    time.Duration
}

// command runs the program and returns what it printed; it may be struck.
func (tr *trial) command(s strike, args ...string) (out string, struck bool) {
	tr.Helper()
	cmd := exec.Command(tr.exe, append([]string{"--config", tr.config}, args...)...)
	cmd.Env = append(slices.Clone(tr.env), "ROUNDTABLE_CRASH="+s.point)
	if s.fault != nil && s.fault.delay > 0 {
		cmd.Env = append(cmd.Env, "ROUNDTABLE_SLOW="+s.fault.delay.String())
		tr.behind = 2 * (3 + 1) * s.fault.delay // two writes of text, each after one of each seat
	}
	var printed, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &complaints
	if err := cmd.Start(); err != nil {
		tr.Fatal(err)
	}
	var killed atomic.Pointer[time.Time]
	ended, timer := make(chan struct{}), new(sync.WaitGroup)
	if s.after > 0 {
		timer.Go(func() {
			if at, ok := tr.moment(s, ended); ok {
				s.fault.happens(tr, cmd.Process.Pid, s.more, ended)
				killed.Store(&at)
				cmd.Process.Kill()
			}
		})
	}
	err := cmd.Wait()
	close(ended)
	timer.Wait()
	code := cmd.ProcessState.ExitCode()
	switch struck = code == -1; {
	case struck:
		tr.kills++
	case code == 0, code == 3:
	case killed.Load() != nil && s.fault.ends(code, complaints.String()):
		struck = true
	default:
		tr.Fatalf("%v: %v\n%s%s", args, err, printed.String(), complaints.String())
	}
	if tr.faulty {
		tr.faulty = false
		printed.WriteString(s.fault.remains(tr, printed.String()))
	}
	if strings.Contains(printed.String()+complaints.String(), "database is locked") {
		tr.Fatalf("%v: %s", args, complaints.String())
	}
	if struck {
		tr.inspect(printed.String(), killed.Load())
	}
	return printed.String(), struck
}

// output runs the program, which must end well.
func (tr *trial) output(args ...string) string {
	tr.Helper()
	out, struck := tr.command(strike{}, args...)
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
	if err := json.Unmarshal([]byte(tr.output("sessions", "--json")), &all); err != nil {
		tr.Fatal(err)
	}
	if len(all) == 0 {
		return ""
	}
	tr.session = all[0].ID
	return tr.session
}

// play takes the debate to its end and returns how long each command took. Each
// strike hits the first command that comes to its point, or the one it names;
// after it the same command is given again, as a user would.
func (tr *trial) play(strikes ...strike) (took []time.Duration) {
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
	for n, args := range commands {
		struck := true
		for struck {
			var next strike
			if len(strikes) > 0 && (strikes[0].point != "" || strikes[0].command == n) {
				next = strikes[0]
			}
			begun := time.Now()
			_, struck = tr.command(next, args(tr.id())...)
			if took = append(took, time.Since(begun)); struck {
				strikes = strikes[1:]
			}
		}
	}
	return took
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

// check holds a debate that may have been struck against one that was not.
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
	if most := tr.wrecks * 3 * 3; again > most {
		tr.Errorf("%d requests were sent again, %d at most belong to interrupted turns", again, most)
	}
	for _, r := range tr.server.Requests("")[tr.before:] {
		if tr.wrecks > 0 && tr.finished[saidBy(r)] {
			tr.Errorf("%+v had finished and was asked again", saidBy(r))
		}
	}
	w := tr.open()
	if asked := w.column("SELECT request || ' ' || count(DISTINCT type) FROM context_events WHERE type IN ('ask', 'cap') GROUP BY request ORDER BY request"); !slices.Equal(asked, []string{"C1 1", "C2 1"}) {
		tr.Errorf("asked at the end: %q", asked)
	}
	if answers := w.column("SELECT request || ' ' || (payload ->> 'content') FROM context_events WHERE type = 'answer'"); !slices.Equal(answers, []string{"C1 ten thousand"}) {
		tr.Errorf("answers at the end: %q", answers)
	}
	if all := tr.output("sessions", "--json"); !strings.Contains(all, `"status": "complete"`) {
		tr.Errorf("at the end: %s", all)
	}
}

// points are the store's crash points that a debate passes, and at which time of
// passing them, counted in each process, it crashes.
var points = map[string][]int{
	"create": {1}, "round": {1, 2}, "turn": {1, 2, 5, 7}, "call": {1, 2, 5, 7}, "call-end": {1, 2}, "call-break": {1},
	"tool-start": {1, 2}, "tool-end": {1, 2}, "ask": {1, 2}, "journal": {1, 3}, "turn-end": {1, 2, 3, 6, 7},
	"round-end": {1, 2}, "answer": {1}, "verdict": {1},
}

// places lists the points to crash at. By default these are both sides of the
// first time that a point is passed and the far side of the last time; in full,
// both sides of every time.
func places(times []int) (out []string) {
	for i, nth := range times {
		if i == 0 || inFull() {
			out = append(out, fmt.Sprintf("before:%d", nth))
		}
		if i == 0 || i == len(times)-1 || inFull() {
			out = append(out, fmt.Sprintf("after:%d", nth))
		}
	}
	return out
}

func TestCrash_atEveryPointADebateGoesOnAsIfNothingHadHappened(t *testing.T) {
	skipShort(t)
	whole := newTrial(t, 10, time.Millisecond)
	whole.play()
	want := whole.sent()
	whole.check(want)
	try := func(name string, pace time.Duration, strikes ...strike) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, 10, pace)
			tr.play(strikes...)
			if tr.wrecks != len(strikes) {
				t.Fatalf("the debate came to %d of its crash points", tr.wrecks)
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
			try(place, pace, strike{point: place})
		}
	}
	for _, repair := range []string{"repair:before", "repair:after"} {
		try("then "+repair, drawn, strike{point: "journal:after:1"}, strike{point: repair}, strike{point: "turn-end:before:2"}, strike{point: repair})
	}
}

func TestCrash_atMostAQuarterOfASecondOfStreamedTextIsLost(t *testing.T) {
	skipShort(t)
	for i := range count(5, 60) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, 300, 10*time.Millisecond)
			after := time.Second + time.Duration(rand.Int64N(int64(2*time.Second)))
			if _, struck := tr.command(strike{after: after, due: 3}, "run", "Is it so?", "--rounds", "3", "--json"); !struck {
				t.Fatalf("it ended within %s", after)
			}
			if tr.due == 0 {
				t.Errorf("nothing was due after %s; the server's words were late by up to %s", after, tr.spoken.lateness())
			}
			if n := strings.Count(tr.output("show", tr.id(), "--json"), `"state": "interrupted"`); n != 3 {
				t.Errorf("%d answers are shown as interrupted, want all 3", n)
			}
		})
	}
}
