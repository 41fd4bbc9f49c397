package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/config"
	"roundtable/internal/text"
	"roundtable/store"
	"roundtable/tui/home"
)

// Sessions gives a front end the sessions of a store and what plays them. Those that are open
// are locked.
type Sessions struct {
	*store.Store
	Player  Player // not embedded: the store asks too
	app     *App
	builder Builder
}

// Sessions returns the sessions of a store, with an engine that asks the clients.
func (a *App) Sessions(st *store.Store, b Builder, c *config.Clients) *Sessions {
	return &Sessions{Store: st, Player: a.player(st, b, c), app: a, builder: b}
}

// Sessions returns all sessions, the last changed first.
func (l *Sessions) Sessions(ctx context.Context) ([]debate.SessionSummary, error) {
	return l.Store.Sessions(ctx, store.Query{})
}

// CheckLocal refuses a session of which something would leave this machine, if the
// configuration or the command line allows nothing to.
func (a *App) CheckLocal(cfg config.Config, s debate.Session) error {
	if err := cfg.CheckLocal(s, a.Env); err != nil {
		return Usagef("%v", err)
	}
	return nil
}

const maxHits = 50

// Search finds text in sessions. The filters match prefixes of modes, names and statuses,
// which the store cannot.
func (l *Sessions) Search(ctx context.Context, q home.Query) ([]home.Hit, error) {
	now := l.app.Now()
	query := store.Query{Text: q.Text}
	if q.Since > 0 {
		query.Since = now.Add(-q.Since)
	}
	if q.Mode == "" && q.Agent == "" && q.Status == "" {
		query.Limit = maxHits
	}
	found, err := l.Matches(ctx, query)
	if err != nil {
		return nil, err
	}
	var hits []home.Hit
	for _, f := range found {
		if !q.Matches(f.SessionSummary, now) || len(hits) == maxHits {
			continue
		}
		hit := home.Hit{Session: f.ID}
		for _, m := range f.Matches {
			hit.Matches = append(hit.Matches, home.Match{
				Where: MatchPlace(f.SessionSummary, m), Before: m.Before,
				Text: m.Hit, After: m.After,
				Place: m.Place, Agent: m.Agent, Round: m.Round, ID: m.Request,
			})
		}
		hits = append(hits, hit)
	}
	return hits, nil
}

// Open locks a session and closes turns that a crash has left running. In a read-only
// database it only reads.
func (l *Sessions) Open(ctx context.Context, id string) (debate.Session, error) {
	if l.ReadOnly() != "" {
		return l.Session(ctx, id)
	}
	if err := l.lock(ctx, id); err != nil {
		return debate.Session{}, err
	}
	s, err := l.Repair(ctx, id)
	if err != nil {
		return s, errors.Join(err, l.Close(id))
	}
	if _, err := RecordDrift(ctx, l.Store, l.builder.cfg, &s); err != nil {
		return s, errors.Join(err, l.Close(id))
	}
	return s, nil
}

// Read returns a session that another process has open, and its holder, which is nil once the
// session is closed there. Without a change since the given time the session is empty.
func (l *Sessions) Read(ctx context.Context, id string, since time.Time) (s debate.Session, by *debate.Holder, err error) {
	holder, held := l.Held(id)
	if !held {
		return s, nil, nil
	}
	found, err := l.Store.Sessions(ctx, store.Query{ID: id})
	switch {
	case err != nil:
	case len(found) == 0:
		err = debate.ErrNoSession
	case found[0].Updated.After(since):
		s, err = l.Session(ctx, id)
	}
	return s, &holder, err
}

// Create stores a new session and locks it. A review by the demo that has nothing to look at
// gets its sample.
func (l *Sessions) Create(ctx context.Context, s debate.Session) (debate.Session, error) {
	s, err := l.builder.complete(s)
	if err != nil {
		return s, err
	}
	if err := cmp.Or(l.app.CheckLocal(l.builder.cfg, s), l.app.Workspaces(l.builder.cfg).Check(ctx, s)); err != nil {
		return s, err
	}
	if err := s.CheckDraft(); err != nil {
		return s, Usagef("%v", err)
	}
	if len(s.Evidence) == 0 && s.Mode.Reviews() && s.Demo() {
		s.Evidence = []debate.Evidence{debate.NewEvidence(demo.SampleName, debate.EvidenceDiff, demo.Sample(), "")}
	}
	for i, e := range s.Evidence { // it is new: nobody else has it
		s.Evidence[i].Author = cmp.Or(e.Author, s.Author)
	}
	s, err = l.Store.Create(ctx, s)
	if err == nil {
		err = l.app.Named().Name(s)
	}
	if err != nil {
		return s, err
	}
	return s, l.lock(ctx, s.ID)
}

// Fork makes a fork of a session and locks it.
func (l *Sessions) Fork(ctx context.Context, id string, plan debate.ForkPlan) (debate.Session, error) {
	parent, err := l.Session(ctx, id)
	if err != nil {
		return parent, err
	}
	s, err := l.app.Named().Fork(ctx, l.Store, parent, plan)
	if err != nil {
		return s, err
	}
	return s, l.lock(ctx, s.ID)
}

// lock locks a session unless it is locked by this process.
func (l *Sessions) lock(ctx context.Context, id string) error {
	if l.HeldHere(id) {
		return nil
	}
	return l.Lock(ctx, id)
}

// Rename sets the title of a session that nobody else has open.
func (l *Sessions) Rename(ctx context.Context, id, title string) error {
	return l.whileOurs(ctx, id, func() error { return l.Store.Rename(ctx, id, title) })
}

// SaveOutcome stores how the verdict of a session turned out that nobody else has open, and
// returns what is stored.
func (l *Sessions) SaveOutcome(ctx context.Context, id, typed string) (settled debate.Settlement, err error) {
	err = l.whileOurs(ctx, id, func() error { // else a verdict of another process could come between
		s, err := l.Session(ctx, id)
		if err == nil {
			settled, err = verdict.ReadOutcome(s, typed, ledger.ByPerson("interface"), l.app.Now())
		}
		if err == nil {
			err = l.Store.Settle(ctx, id, settled)
		}
		return err
	})
	return settled, err
}

// whileOurs calls do while this process has a session locked.
func (l *Sessions) whileOurs(ctx context.Context, id string, do func() error) error {
	if l.HeldHere(id) {
		return do()
	}
	return l.withLock(ctx, id, do)
}

// Delete deletes a session that nobody has open.
func (l *Sessions) Delete(ctx context.Context, id string) error {
	return l.withLock(ctx, id, func() error { return l.Store.Delete(ctx, id) })
}

// withLock locks a session while do changes it. It fails too if the session is open here.
func (l *Sessions) withLock(ctx context.Context, id string, do func() error) error {
	if err := l.Lock(ctx, id); err != nil {
		return err
	}
	return errors.Join(do(), l.Unlock(id))
}

// Close removes what tools made for a session, and unlocks it.
func (l *Sessions) Close(id string) error {
	var err error
	if l.Player.Engine != nil {
		err = l.Player.Engine.CloseSession(id)
	}
	return errors.Join(err, l.Unlock(id))
}

// MatchPlace names the place of a match, briefly enough for a column.
func MatchPlace(s debate.SessionSummary, m store.Match) string {
	if m.Place != debate.InStatement {
		return strings.TrimSpace(m.Request + " " + string(m.Place))
	}
	name := string(m.Agent)
	for _, p := range s.Seats {
		if p.ID == m.Agent {
			name = p.Name
		}
	}
	return fmt.Sprintf("R%d %s", m.Round, name)
}

// RecordDrift stores a notice with a session for each of its agents that the configuration no
// longer has, and returns the new ones.
func RecordDrift(ctx context.Context, st *store.Store, cfg config.Config, s *debate.Session) ([]debate.Notice, error) {
	fresh := cfg.Drift(*s)
	if len(fresh) == 0 || s.Verdict != nil {
		return nil, nil
	}
	if err := st.Note(ctx, s.ID, fresh...); err != nil {
		return nil, err
	}
	s.Notices = slices.Concat(s.Notices, fresh)
	return fresh, nil
}

// Filter selects sessions; an empty field selects all.
type Filter struct {
	Search, Mode, Status, Since, Eval string
	Limit                             int
}

// Query returns the filter as the store's query.
func (l Filter) Query(now time.Time) (store.Query, error) {
	q := store.Query{Text: l.Search, Mode: l.Mode, State: l.Status, Limit: l.Limit, Eval: l.Eval}
	shown := func(name string) bool { return name == l.Status || debate.State(name).Word() == l.Status } // in lists
	if l.Status != "" && !slices.ContainsFunc(debate.StateNames(), shown) {
		return q, Usagef("there is no status %q%s", text.Label(l.Status), text.DidYouMean(l.Status, debate.StateNames()))
	}
	if l.Limit < 0 {
		return q, Usagef("the limit must be 0 or more, not %d", l.Limit)
	}
	if l.Since == "" {
		return q, nil
	}
	var err error
	q.Since, err = parseSince(l.Since, now)
	return q, err
}

// maxDays is the longest time before now that parseSince takes in days or weeks.
const maxDays = 36500

func parseSince(raw string, now time.Time) (time.Time, error) {
	if day, err := time.ParseInLocation(time.DateOnly, raw, now.Location()); err == nil {
		return day, nil
	}
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		number, ok := strings.CutSuffix(raw, unit)
		if n, err := strconv.Atoi(number); ok && err == nil && n > 0 && n <= maxDays/days {
			return now.AddDate(0, 0, -n*days), nil
		}
	}
	if span, err := time.ParseDuration(raw); err == nil && span >= 0 {
		return now.Add(-span), nil
	}
	return time.Time{}, Usagef("--since %q is neither a duration such as 12h, 7d or 2w nor a date such as 2026-01-31", text.Label(raw))
}
