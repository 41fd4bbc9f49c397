//go:build cgo && linux

package world_test

import (
	"cmp"
	"database/sql"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/debate/report"
	"roundtable/store"
)

// check holds what was promised against what is stored.
func (w *world) check() {
	if len(w.procs) == 0 || w.failed() != nil {
		return
	}
	st := w.procs[0].store
	w.checkList(st)
	for _, id := range slices.Clone(w.sessions) {
		s, err := st.Session(background(), id)
		if err != nil {
			if !w.disk.Dead() {
				w.violate("read", "%s cannot be read: %v", id, err)
			}
			return
		}
		w.checkFacts(st, s)
		w.checkSession(s)
		if w.locks[id] == nil {
			w.checkGoesOn(w.procs[0], s)
		}
	}
}

// checkList holds that the list says of each session what the session says itself.
func (w *world) checkList(st *store.Store) {
	all, err := st.Sessions(background(), store.Query{})
	if err != nil {
		return
	}
	for _, listed := range all {
		s, err := st.Session(background(), listed.ID)
		if err != nil || w.locks[s.ID] != nil || w.hasAssistant() {
			continue
		}
		spent := budget.TotalSpending(s)
		if listed.Status != s.Status() || listed.Rounds != s.Rounds || listed.Open != nil != (s.OpenRound() != nil) {
			w.violate("list", "%s is %s in the list, and %s itself", s.ID, listed.Status, s.Status())
		}
		if s.ForkRound > 0 {
			continue
		}
		cost := func(c *float64) string { // all models have a price
			if c == nil {
				return "an unknown price"
			}
			return fmt.Sprintf("$%.7f", *c)
		}
		listedAs := fmt.Sprintf("%d tokens for %s", listed.Tokens, cost(listed.Cost))
		if is := fmt.Sprintf("%d tokens for %s", spent.Usage.Total(), cost(spent.Cost)); listedAs != is {
			w.violate("list", "%s has used %s in the list, and %s itself", s.ID, listedAs, is)
		}
	}
}

func (w *world) checkFacts(st *store.Store, s debate.Session) {
	w.mu.Lock()
	facts := maps.Clone(w.facts[s.ID])
	w.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(facts)) {
		f := facts[key]
		if f.focus != nil {
			if now, err := st.Focus(background(), s.ID); err != nil || now.Text != *f.focus {
				w.violate("lost", "the focus of %s was saved as %q and is %q: %v", s.ID, *f.focus, now.Text, err)
			}
			continue
		}
		if !f.holds(s) {
			w.violate("lost", "%s of %s was acknowledged, and is not stored", key, s.ID)
		}
	}
}

// checkSession holds what is so in every session at every moment.
func (w *world) checkSession(s debate.Session) {
	last := 0
	for i, q := range s.Requests {
		n, err := strconv.Atoi(strings.TrimPrefix(q.ID, "C"))
		lacksSome := s.ForkedFrom != "" && n > last // a fork has no request that was not released
		if err != nil || n != i+1 && !lacksSome {
			w.violate("ids", "request %d of %s has the id %s", i+1, s.ID, q.ID)
		}
		last = n
		for _, d := range q.Delivered {
			if a, ok := q.Revision(d.Revision); !ok || strings.TrimSpace(a.Content) == "" {
				w.violate("gate", "%s of %s was released for round %d without text", q.ID, s.ID, d.Round)
			}
		}
	}
	ids := map[string]bool{}
	for n, r := range s.History {
		if r.Number != n+1 || r.Hash != r.Manifest.Hash() {
			w.violate("manifest", "round %d of %s does not fit its manifest", n+1, s.ID)
		}
		for _, x := range r.Responses {
			if ids[x.ID()] {
				w.violate("ids", "%s has %s twice", s.ID, x.ID())
			}
			ids[x.ID()] = true
		}
	}
}

// checkGoesOn holds that a session that nobody has open can go on, or says why not and how.
func (w *world) checkGoesOn(p *process, s debate.Session) {
	c := control.New(s, control.Options{Player: p.all.Player, Writer: p.all})
	c.Pause()
	if s.Verdict != nil {
		return
	}
	st, word := c.Words().State(time.Now()), s.State(false)
	can := slices.ContainsFunc([]control.ID{control.Continue, control.GoOn, control.EndNow}, func(id control.ID) bool {
		return c.WhyNot(id) == nil
	})
	asks := len(s.Unanswered()) > 0
	if !can && !asks {
		w.violate("goes on", "%s is %s, and nothing can be done: %q", s.ID, word, st.Lines)
	}
	if len(st.Lines) == 0 || word == debate.StateRunning {
		w.violate("goes on", "%s is %s, and nothing says why", s.ID, word)
	}
	if asks && s.Next() > 0 && c.WhyNot(control.Continue) == nil {
		w.violate("gate", "%s can continue although %s has no answer", s.ID, openRequired(s))
	}
}

// isCutOff reports whether a turn of a session was running when its process died. What it took
// is counted once the session is opened.
func (w *world) isCutOff(id string) bool {
	running := 0
	err := w.query("SELECT count(*) FROM turns WHERE session = ? AND state = 'running'", &running, id)
	return err != nil || running > 0
}

// query reads one value from the database, past the store.
func (w *world) query(query string, into any, args ...any) error {
	db, err := sql.Open("sqlite3", "file:"+w.database()+"?mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	return db.QueryRowContext(background(), query, args...).Scan(into)
}

// checkDatabase holds that SQLite finds nothing wrong with the file.
func (w *world) checkDatabase() {
	var found string
	if err := w.query("PRAGMA integrity_check", &found); (err != nil || found != "ok") && !w.disk.Dead() {
		w.violate("damage", "%s %v", found, err)
	}
}

// finish calms the world down and leads all its debates to a verdict.
func (w *world) finish() {
	w.tell("all calms down")
	w.disk.FailWith(0)
	if w.settle(); w.doomed {
		w.die("the power is cut", true)
	}
	for len(w.procs) > 0 && w.failed() == nil {
		w.end(w.procs[0], w.procs[0].quit)
	}
	w.calm = true
	w.moods = nil
	w.start()
	for n := 0; w.failed() == nil; n++ {
		w.settle()
		waiting := w.waiting()
		switch {
		case len(waiting) > 0:
			w.step++
			w.log("%4d  %s goes on", w.step, waiting[0].name)
			waiting[0].p.gate.let(waiting[0].call)
		case w.busy():
			w.sleep(time.Minute)
		case !w.procs[0].front.calm():
			w.settle()
			w.check()
			w.checkMoney()
			w.checkReceipts()
			w.checkExports()
			w.checkDatabase()
			return
		}
		if n > 4000 {
			w.violate("stuck", "the debates do not end: %s", w.procs[0].front.(*controlFront).ctrl.Session().State(true))
		}
	}
}

// checkMoney holds that what was counted is what the provider took.
func (w *world) checkMoney() {
	taken := map[string]*debate.Spending{}
	exact := map[string]bool{}
	for _, one := range w.arrived {
		if !slices.Contains(w.sessions, one.turn.Session) { // its debate was deleted
			continue
		}
		s := taken[one.turn.Session]
		if s == nil {
			s = &debate.Spending{}
			taken[one.turn.Session], exact[one.turn.Session] = s, !w.unsure[one.turn.Session]
		}
		s.Calls += one.tries
		if one.usage == nil || !one.counted {
			exact[one.turn.Session] = false
			continue
		}
		s.Usage = s.Usage.Add(*one.usage)
	}
	for _, id := range slices.Sorted(maps.Keys(taken)) {
		s, err := w.procs[0].store.Session(background(), id)
		if err != nil {
			w.violate("read", "%s cannot be read: %v", id, err)
			return
		}
		got, want := budget.TotalSpending(s), *taken[id]
		if exact[id] && (got.Usage.Total() != want.Usage.Total() || got.Calls != want.Calls) {
			w.violate("money", "%s counts %d tokens in %d calls; the provider took %d in %d", id, got.Usage.Total(), got.Calls,
				want.Usage.Total(), want.Calls)
		}
		if got.Usage.Total() < want.Usage.Total() {
			w.violate("money", "%s counts %d tokens; the provider took at least %d", id, got.Usage.Total(), want.Usage.Total())
		}
		if got.Cost == nil || math.IsNaN(*got.Cost) {
			w.violate("money", "%s has no cost although all models have a price", id)
		}
	}
}

// checkReceipts holds some prompts against what was sent.
func (w *world) checkReceipts() {
	for i := 0; i < len(w.arrived); i += 1 + len(w.arrived)/6 {
		one := w.arrived[i]
		if !slices.Contains(w.sessions, one.turn.Session) {
			continue
		}
		req, receipt, err := w.procs[0].store.Prompt(background(), one.turn.Session, one.turn, one.n)
		if err != nil || !receipt.Intact || hashOf(req) != one.hash {
			w.violate("receipts", "request %d of %s is stored otherwise than it was sent (intact: %t): %v", one.n,
				debate.TurnID(one.turn), receipt.Intact, err)
		}
	}
}

// checkExports holds that one of the debates can be exported in all formats.
func (w *world) checkExports() {
	if len(w.sessions) == 0 {
		return
	}
	id, st := w.sessions[w.seed%uint64(len(w.sessions))], w.procs[0].store
	s, err := st.Session(background(), id)
	if err != nil {
		w.violate("read", "%s cannot be read: %v", id, err)
		return
	}
	for _, f := range []report.Format{report.Markdown, report.HTML, report.JSON} {
		if err := report.Of(s, report.Options{}).Write(io.Discard, f); err != nil {
			w.violate("export", "%s as %s: %v", id, f, err)
		}
	}
}

// checkLeftOver holds that no file is left open and nothing lies around.
func (w *world) checkLeftOver() {
	if open := openFiles(w.dir); len(open) > 0 {
		w.violate("left over", "files are open: %v", open)
	}
	err := filepath.WalkDir(w.data(), func(path string, e os.DirEntry, err error) error {
		name := strings.TrimPrefix(path, w.data())
		switch {
		case err != nil || e.IsDir():
		case strings.HasPrefix(name, "/roundtable.db"), strings.HasPrefix(name, "/locks/"):
		default:
			w.violate("left over", "there is a file %s", name)
		}
		return err
	})
	if err != nil {
		w.violate("left over", "%v", err)
	}
}

// openFiles lists what this process has open below a folder.
func openFiles(dir string) (open []string) {
	links, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil
	}
	for _, l := range links {
		if to, err := os.Readlink("/proc/self/fd/" + l.Name()); err == nil && strings.HasPrefix(to, dir+"/") {
			open = append(open, strings.TrimPrefix(to, dir))
		}
	}
	slices.SortFunc(open, cmp.Compare)
	return open
}
