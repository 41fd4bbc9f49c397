//go:build cgo && linux

package world_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// fact is something that was acknowledged and has to last.
type fact struct {
	session string
	key     string                    // a fact with the same key takes its place; "": there is nothing to hold
	voids   []string                  // keys of facts that end with it
	holds   func(debate.Session) bool // reports whether a session as it is stored has it
	focus   *string                   // the focus that is stored, instead
}

// broken is an invariant that does not hold.
type broken struct {
	rule string
	text string
}

func (b *broken) Error() string { return b.rule + ": " + b.text }

// world is one machine with its folder, the processes on it, and all that was promised there.
// The driver alone makes choices; what the processes do waits at their gates.
type world struct {
	*choices
	seed uint64
	dir  string
	disk *machine
	long int // steps before the world calms down

	mu        sync.Mutex
	broken    *broken
	events    []string // all that happened, for the comparison of two plays
	script    []string // what came from outside, for the report
	facts     map[string]map[string]fact
	sessions  []string
	locks     map[string]*process
	unsure    map[string]bool      // sessions in which a request may be counted that was not sent
	unseen    map[string]int       // calls of clients under way that may change a session, whose writes are not seen
	sent      map[[32]byte][]*sent // requests that were recorded and have not arrived yet
	arrived   []*sent
	done      map[string]bool // turns that have an answer
	again     map[string]bool // turns that the user asked for again
	counters  map[string]int
	calm      bool // no more faults
	fullUntil int  // writes fail until this step
	hadFaults bool // writes have failed, so that errors may be told
	doomed    bool // the power will be cut at a write to come
	moods     []string

	procs []*process
	step  int
	boots int
}

// newWorld returns a world in an empty folder.
func newWorld(seed uint64, c *choices, dir string) *world {
	return &world{
		choices: c, seed: seed, dir: dir, facts: map[string]map[string]fact{}, locks: map[string]*process{},
		sent: map[[32]byte][]*sent{}, done: map[string]bool{}, again: map[string]bool{}, counters: map[string]int{},
		unsure: map[string]bool{}, unseen: map[string]int{},
	}
}

// log adds a line to the events of the world.
func (w *world) log(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, w.plain(format, args...))
}

// plain words a line without the folder of this play.
func (w *world) plain(format string, args ...any) string {
	return strings.ReplaceAll(fmt.Sprintf(format, args...), w.dir, "")
}

// sorted returns what happened with what followed one event from outside in the order of its
// words: of what goes on at the same time nobody knows the order.
func (w *world) sorted() []string {
	events := slices.DeleteFunc(slices.Clone(w.events), func(e string) bool {
		// One turn may write the text of another that is about to end, or say first what is so for both.
		return strings.Contains(e, ": journal ") || strings.Contains(e, ": note ") || strings.Contains(e, ": notice: ")
	})
	from := 0
	for i := range len(events) + 1 {
		if i == len(events) || !strings.HasPrefix(events[i], "  p") {
			slices.Sort(events[from:i])
			from = i + 1
		}
	}
	return events
}

// tell adds something from outside to the script and the events.
func (w *world) tell(format string, args ...any) {
	line := fmt.Sprintf("%4d  %s", w.step, w.plain(format, args...))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events, w.script = append(w.events, line), append(w.script, line)
}

// violate records that an invariant does not hold; the first one counts.
func (w *world) violate(rule, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken == nil {
		w.broken = &broken{rule, w.plain(format, args...)}
	}
}

func (w *world) failed() *broken {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.broken
}

// next counts things of a kind.
func (w *world) next(kind string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counters[kind]++
	return w.counters[kind]
}

// record carries out a write. While it is under way nobody knows whether what it replaces is
// there; if it was acknowledged, its fact is.
func (w *world) record(p *process, name string, f fact, write func() error) error {
	w.mu.Lock()
	before := map[string]fact{}
	for _, key := range append(f.voids, f.key) {
		if old, ok := w.facts[f.session][key]; ok {
			before[key] = old
			delete(w.facts[f.session], key)
		}
	}
	w.mu.Unlock()
	err := write()
	dead := w.disk.Dead() || p.gate.dead()
	w.log("  %s: %s %s", p.name, name, outcome(err, dead))
	if dead {
		return errors.Join(err, errKilled)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	facts := w.facts[f.session]
	if facts == nil {
		facts = map[string]fact{}
		w.facts[f.session] = facts
	}
	if err != nil {
		for key, old := range before {
			facts[key] = old
		}
		return err
	}
	if f.key != "" && (w.unseen[f.session] == 0 || !endsUnseen(f.key)) {
		facts[f.key] = f
	}
	return nil
}

// endsUnseen reports whether a client may end a fact by a write that is not seen.
func endsUnseen(key string) bool {
	kind, _, _ := strings.Cut(key, " ")
	return slices.Contains([]string{"verdict", "ended", "rounds", "stopped", "budget", "focus", "draft"}, kind)
}

// void ends the facts that a client may end, until it has its answer.
func (w *world) void(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unseen[id]++
	for key := range w.facts[id] {
		if endsUnseen(key) {
			delete(w.facts[id], key)
		}
	}
}

// clientDone notes that a client has its answer, or gets none any more.
func (w *world) clientDone(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unseen[id]--
}

func outcome(err error, dead bool) string {
	switch {
	case dead:
		return "…"
	case err != nil:
		return "failed"
	}
	return "ok"
}

// created notes a session that was acknowledged.
func (w *world) created(s debate.Session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.disk.Dead() {
		return
	}
	if slices.Contains(w.sessions, s.ID) {
		w.broken = &broken{"ids", "two debates have the id " + s.ID}
	}
	w.sessions = append(w.sessions, s.ID)
	slices.Sort(w.sessions)
}

// remember takes a session back that was deleted.
func (w *world) remember(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.sessions, id) {
		w.sessions = append(w.sessions, id)
		slices.Sort(w.sessions)
	}
}

// forget drops a session that is being deleted, and returns what takes it back.
func (w *world) forget(id string) (back func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	had := slices.Contains(w.sessions, id)
	w.sessions = slices.DeleteFunc(slices.Clone(w.sessions), func(x string) bool { return x == id })
	return func() {
		if had {
			w.remember(id)
		}
	}
}

// locked notes who has a session open. Only one process may.
func (w *world) locked(p *process, id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if other := w.locks[id]; other != nil && other != p && w.broken == nil {
		w.broken = &broken{"lock", fmt.Sprintf("%s opened %s while %s had it open", p.name, id, other.name)}
	}
	w.locks[id] = p
}

// holder returns the process that has a session open, or nil.
func (w *world) holder(id string) *process {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.locks[id]
}

func (w *world) unlocked(p *process, id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.locks[id] == p {
		delete(w.locks, id)
	}
}

// prepared notes a request that was recorded, so that it may be sent.
func (w *world) prepared(t agents.Turn, n int, req agents.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.disk.Dead() { // it is never sent, and it may be stored or not
		w.unsure[t.Session] = true
		return
	}
	h := hashOf(req)
	w.sent[h] = append(w.sent[h], &sent{turn: t, n: n, hash: h, tries: 1})
}

// arrives returns what was recorded of a request that is being sent. One that was not
// recorded first breaks the order of record and effect.
func (w *world) arrives(p *process, req agents.Request) (*sent, error) {
	if p.gate.dead() {
		return nil, errKilled
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	h := hashOf(req)
	if w.disk.Dead() {
		return nil, errKilled
	}
	waiting := w.sent[h]
	if len(waiting) == 0 {
		if w.broken == nil {
			w.broken = &broken{"receipts", "a request to " + req.Model + " was sent that is not recorded"}
		}
		return &sent{hash: h}, nil
	}
	w.sent[h], w.arrived = waiting[1:], append(w.arrived, waiting[0])
	return waiting[0], nil
}

// announced holds that what an event of a process says was recorded before.
func (w *world) announced(p *process, session string, ev debate.Event) {
	s, err := p.store.Session(background(), session)
	if err != nil || w.disk.Dead() {
		return
	}
	recorded := true
	switch ev := ev.(type) {
	case debate.TurnEnded:
		x, _ := responseOf(s, ev.Response.Turn)
		recorded = ev.Response.Turn.Step < 0 || x.State == ev.Response.State || ev.Response.State == debate.TurnInterrupted
	case debate.TurnStarted:
		_, recorded = responseOf(s, ev.Turn)
	case debate.RoundStarted:
		recorded = len(s.History) >= ev.Round
	case debate.RoundCounted:
		recorded = len(s.History) >= ev.Round && !s.History[ev.Round-1].Ended.IsZero()
	case debate.Concluded:
		recorded = s.Verdict != nil
	case debate.ContextRequested:
		_, recorded = s.Request(ev.Request.ID)
	}
	if !recorded {
		w.violate("announced", "%s was announced before it was recorded", describe(ev))
	}
}

// hasAssistant reports whether an assistant is there, of which it is not known what it has open.
func (w *world) hasAssistant() bool {
	return slices.ContainsFunc(w.procs, func(p *process) bool { _, is := p.front.(*assistant); return is })
}

// counts notes that what the requests of a turn used is stored.
func (w *world) counts(t agents.Turn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.disk.Dead() {
		return
	}
	for _, one := range w.arrived {
		one.counted = one.counted || one.turn == t
	}
}

// resent notes that a request whose failed try is stored is sent again.
func (w *world) resent(one *sent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one.usage, one.counted = nil, false
}

// begins notes that a turn begins. One that has an answer is not asked again unless the user
// wanted that.
func (w *world) begins(t agents.Turn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if part := partOf(t); w.done[part] && !w.again[part] && t.Step >= 0 && w.broken == nil && !w.disk.Dead() {
		w.broken = &broken{"asked twice", debate.TurnID(t) + " begins, and that part has an answer"}
	}
}

// partOf names a seat's part in a step, whichever attempt.
func partOf(t agents.Turn) string {
	return fmt.Sprintf("%s r%d.s%d.%s", t.Session, t.Round, t.Step, t.Agent)
}

func (w *world) asksAgain(turns ...debate.DueTurn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range turns {
		w.again[partOf(d.Turn)] = true
	}
}

func (w *world) answered(e debate.TurnEnd) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.Response.HasStatement() && !w.disk.Dead() {
		w.done[partOf(e.Response.Turn)] = true
		delete(w.again, partOf(e.Response.Turn))
	}
}

// mood chooses how a request is answered.
func (w *world) mood(call *sent, req agents.Request) string {
	if w.calm || w.percent(45) == false && len(w.moods) == 0 {
		return "answers"
	}
	moods := append([]string{"answers", "answers", "answers", "other side"}, w.moods...)
	if call.turn.Step >= 0 && len(req.Tools) > 0 && req.ToolChoice != agents.ToolChoiceNone {
		moods = append(moods, "asks", "asks", "asks twice", "junk call", "looks up")
	}
	return moods[w.pick(len(moods))]
}

// faults are the moods of a provider in which something goes wrong.
var faults = []string{
	"key refused", "busy", "cut", "cut uncounted", "too long", "retries", "slow", "filtered", "at length", "empty",
	"broken block", "uncounted", "panics",
}

// play lets the world go its way and returns the invariant that does not hold; nil if all do.
func (w *world) play() (b *broken) {
	if err := os.MkdirAll(w.data(), 0o700); err != nil {
		return &broken{"set-up", err.Error()}
	}
	if w.pick(4) < 3 { // else the first process makes it
		empty, err := emptyDatabase()
		if err == nil {
			err = os.WriteFile(w.database(), empty, 0o600)
		}
		if err != nil {
			return &broken{"set-up", err.Error()}
		}
	}
	w.disk = watch(w.dir)
	defer func() { w.disk.Close() }()
	if err := w.plan(); err != nil {
		return &broken{"set-up", err.Error()}
	}
	w.start()
	for w.step = 0; w.step < w.long && w.failed() == nil; w.step++ {
		w.once()
	}
	if w.failed() == nil {
		w.finish()
	}
	w.shutDown()
	if w.failed() == nil {
		w.checkLeftOver()
	}
	return w.failed()
}

func (w *world) data() string { return filepath.Join(w.dir, "data") }

// plan chooses what kind of world it is.
func (w *world) plan() error {
	w.long = 30 + 20*w.few(12)
	for _, f := range faults {
		if w.percent(25) {
			w.moods = append(w.moods, f)
		}
	}
	window := oneOf(w.choices, 64_000, 64_000, 5_000) // in a small one prompts are shortened
	return os.WriteFile(filepath.Join(w.dir, "config.toml"), []byte(configuration(window)), 0o600)
}

// once lets one thing happen: something that waits goes on, somebody does something, or time
// passes, and sometimes the machine dies.
func (w *world) once() {
	w.settle()
	if w.step >= w.fullUntil {
		w.disk.FailWith(0)
	}
	waiting := w.waiting()
	switch {
	case w.disk.Dead():
		w.die("the power is cut in the middle of a write", true)
	case len(waiting) > 0 && !w.percent(12):
		w.let(waiting)
	case w.percent(5):
		w.disaster()
	case len(waiting) == 0 && w.busy() || w.percent(15):
		w.pass()
	default:
		w.procs[w.pick(len(w.procs))].front.act() // somebody does something
	}
	w.settle()
	if !w.disk.Dead() && w.step%16 == 0 {
		w.check()
	}
}

// settle waits until all that could happen by itself has happened, and has the front ends
// read it.
func (w *world) settle() {
	for again := true; again; {
		synctest.Wait()
		again = false
		for _, p := range w.procs {
			again = p.front.read() || again
		}
	}
}

// waiting lists what waits in all processes.
func (w *world) waiting() (all []waitingCall) {
	for _, p := range w.procs {
		for _, c := range p.gate.calls() {
			all = append(all, waitingCall{p, c})
		}
	}
	return all
}

type waitingCall struct {
	p *process
	*call
}

// busy reports whether something goes on in a process that nobody has to do anything for.
func (w *world) busy() bool {
	return slices.ContainsFunc(w.procs, func(p *process) bool { return p.front.busy() })
}

// let lets one of those that wait go on.
func (w *world) let(waiting []waitingCall) {
	c := waiting[w.pick(len(waiting))]
	w.log("%4d  %s: %s goes on", w.step, c.p.name, c.name)
	c.p.gate.let(c.call)
}

// pass lets time pass.
func (w *world) pass() {
	d := oneOf(w.choices, time.Second, 200*time.Millisecond, 10*time.Second, 70*time.Second, 5*time.Minute, 26*time.Hour)
	if slices.ContainsFunc(w.procs, func(p *process) bool { _, draws := p.front.(*screenFront); return draws }) {
		d = min(d, 10*time.Second) // it draws again and again meanwhile
	}
	w.log("%4d  %s pass", w.step, d)
	w.sleep(d)
}

// sleep lets time pass, and what happens at the end of it.
func (w *world) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// disaster is what befalls a machine or a process.
func (w *world) disaster() {
	switch w.pick(7) {
	case 0:
		w.fullDisk()
	case 1:
		w.die("the machine loses power", true)
	case 2:
		w.die("all processes are killed", false)
	case 3:
		w.doomed = true
		w.disk.DieAfter(1 + w.pick(12)) // see once
		w.tell("the power will be cut at a write to come")
	case 4:
		w.kill(w.procs[w.pick(len(w.procs))])
	case 5:
		if len(w.procs) <= 2 && !w.disk.Dead() {
			w.start()
		}
	case 6:
		w.leave(w.procs[w.pick(len(w.procs))])
	}
}

// fullDisk lets all writes of a while fail.
func (w *world) fullDisk() {
	w.hadFaults, w.fullUntil = true, w.step+1+w.pick(6)
	why := oneOf(w.choices, errFull, errBroken)
	w.tell("all writes fail until step %d: %v", w.fullUntil, why)
	w.disk.FailWith(why)
}

// die ends all processes. With a loss of power, what was not synced may be lost.
func (w *world) die(how string, power bool) {
	w.tell("%s", how)
	w.doomed = false
	w.disk.DieAfter(0)
	for _, p := range w.procs {
		p.kill()
	}
	w.buried()
	left, err := w.disk.Restart(rand.New(rand.NewPCG(uint64(w.pick(1<<16)), 1)), power)
	if err != nil {
		w.violate("restart", "%v", err)
		return
	}
	w.log("      %s", left)
	w.start()
	w.check()
	w.checkDatabase()
}

// buried forgets all processes, whose sessions are free now.
func (w *world) buried() {
	w.procs = nil
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.locks)
	clear(w.sent)
}

// kill ends one process while others live.
func (w *world) kill(p *process) {
	if len(w.procs) == 1 {
		w.die("the only process is killed", false)
		return
	}
	w.tell("%s is killed", p.name)
	w.end(p, p.kill)
}

// leave ends one process as its user does.
func (w *world) leave(p *process) {
	w.tell("%s is left", p.name)
	w.end(p, p.quit)
	if len(w.procs) == 0 && !w.disk.Dead() { // else see once
		w.start()
	}
}

func (w *world) end(p *process, how func()) {
	how()
	w.procs = slices.DeleteFunc(w.procs, func(q *process) bool { return q == p })
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, by := range w.locks {
		if by == p {
			delete(w.locks, id)
		}
	}
}

// shutDown ends all processes as their users do.
func (w *world) shutDown() {
	for _, p := range w.procs {
		p.quit()
	}
	w.buried()
	w.sleep(2 * time.Second) // a screen that read on in a session waits a second for its next turn
}

// report describes what led a world to its failure.
func (w *world) report() string {
	before := max(len(w.script)-36, 0)
	return fmt.Sprintf("      … %d lines before\n%s", before, strings.Join(w.script[before:], "\n"))
}

// background is the context of a write of the driver's own.
func background() context.Context { return context.Background() }
