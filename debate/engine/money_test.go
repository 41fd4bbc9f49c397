package engine_test

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/internal/crash"
	"roundtable/internal/testing/debatetest"
)

// moneyRun is one random debate, whose process is killed now and then.
type moneyRun struct {
	*harness
	seed      int
	rng       *rand.Rand
	meter     *meter
	mu        sync.Mutex
	left      int // records until the process is killed; negative: it is not
	least     int // tokens that the session has to have counted
	most      int
	excess    int  // tokens counted above what was reserved
	uncertain bool // what was killed may have been counted more or less
}

// newMoneyRun returns a random debate that has not begun.
func newMoneyRun(h *harness, seed int) (*moneyRun, debate.Session) {
	rng := rand.New(rand.NewPCG(uint64(seed), 13))
	m := &moneyRun{harness: h, seed: seed, rng: rng}
	m.meter = &meter{rng: rand.New(rand.NewPCG(uint64(seed), 14)), excess: rng.IntN(4) == 0}
	m.use(engine.Options{
		AskForBlock: rng.IntN(2) == 0,
		Provider:    func(agents.Profile) (agents.Provider, error) { return m.meter, nil },
		Recorder: hooked{h.store, func(write string) error {
			if n, err := strconv.ParseInt(write[len(write)-1:], 10, 64); err == nil && strings.HasPrefix(write, "turn-begin ") {
				m.meter.round.Store(n)
			}
			m.mu.Lock()
			defer m.mu.Unlock()
			if m.left == 0 {
				return errFull
			}
			m.left--
			return nil
		}},
	})
	price := 1.0
	speaker := func(id string) agents.Profile {
		return agents.Profile{
			ID: agents.ID(id), Name: strings.ToUpper(id), Provider: "test", Model: id, MaxTokens: meteredOutput,
			PriceIn: &price, PriceOut: &price, // so that a dollar is a million tokens
		}
	}
	s := debate.Session{
		Topic: "Is it so?", Question: debate.QuestionYesNo, Mode: debatetest.Mode(h.T, "collaborative"), Rounds: 1 + rng.IntN(2),
		Caps:  ledger.DefaultCaps,
		Seats: []agents.Profile{speaker("ann"), speaker("ben")},
	}
	if n := 1 + rng.IntN(12_000); rng.IntN(2) == 0 {
		s.Budget = debate.Budget{Tokens: n, WarnAt: 0.8}
	} else {
		s.Budget = debate.Budget{USD: float64(n) / 1e6}
	}
	if rng.IntN(8) == 0 {
		light := speaker("light")
		s.Light, s.Mode, s.Question = &light, debatetest.Mode(h.T, "review"), debate.QuestionOpen
		s.Evidence = []debate.Evidence{debate.NewEvidence("a.go", debate.EvidenceFile, "package a", "")}
		s.Evidence[0].ID = "F1"
	}
	if rng.IntN(3) == 0 {
		chair := speaker("chair")
		s.Chair = &chair
	}
	return m, h.create(s)
}

// cap returns the budget in tokens.
func capOf(b debate.Budget) int {
	if b.Tokens > 0 {
		return b.Tokens
	}
	return int(b.USD*1e6 + 0.5)
}

// play plays a debate to its end, through pauses, kills and a fork.
func (m *moneyRun) play(s debate.Session) {
	m.Helper()
	for range 8 {
		if s.Verdict != nil {
			return
		}
		m.left = -1
		if m.rng.IntN(5) == 0 {
			m.left = m.rng.IntN(12) + 1
		}
		m.meter.sent = nil
		_, _, err := drain(m.start(s))
		m.count(m.left == 0)
		next, repairErr := m.store.Repair(m.Context(), s.ID)
		if repairErr != nil {
			m.Fatalf("run %d: %v", m.seed, repairErr)
		}
		s = next
		var broken *crash.Panic
		if errors.As(err, &broken) {
			m.Fatalf("run %d: %v\n%s", m.seed, err, broken.Stack)
		}
		m.check(s, err)
		var poor *debate.BudgetError
		if errors.As(err, &poor) {
			return
		}
		if n := len(s.History); n > 0 && !s.History[n-1].Ended.IsZero() && m.rng.IntN(6) == 0 {
			s = m.fork(s, n)
		}
	}
}

// start starts a run whose server can end it.
func (m *moneyRun) start(s debate.Session) *engine.Run {
	m.meter.mu.Lock()
	defer m.meter.mu.Unlock()
	m.meter.run = m.engine.Start(m.Context(), s)
	return m.meter.run
}

// count adds what the requests of a run took.
func (m *moneyRun) count(killed bool) {
	for _, r := range m.meter.sent {
		m.excess += max(0, r.counted-r.reserved)
		if killed {
			m.least, m.most, m.uncertain = m.least+r.least, m.most+r.most, true
		} else {
			m.least, m.most = m.least+r.counted, m.most+r.counted
		}
	}
}

// fork continues in a fork, which has a budget of its own.
func (m *moneyRun) fork(s debate.Session, round int) debate.Session {
	m.Helper()
	took := budget.MemberSpending(s).Usage.Total() + budget.InheritedSpending(s).Usage.Total()
	f, err := m.store.Fork(m.Context(), s.ID, debate.ForkPlan{Round: round})
	if err != nil {
		m.Fatalf("run %d: %v", m.seed, err)
	}
	if got := budget.InheritedSpending(f).Usage.Total(); got != took {
		m.Errorf("run %d: the fork inherited %d tokens, its rounds took %d", m.seed, got, took)
	}
	m.least, m.most, m.excess, m.uncertain = 0, 0, 0, false
	m.check(f, nil)
	return f
}

var refusalPattern = regexp.MustCompile(`: (\d+) tokens spent so far, and it could use up to (\d+) tokens`)

// check checks what a session says of its budget.
func (m *moneyRun) check(s debate.Session, err error) {
	m.Helper()
	spent, limit := budget.TotalSpending(s).Usage.Total(), capOf(s.Budget)
	if spent < m.least || spent > m.most {
		m.Errorf("run %d: the session counts %d tokens, its server %d to %d", m.seed, spent, m.least, m.most)
	}
	if cost := budget.TotalSpending(s).Cost; cost == nil || int(*cost*1e6+0.5) != spent {
		m.Errorf("run %d: %d tokens cost %v", m.seed, spent, cost)
	}
	if spent > limit+m.excess {
		m.Errorf("run %d: %d tokens are spent, the cap is %d and calls took %d more than was reserved", m.seed, spent, limit, m.excess)
	}
	said := slices.ContainsFunc(s.Notices, func(n debate.Notice) bool { return n.Code == "budget_passed" })
	if spent > limit && !m.uncertain && !said {
		m.Errorf("run %d: the cap of %d was passed by %d and nothing was said", m.seed, limit, spent-limit)
	}
	var poor *debate.BudgetError
	if s.Stopped == debate.StoppedByBudget || errors.As(err, &poor) {
		if left, most := limit-spent, 5_000; left > most {
			m.Errorf("run %d: it stopped with %d of %d tokens left", m.seed, left, limit)
		}
	}
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.Failure != nil && x.Failure.Kind == agents.KindBudget && !x.Inherited {
				m.checkRefusal(x.Failure.Cause, limit)
			}
		}
	}
}

// checkRefusal checks that a call that was refused did not fit.
func (m *moneyRun) checkRefusal(cause string, limit int) {
	m.Helper()
	figures := refusalPattern.FindStringSubmatch(cause)
	if figures == nil { // in USD
		return
	}
	spent, err := strconv.Atoi(figures[1])
	wanted, err2 := strconv.Atoi(figures[2])
	if err != nil || err2 != nil || spent+wanted <= limit {
		m.Errorf("run %d: refused although it fits into %d: %s", m.seed, limit, cause)
	}
}

// Whatever a server does to whatever debate, and whenever its process is killed: what was sent is
// counted, the cap is kept, and nothing is refused that fits.
func TestMoney_isCountedAndCapped(t *testing.T) {
	t.Parallel()
	h := newHarness(t, nil)
	for seed := range 40 {
		m, s := newMoneyRun(h, seed)
		if m.play(s); t.Failed() {
			return
		}
	}
}
