package oracle_test

import "slices"

// builtin describes a mode as far as counting needs it.
type builtin struct {
	name       string
	min, max   int
	kinds      []string // of questions
	votes      string   // the voting phase; "" is the main phase
	poll       string   // a vote before the debate
	sequential bool     // one seat speaks after the other in the main phase
	asks       string   // what the voting phase asks for
	voters     []string // roles that have a vote; nil: all
	label      string
}

var anyKind = []string{"yes-no", "choice", "estimate", "open", "open", ""}

var builtins = []builtin{
	{name: "adversarial", min: 2, max: 8, kinds: []string{"yes-no", "yes-no", ""}, votes: "own view", sequential: true},
	{name: "collaborative", min: 2, max: 8, kinds: anyKind},
	{name: "council", min: 3, max: 8, kinds: []string{"yes-no", "choice", "open"}, votes: "ranking", asks: "ranking", label: "Member"},
	{name: "delphi", min: 2, max: 8, kinds: anyKind, label: "Participant"},
	{name: "devils-advocate", min: 2, max: 8, kinds: []string{"yes-no", "yes-no", ""}, voters: []string{"evaluator"}, sequential: true},
	{name: "expert-panel", min: 2, max: 8, kinds: anyKind},
	{name: "oxford", min: 3, max: 8, kinds: []string{"yes-no"}, votes: "vote after", poll: "vote before", voters: []string{"evaluator"}},
	{name: "red-team-blue-team", min: 2, max: 8, kinds: []string{"yes-no", "yes-no", ""}, votes: "cross-evaluation", sequential: true},
	{name: "socratic", min: 2, max: 8, kinds: anyKind, voters: []string{"respondent"}, sequential: true},
	{name: "tradeoff", min: 2, max: 8, kinds: []string{"choice"}, asks: "scores"},
}

// builtinMode returns the mode of that name. In a session of an earlier version the main
// phase is the voting phase.
func builtinMode(name string, old bool) builtin {
	i := slices.IndexFunc(builtins, func(m builtin) bool { return m.name == name })
	m := builtins[i]
	if old {
		m.votes, m.poll = "", ""
	}
	return m
}

// votePhases returns the phases in which votes are cast.
func (m builtin) votePhases() []string {
	if m.poll != "" {
		return []string{m.poll, m.votes}
	}
	return []string{m.votes}
}

// roles returns the role of each seat; "" for none.
func roles(mode string, seats int) []string {
	out := make([]string, seats)
	for i := range out {
		switch mode {
		case "adversarial":
			out[i] = []string{"proponent", "opponent"}[i%2]
		case "red-team-blue-team":
			out[i] = []string{"blue team", "red team"}[i%2]
		case "socratic":
			out[i] = "respondent"
			if i == 0 {
				out[i] = "questioner"
			}
		case "devils-advocate":
			out[i] = debater(i, []int{0, 0, 2, 2, 2, 4, 4, 4, 6}[seats], "advocate", "devil's advocate")
		case "oxford":
			out[i] = debater(i, []int{0, 0, 0, 2, 2, 4, 4, 4, 4}[seats], "proposition", "opposition")
		}
	}
	return out
}

// debater returns the role of seat i where the first n seats take the two sides in turn.
func debater(i, n int, yes, no string) string {
	switch {
	case i >= n:
		return "evaluator"
	case i%2 == 0:
		return yes
	default:
		return no
	}
}

// step is a part of a round in which seats speak at once.
type step struct {
	phase string
	seats []int
}

// plannedSteps returns the steps of a round.
func plannedSteps(mode string, seats, round, planned int, old bool) []step {
	all := make([]int, seats)
	for i := range all {
		all[i] = i
	}
	role := roles(mode, seats)
	with := func(names ...string) []int {
		return slices.DeleteFunc(slices.Clone(all), func(i int) bool { return !slices.Contains(names, role[i]) })
	}
	one := func(seats []int) []step {
		var out []step
		for _, i := range seats {
			out = append(out, step{"", []int{i}})
		}
		return out
	}
	last := round >= planned
	switch mode {
	case "adversarial":
		out := one(all)
		if last && !old {
			out = append(out, step{"own view", all})
		}
		return out
	case "devils-advocate", "socratic":
		return one(all)
	case "red-team-blue-team":
		return []step{{"", with("red team")}, {"", with("blue team")}, {"cross-evaluation", all}}
	case "council":
		return []step{{"", all}, {"ranking", all}}
	case "oxford":
		return oxfordSteps(one(with("proposition", "opposition")), with("evaluator"), round, last)
	default:
		return []step{{"", all}}
	}
}

func oxfordSteps(speeches []step, evaluators []int, round int, last bool) []step {
	var out []step
	if round == 1 {
		out = append(out, step{"vote before", evaluators})
	}
	out = append(out, speeches...)
	if round == 1 || !last {
		out = append(out, step{"questions", evaluators})
	}
	if last {
		out = append(out, step{"vote after", evaluators})
	}
	return out
}

// voters returns the seats that have a vote.
func voters(p panel) []int {
	m := builtinMode(p.mode, p.old())
	var out []int
	for i, role := range roles(p.mode, len(p.names)) {
		if m.voters == nil || slices.Contains(m.voters, role) {
			out = append(out, i)
		}
	}
	return out
}

// planned reports whether a round has a phase.
func planned(p panel, round int, phase string) bool {
	for _, s := range plannedSteps(p.mode, len(p.names), round, p.planned, p.old()) {
		if s.phase == phase {
			return true
		}
	}
	return false
}

// stepOrder returns the seats that speak in a phase of a round, in the order in which
// they do.
func stepOrder(p panel, round int, phase string) []int {
	var out []int
	for _, s := range plannedSteps(p.mode, len(p.names), round, p.planned, p.old()) {
		if s.phase == phase {
			out = append(out, s.seats...)
		}
	}
	return out
}

// held reports whether everybody of those given who was due in a phase of a round ended
// the turn there.
func held(p panel, round int, phase string, who []int) bool {
	due := false
	for _, seat := range stepOrder(p, round, phase) {
		if !slices.Contains(who, seat) {
			continue
		}
		due = true
		if t, ok := p.turnOf(round, phase, seat); !ok || t.failed == cutOff {
			return false
		}
	}
	return due
}

// cutAfter returns the first round after another one in which a phase was due and not
// held by those given; 0 for none.
func cutAfter(p panel, round int, phase string, who []int) int {
	for n := round + 1; n <= len(p.rounds); n++ {
		if planned(p, n, phase) && !held(p, n, phase, who) {
			return n
		}
	}
	return 0
}

// everybody lists all seats.
func everybody(p panel) []int {
	out := make([]int, len(p.names))
	for i := range out {
		out[i] = i
	}
	return out
}
