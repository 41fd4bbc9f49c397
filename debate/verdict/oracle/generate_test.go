package oracle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// generator makes a panel from a seed.
type generator struct {
	*rand.Rand
	panel
	failing   int // percent of the turns
	flips     int // percent of the votes
	holds     []string
	absent    map[string]bool // cells that nobody scores
	pool      []string        // labels of an open question
	undecided int             // percent of the opinions
	scored    bool            // somebody has scored all other cells of the round
	prose     int             // round in which many write no structured part; 0 for none
	money     bool            // estimates are amounts of money
}

var seatNames = []string{"Ann", "Bob", "Cid", "Dora", "Eve", "Fay", "Gus", "Hal"}

var optionSets = [][]string{
	{"Go", "Zig"},
	{"Go", "Zig", "Rust"},
	{"C", "C++", "C#"},
	{"Postgres", "SQLite", "Café DB"},
	{"Stay", "Move to Köln", "Move to Rome", "Wait-and-see"},
}

var criteria = []string{"cost", "risk", "speed", "time to market"}

var labelSets = [][]string{
	{"Postgres", "SQLite", "PostgreSQL 17"},
	{"C", "C++", "C#"},
	{"yes", "no", "Only with a pilot"},
	{"Postgres", "yes", "no"},
	{"yes", "no"},
	{"Split", "No vote", "do it"},
	{"yes, if backed up", "leaning yes", "both"},
	{"Si", "Si", "Si"},
	{"ja", "nein", "yes"},
	{"Si", "GaN", "SiC"},
	{"Move to Köln", "Stay", "Move to Rome", "Stay for one more year"},
	{"Rewrite-the-whole-scheduler-in-one-release-then-stop", "Rewrite-the-whole-scheduler-piece-by-piece", "Keep it"},
}

var causes = []string{"timed out", "connection refused", "the server is busy"}

// generate returns the panel of a seed. All modes take turns.
func generate(seed uint64) panel {
	g := generator{Rand: rand.New(rand.NewPCG(seed, 12))}
	m := builtins[seed%uint64(len(builtins))]
	n := m.min + g.IntN(m.max-m.min+1)
	if m.name == "collaborative" && g.percent(5) {
		n = 1
	}
	g.panel = panel{seed: seed, mode: m.name, names: slices.Clone(seatNames[:n]), kind: g.one(m.kinds), planned: 1 + g.IntN(4)}
	if g.kind == "choice" {
		g.options = optionSets[g.IntN(len(optionSets))]
	}
	if m.asks == "scores" {
		g.criteria = criteria[:2+g.IntN(3)]
		g.chooseAbsent()
	}
	g.flips = 10 + g.IntN(60)
	if g.percent(55) {
		g.failing = 5 + g.IntN(35)
	}
	g.oneModel = g.percent(15)
	g.chair = chair{absent: g.percent(10), member: g.percent(70), agrees: g.percent(60)}
	played := g.planned
	if g.percent(25) {
		played = 1 + g.IntN(g.planned)
		g.stop = g.one([]string{"user", "budget"})
		g.cut = g.percent(70)
	}
	g.inventFacts()
	g.inventOpinions()
	light := g.percent(35)
	g.prose = 0
	if g.percent(20) {
		g.prose = 1 + g.IntN(g.planned)
	}
	for n := range played {
		g.play(n+1, light, g.cut && n+1 == played)
	}
	if g.kind == "open" && m.asks == "" && !light && g.percent(90) {
		if groups := g.group(played); len(newReader(g.panel, played, nil).labels) > 1 {
			g.chair.groups = groups
		}
	}
	return g.panel
}

func (g *generator) percent(n int) bool { return g.IntN(100) < n }

func (g *generator) one(list []string) string { return list[g.IntN(len(list))] }

func (g *generator) chooseAbsent() {
	g.absent = map[string]bool{}
	if g.percent(60) {
		return
	}
	for _, o := range g.options {
		for _, c := range g.criteria {
			if g.percent(25) {
				g.absent[o+"|"+c] = true
			}
		}
	}
}

// inventFacts makes questions to the user, asked in order, with answers and corrections.
func (g *generator) inventFacts() {
	asked := 1
	for range g.IntN(4) {
		asked += g.IntN(2)
		f := fact{asked: asked, required: g.percent(30)}
		round := asked
		for len(f.revisions) < 2 && (g.percent(70) || f.required && len(f.revisions) == 0) {
			if round++; !f.required || len(f.revisions) > 0 { // no round begins while one is open
				round += g.IntN(2)
			}
			f.revisions = append(f.revisions, revision{round, g.percent(75)})
		}
		g.facts = append(g.facts, f)
	}
}

// inventOpinions sets what every seat holds at first.
func (g *generator) inventOpinions() {
	g.holds = make([]string, len(g.names))
	labels := labelSets[g.IntN(len(labelSets))]
	undecided := 5 + g.IntN(20)
	if g.percent(15) {
		undecided = 60
	}
	g.money = g.percent(40)
	for i := range g.holds {
		g.holds[i] = g.opinion(labels, undecided)
	}
	g.pool = labels
	g.undecided = undecided
}

// opinion returns something that can be held; "" is nothing.
func (g *generator) opinion(labels []string, undecided int) string {
	if g.percent(undecided) {
		return ""
	}
	switch g.kind {
	case "choice":
		return g.one(g.options)
	case "estimate":
		switch {
		case g.money:
			return "money"
		case g.percent(15):
			return fmt.Sprintf("%d months", 30+g.IntN(4))
		case g.percent(5):
			return fmt.Sprintf("%d ", 1+g.IntN(9))
		}
		return fmt.Sprintf("%d %s", 1+g.IntN(9), g.one([]string{"weeks", "weeks", "weeks", "week"}))
	case "open":
		return g.one(labels)
	default:
		return g.one([]string{"yes", "no"})
	}
}

// play plays a round.
func (g *generator) play(n int, light, cut bool) {
	g.rounds = append(g.rounds, round{})
	g.scored = false
	m := builtinMode(g.mode, g.old())
	role := roles(g.mode, len(g.names))
	steps := plannedSteps(g.mode, len(g.names), n, g.planned, g.old())
	end := len(steps)
	if cut {
		end = g.IntN(len(steps))
	}
	for i, s := range steps {
		if i > end {
			break // the debate ended before
		}
		some := g.IntN(len(s.seats))
		for at, seat := range s.seats {
			silent := i == len(steps)-1 && !slices.ContainsFunc(g.rounds[n-1].turns, func(t turn) bool { return t.failed == "" })
			t := turn{phase: s.phase, seat: seat, retried: g.percent(4), means: meaning{confidence: -1}}
			votes := slices.Contains(voters(g.panel), seat) && slices.Contains(m.votePhases(), s.phase)
			switch {
			case i == end && (at == some || g.percent(50)):
				t.failed, t.retried = cutOff, false
			case g.percent(2) && !silent:
				t.failed = cancelled
			case g.percent(g.failing) && !silent: // somebody speaks in every round
				t.failed = g.one(causes)
			case votes && m.asks == "ranking":
				g.castBallot(&t, n)
			case votes:
				g.castVote(&t, n, m.asks == "scores")
			default:
				g.speak(&t, role[seat])
			}
			g.rounds[n-1].turns = append(g.rounds[n-1].turns, t)
		}
	}
	if light && g.kind == "open" && m.asks == "" && g.percent(70) {
		g.rounds[n-1].grouping = g.group(n)
	}
}

// group puts all labels of the votes so far into groups, yes and no never into one.
func (g *generator) group(until int) [][]string {
	var out [][]string
	for _, l := range newReader(g.panel, until, nil).labels {
		i := len(out)
		if i > 0 && g.percent(50) {
			i = g.IntN(len(out))
		}
		other := map[string]string{"yes": "no", "no": "yes"}[yesOrNo(l.text).name]
		if i == len(out) || slices.ContainsFunc(out[i], func(m string) bool { return other != "" && yesOrNo(m).name == other }) {
			out = append(out, []string{l.text})
			continue
		}
		out[i] = append(out[i], l.text)
	}
	return out
}

// castVote lets a seat say what it holds.
func (g *generator) castVote(t *turn, round int, scores bool) {
	if round > 1 && g.percent(g.flips) || t.phase == "vote after" && g.percent(40) {
		g.holds[t.seat] = g.opinion(g.pool, g.undecided)
	}
	if unread := g.percent(3) || round == g.prose && g.percent(75); unread && !scores {
		t.raw = "I have said all that I can say."
		return
	}
	w := &block{generator: g, means: &t.means}
	w.position(t.seat, round)
	w.confidence()
	w.hold(g.holds[t.seat])
	w.cite()
	if round > 1 {
		w.account(t.seat, round)
	}
	if scores {
		w.scores()
	}
	t.raw = w.text(fmt.Sprintf("%s weighs it in round %d.", g.names[t.seat], round))
}

// speak lets a seat say what its role wants, which is no vote.
func (g *generator) speak(t *turn, role string) {
	w := &block{generator: g, means: &t.means}
	w.position(t.seat, 0)
	w.confidence()
	stance := ""
	switch role {
	case "proponent", "advocate", "proposition":
		stance = "yes"
	case "opponent", "devil's advocate", "opposition":
		stance = "no"
	}
	if stance == "" && g.mode == "red-team-blue-team" {
		stance = g.one([]string{"yes", "no"})
	}
	if stance != "" {
		w.stance(stance)
	}
	t.raw = w.text(g.names[t.seat] + " speaks.")
}

// castBallot lets a seat rank the others' answers.
func (g *generator) castBallot(t *turn, round int) {
	w := &block{generator: g, means: &t.means}
	var others []int
	for i := range g.names {
		if _, ok := g.spoken(round, "", i); ok && i != t.seat {
			others = append(others, i)
		}
	}
	g.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	if len(others) > 0 && g.percent(20) {
		others = others[:1+g.IntN(len(others))]
	}
	spellings := slices.Concat(ballotSpellings, objectSpellings)
	style := g.IntN(len(spellings))
	mixed := g.percent(50)
	wrong := g.percent(15)
	for place, seat := range others {
		if mixed {
			style = g.IntN(len(spellings))
		}
		if g.percent(8) || wrong {
			w.means.ballot = append(w.means.ballot, ballotEntry{quote(g.wrongEntry(t.seat)), -1})
			if wrong {
				continue
			}
		}
		w.means.ballot = append(w.means.ballot, ballotEntry{spellings[style](place+1, seat, g.names[seat]), seat})
	}
	if len(w.means.ballot) > 0 && g.percent(8) {
		w.means.ballot = append(w.means.ballot, w.means.ballot[0]) // a repeat
	}
	if g.percent(8) {
		own := ballotEntry{quote(fmt.Sprintf("Member %d", t.seat+1)), t.seat}
		w.means.ballot = slices.Insert(w.means.ballot, g.IntN(len(w.means.ballot)+1), own)
	}
	var list []string
	for _, e := range w.means.ballot {
		list = append(list, e.raw)
	}
	w.confidence()
	w.add("ranking", "["+strings.Join(list, ", ")+"]")
	t.raw = w.text(g.names[t.seat] + " ranks the answers.")
}
