package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// generator plays a panel round by round.
type generator struct {
	*rand.Rand
	Panel
	favoured int    // the option that most hold
	pull     int    // how many of a hundred
	noise    int    // of a hundred turns, how many fail or write what cannot be read
	cutKind  string // how prompts are cut, "" for not at all
	cutSeats []int
	cutFrom  int // round
	hidden   bool
	kept     int // of a hundred later votes, how many are as before
}

// Generate returns a random panel, the same for the same seed.
func Generate(seed uint64) Panel {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 20261128)), Panel: Panel{Seed: seed, Ends: "planned"}}
	g.pull, g.noise, g.kept = one(g, 50+g.IntN(51), 50+g.IntN(51), 100), one(g, 0, 0, 6, 15, 35), one(g, 100, 80, 50)
	g.mode()
	g.seat()
	g.ask()
	g.play()
	if g.Ended != "" && g.Ended != "crash" && g.Ended != "hang" && len(g.Turns) > 0 {
		g.ReportCut = g.Mode.Kind != "critique" && g.chance(8)
	}
	return g.Panel
}

func one[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// span returns the seats from first to below end, each step-th.
func span(first, end, step int) []int {
	seats := []int{}
	for s := first; s < end; s += step {
		seats = append(seats, s)
	}
	return seats
}

func (g *generator) mode() {
	n := one(g, 2, 3, 3, 3, 4, 4, 5, 5, 6, 8)
	m := &g.Mode
	m.Name = one(g, "collaborative", "collaborative", "collaborative", "expert-panel", "delphi", "adversarial",
		"devils-advocate", "devils-advocate", "teams", "own-vote", "own-odd", "council", "council", "review", "review", "critique")
	m.Kind, m.Blind, g.Planned = "vote", true, one(g, 1, 2, 2, 2, 3, 4)
	all := Phase{Name: "answer", Rounds: "all", Seats: span(0, n, 1)}
	vote, order := all, all
	vote.Votes, order.Sequential = true, true
	switch m.Name {
	case "collaborative", "expert-panel", "delphi":
		m.Phases = []Phase{vote}
		g.Ends = one(g, "agreed", "agreed", "planned", "settled", "settled")
	case "adversarial", "devils-advocate":
		vote.Sequential = true
		m.Blind, m.Phases = false, []Phase{vote}
	case "teams":
		m.Kind, m.Blind = "none", false
		red, blue := all, all
		red.Name, blue.Name, red.Seats, blue.Seats = "red", "blue", span(0, n, 2), span(1, n, 2)
		m.Phases = []Phase{red, blue}
	case "own-vote", "own-odd":
		m.Named, m.Blind, vote.Name = true, false, "vote"
		if m.Name == "own-odd" {
			vote.Rounds = "odd"
		}
		m.Phases = []Phase{order, vote}
	case "council":
		n = max(n, 3)
		all.Seats = span(0, n, 1)
		rank := all
		rank.Name, rank.Ranks = "ranking", true
		m.Kind, m.Phases = "ranking", []Phase{all, rank}
	case "review":
		all.Judges = true
		m.Kind, m.Phases, g.Planned = "review", []Phase{all}, one(g, 2, 2, 2, 2, 1)
	case "critique":
		critics := all
		all.Seats, critics.Seats, critics.Name, critics.Rounds = []int{0}, span(1, n, 1), "concerns", "odd"
		m.Kind, m.Phases, g.Planned = "critique", []Phase{all, critics}, 2
	}
	if g.Given = 0; g.chance(20) && m.Kind != "critique" && m.Kind != "review" {
		g.Given = g.Planned
	}
	g.Seats = make([]Seat, n)
}

func (g *generator) seat() {
	n := len(g.Seats)
	sharing := g.IntN(100)
	for i := range g.Seats {
		name := []string{"Ada", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gia", "Hal"}[i]
		s := Seat{ID: strings.ToLower(name), Name: name, Maker: fmt.Sprintf("maker-%d", i), Model: fmt.Sprintf("model-%d", i), Asks: true}
		switch {
		case sharing < 10:
			s.Maker, s.Model = "maker-0", "model-0"
		case sharing < 30 && i < 2+n/3:
			s.Maker, s.Model = "maker-0", "model-0"
		case sharing < 35:
			s.Model = "model-0"
		case sharing < 50 && i%2 == 0:
			s.Agent = true
			if g.chance(60) {
				s.Model = ""
			}
		}
		switch g.Mode.Name {
		case "adversarial", "own-vote", "teams":
			s.Stance = true
		case "devils-advocate":
			side := []int{0, 0, 1, 1, 1, 2, 2, 2, 3}[n]
			s.Stance = i < 2*side
		}
		g.Seats[i] = s
	}
	if g.chance(5) {
		g.Seats[g.IntN(n)].Scripted = true
	}
	if g.chance(8) || g.Planned == 1 && g.Mode.Kind == "review" {
		for i := range g.Seats {
			g.Seats[i].Asks = false
		}
	}
}

func (g *generator) ask() {
	q := &g.Question
	switch q.Kind = one(g, "yes-no", "yes-no", "choice", "estimate", "open"); q.Kind {
	case "choice":
		q.Options = one(g, []string{"Redis", "Postgres 17", "Kafka"}, []string{"Build it", "buy", `the "old" one`, "C++"})
	case "estimate":
		q.Unit = one(g, "weeks", "USD", "none", "people per year")
	}
	if g.chance(6) {
		g.TopicAuthor = one(g, "claude-code", "a command")
	}
	g.favoured = g.IntN(4)
	g.cutFrom = 1 + g.IntN(2)
	if g.chance(22) {
		g.cutKind = one(g, "window", "both", "low", "low once", "same", "cached", "left out")
		g.cutSeats = g.Perm(len(g.Seats))[:1+g.IntN(len(g.Seats))]
	}
	if g.chance(30) {
		g.Evidence, g.hidden = 20+g.IntN(100), g.chance(40)
	}
	if g.chance(12) {
		g.Tools = []Tool{{Name: "lookup", Reads: g.chance(30), Seats: span(0, len(g.Seats), 1+g.IntN(2))}}
	}
}

// play plays rounds until the plan, a rule or a stop ends the debate.
func (g *generator) play() {
	stop, phase, how := 0, 0, ""
	switch k := g.IntN(100); {
	case k < 34:
		how, stop = one(g, "budget", "signal", "hang", "user", "crash"), one(g, 1, 2, 2, 2, 3)
	case k < 42:
		how, stop = "running", one(g, 1, 2, 2, 3)
	case k < 45:
		how, stop = "chair", g.Planned+1
	}
	if phase = g.IntN(len(g.Mode.Phases) + 1); how == "running" && stop == 1 { // 0 stops before the round
		phase = max(phase, 1)
	}
	for r := 1; r <= g.Planned; r++ {
		halt := stop == r
		if halt && phase == 0 || r > 1 && !g.release(r, how) {
			g.Ended = stopped(how)
			g.giveUp()
			return
		}
		if r > 1 && g.chance(40) {
			g.favoured, g.kept = g.IntN(4), min(g.kept, 50) // arguments told
		}
		for i, p := range g.Mode.Phases {
			if p.in(r) && g.phase(r, p, halt && i == phase-1, how) {
				g.Ended = stopped(how)
				return
			}
		}
		if g.Mode.Kind == "critique" && newDebate(g.Panel).critique().Text.Which == "none" {
			g.Ended = "user"
			return
		}
		if Ends(g.Panel) {
			g.Ended = map[string]string{"agreed": "agreement", "settled": "settled"}[g.Ends]
			g.after()
			return
		}
	}
	if g.Ended = "plan"; how == "chair" {
		g.Ended = "chair"
	} else if how != "" && how != "running" && g.chance(30) {
		g.Ended = how // all of the plan was played before it
	}
	g.after()
}

func stopped(how string) string {
	if how == "running" || how == "chair" {
		return ""
	}
	return how
}

// release answers what a round waits for. It is false if the debate ends there instead.
func (g *generator) release(round int, how string) bool {
	var given []func()
	waits := how == "running" && g.chance(30)
	for i := range g.Requests {
		r := &g.Requests[i]
		if len(r.Answers) > 0 {
			continue
		}
		if r.Required && (waits || how == "user" && g.chance(40)) {
			return false
		}
		if !r.Required && g.chance(40) {
			continue
		}
		if g.chance(10) {
			given = append(given, func() { r.Answers = append(r.Answers, g.answer(0)) }) // and edited before it goes out
		}
		given = append(given, func() { r.Answers = append(r.Answers, g.answer(round)) })
	}
	for _, give := range given {
		give()
	}
	return true
}

func (g *generator) answer(round int) Answer {
	a := Answer{Released: round, Outcome: "answered", Author: one(g, "", "", "", "claude-code", "a command")}
	if g.chance(20) && round > 0 {
		a.Outcome, a.Reason, a.Author = "unavailable", "nobody knows", ""
	}
	return a
}

// giveUp gives up what was required where the user ends a debate at the gate.
func (g *generator) giveUp() {
	for i := range g.Requests {
		if r := &g.Requests[i]; g.Ended == "user" && r.Required && len(r.Answers) == 0 {
			r.Answers = append(r.Answers, Answer{Outcome: "given_up"})
		}
	}
}

// after answers or corrects some questions when no round follows.
func (g *generator) after() {
	for i := range g.Requests {
		r := &g.Requests[i]
		open := len(r.Answers) == 0
		if open && g.chance(40) || !open && r.Answers[0].Outcome == "answered" && g.chance(10) {
			r.Answers = append(r.Answers, g.answer(0))
		}
	}
}

// phase plays one phase, whole or up to a stop in it, and tells whether it was stopped.
func (g *generator) phase(round int, p Phase, halt bool, how string) bool {
	reached := len(p.Seats)
	if halt {
		reached = g.IntN(len(p.Seats))
		if how == "budget" && len(p.Seats) > 1 {
			reached = max(1, reached)
		}
	}
	safe := -1
	if p.Name == g.Mode.Phases[0].Name {
		safe = one(g, p.Seats...) // a round in which all fail does not count
	}
	for i, s := range p.Seats {
		t := Turn{Round: round, Phase: p.Name, Seat: s, State: "done"}
		if g.chance(g.noise/2) && s != safe {
			t.State = one(g, "failed", "failed", "cancelled", "cut")
		}
		if i >= reached {
			if t.State = "running"; i > 0 && how == "budget" || p.Sequential && i > reached || g.chance(20) && i > reached {
				continue // never begun
			}
		}
		g.begin(&t, p)
		if t.State == "done" || t.State == "cut" {
			g.write(&t, p)
		}
		g.Turns = append(g.Turns, t)
		if seat := g.Seats[s]; seat.Asks && t.State == "done" && len(g.Requests) < 6 && g.chance(7) {
			g.Requests = append(g.Requests, Request{
				ID: fmt.Sprintf("C%d", len(g.Requests)+1), Round: round, Seat: s, Required: g.chance(65), Answers: []Answer{},
			})
		}
	}
	return halt
}

// begin fills in what a turn has before a word is written.
func (g *generator) begin(t *Turn, p Phase) {
	seat := g.Seats[t.Seat]
	t.Maker, t.Model, t.Prompt.Server = seat.Maker, seat.Model, "server-of-"+seat.ID
	if before := g.before(t, ""); before != nil {
		t.Maker, t.Model = before.Maker, before.Model
		if before.Round < t.Round && seat.Model != "" && g.chance(4) {
			t.Model = "model-new"
		}
	}
	for i := range g.Turns {
		o := &g.Turns[i]
		if o.State == "done" && o.Phase == p.Name && (o.Round < t.Round || p.Sequential) && o.Seat != t.Seat {
			t.Reads = append(t.Reads, Read{o.Seat, o.Round})
		}
	}
	t.Prompt.Estimate = 6000 + 400*t.Round + 13*len(g.Turns)
	t.Prompt.Counted = t.Prompt.Estimate + 5
	if seat.Agent || g.chance(10) {
		t.Prompt.Counted = 0
	}
	if g.hidden && (g.Seed%2 == 0 || g.chance(50)) {
		t.EvidenceCut = [][2]int{{g.Evidence - 4, g.Evidence}}
	}
	if slices.Contains(g.cutSeats, t.Seat) && t.Round >= g.cutFrom && (g.cutKind != "window" || !seat.Agent) {
		g.cutPrompt(&t.Prompt, len(g.Turns))
	}
	if t.State != "done" {
		t.Prompt.Counted, t.Prompt.Cached = 0, 0 // no answer, no count
	}
}

func (g *generator) cutPrompt(p *Prompt, turn int) {
	p.Server = "local"
	switch g.cutKind {
	case "window":
		p.Window, p.Counted = 4096, 4000+turn
	case "both":
		p.Counted, p.Estimate = 2048, p.Estimate+2000*turn
	case "low":
		p.Counted = 2000 + turn
	case "low once":
		p.Server, p.Counted = fmt.Sprintf("server-%d", turn), 2000+turn
	case "same":
		p.Estimate = 6000 + 900*(turn%3)
		p.Counted = 5900
	case "cached":
		p.Cached, p.Counted = p.Estimate-2000, 2000+turn
	case "left out":
		p.LeftOut, p.Counted = true, 900+turn
	}
}

// before returns the seat's newest turn before this one, of one phase or of any.
func (g *generator) before(t *Turn, phase string) *Turn {
	for i := len(g.Turns) - 1; i >= 0; i-- {
		if g.Turns[i].Seat == t.Seat && (phase == "" || phase == g.Turns[i].Phase) {
			return &g.Turns[i]
		}
	}
	return nil
}

// write fills in a statement.
func (g *generator) write(t *Turn, p Phase) {
	confidence := float64(30+g.IntN(70)) / 100
	t.Confidence = &confidence
	if g.chance(20) {
		t.Confidence = nil
	}
	if g.chance(15) && t.Round > 1 {
		t.Tools = []string{"search_evidence"}
	}
	for _, r := range g.Requests {
		if newDebate(g.Panel).known(r.ID, t.Round) && g.chance(20) {
			t.Cites = append(t.Cites, r.ID)
		}
	}
	if g.Evidence > 0 && g.chance(20) {
		t.Cites = append(t.Cites, "F1")
	}
	if g.chance(2) {
		t.Cites = append(t.Cites, "C19")
	}
	broken := g.chance(g.noise)
	switch {
	case g.Mode.Kind == "critique":
		g.criticise(t, p, broken)
	case p.Judges && t.Round == 1 && !broken:
		t.Findings = []Finding{}
		for _, k := range g.Perm(8)[:1+g.IntN(3)] {
			if k < 1+int(g.Seed%8) || len(t.Findings) == 0 && g.chance(80) {
				t.Findings = append(t.Findings, Finding{fmt.Sprintf("defect %d", k%(1+int(g.Seed%8))), one(g, "high", "medium", "low")})
			}
		}
		slices.SortFunc(t.Findings, func(a, b Finding) int { return strings.Compare(a.Key, b.Key) })
		t.Findings = slices.CompactFunc(t.Findings, func(a, b Finding) bool { return a.Key == b.Key })
	case p.Judges && !broken:
		g.judge(t)
	case p.Ranks:
		shown := slices.DeleteFunc(newDebate(g.Panel).answers(t.Round), func(s int) bool { return s == t.Seat })
		if g.pull <= 75 { // most panels that agree, agree on the order
			g.Shuffle(len(shown), func(i, j int) { shown[i], shown[j] = shown[j], shown[i] })
		}
		if !broken {
			t.Ballot = shown
		}
	case p.Votes:
		g.vote(t, p, broken)
	}
}

func (g *generator) judge(t *Turn) {
	t.Judgements = []Judgement{}
	said := map[string]bool{}
	for _, o := range g.Turns {
		for _, f := range o.Findings {
			own := o.Seat == t.Seat || slices.ContainsFunc(g.Turns, func(x Turn) bool {
				return x.State == "done" && x.Seat == t.Seat &&
					slices.ContainsFunc(x.Findings, func(y Finding) bool { return y.Key == f.Key })
			})
			if o.State == "done" && !own && !said[f.Key] {
				said[f.Key] = true
				t.Judgements = append(t.Judgements, Judgement{f.Key, one(g, "yes", "yes", "no", "no", "unsure")})
			}
		}
	}
}

func (g *generator) criticise(t *Turn, p Phase, broken bool) {
	switch {
	case p.Name == "concerns" && !broken:
		t.Concerns = []string{}
		for i := range g.IntN(4) {
			t.Concerns = append(t.Concerns, fmt.Sprintf("%s's concern %d", g.Seats[t.Seat].Name, i+1))
		}
	case p.Name != "concerns" && t.Round%2 == 0:
		_, ids, _ := newDebate(g.Panel).concerns()
		for _, id := range ids {
			if !g.chance(g.noise / 2) {
				t.Replies = append(t.Replies, Reply{id, one(g, "accept", "accept", "accept", "accept", "reject", "reject", "ask")})
			}
		}
	}
}

// vote writes a vote, as it is spelled by models, or what is none.
func (g *generator) vote(t *Turn, p Phase, broken bool) {
	before := g.before(t, p.Name)
	g.cause(t)
	if broken {
		g.spoil(t)
		return
	}
	if before != nil && before.State == "done" && before.Vote != nil && g.chance(g.kept) {
		t.Vote = before.Vote
		return
	}
	if before != nil && before.State == "done" && before.Value != nil && g.chance(g.kept) {
		t.Value = before.Value
		return
	}
	option := g.favoured
	if !g.chance(g.pull) {
		option = g.IntN(4)
	}
	word := undecided
	if !g.chance((100 - g.pull) / 2) {
		switch g.Question.Kind {
		case "estimate":
			v := float64(4+2*option+g.IntN(2)) + one(g, 0, 0, 0, 0.5)
			t.Value = &v
			return
		case "yes-no":
			word = []string{"yes", "no"}[option%2]
		case "choice":
			word = g.Question.Options[option%len(g.Question.Options)]
		default:
			word = []string{"Redis", "a queue", "Kafka 3.7", "split the team"}[option]
		}
	}
	word = one(g, word, word, word, word, strings.ToUpper(word), strings.ToLower(word),
		" "+word+" ", `"`+word+`"`, word+".", "“"+word+"”")
	t.Vote = &word
}

// spoil writes a vote that cannot be read, or none.
func (g *generator) spoil(t *Turn) {
	word := one(g, "", "n/a", "I don't know yet", "...", "null", "depends", "neutral", "none of the sides, for reasons given at length")
	if t.Vote = &word; g.chance(40) {
		t.Vote = nil
	}
}

// cause names what changed a vote, true or not.
func (g *generator) cause(t *Turn) {
	if t.Round == 1 {
		return
	}
	switch g.IntN(6) {
	case 0:
		t.ChangedBy = &Cause{Fact: one(g, "C1", "C2", "F1")}
	case 1:
		if len(t.Reads) > 0 {
			t.ChangedBy = &Cause{Seat: &t.Reads[g.IntN(len(t.Reads))].Seat}
		}
	case 2:
		t.ChangedBy = &Cause{Tool: "search_evidence"}
	case 3:
		t.ChangedBy = &Cause{Text: "the costs"}
	}
}
