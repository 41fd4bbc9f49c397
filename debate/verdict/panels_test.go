package verdict_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/debate/statement"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

// panel is a debate that is written down: how it is set up, what is said in it, and what
// its verdict has to say. Each line of a script is a phase of a round with what every
// seat says in it, or what happens after a round:
//
//	1: yes 0.9 | no [C1] | -          round 1: a side, its confidence, a citation; a failure
//	1: - then yes | no                a failure, and a second attempt after the round
//	1 ranking: rank 1. Member 3, Bob  a ballot; a cell without words is a seat that is not in the phase
//	1: Go 7 7 7; Zig 10 - -           the scores of two options by each criterion
//	1: 12 weeks 8-20 | ? | PG 17      an estimate with its range; prose alone; a label
//	1: {"stance": "no"} Thanks.       what the model writes, with ⏎ for a line
//	C1 = 12 servers                   the first seat asked, and the user answers
//	C1 unavailable                    there is no answer
//	Lum groups: PG, PG 17 / SQLite    the light model groups the labels; another name is the chair's
//	Lum measures: 0.97                the light model's level
type panel struct {
	name    string
	setting map[string]string // by key
	script  []string
	want    []string
}

func TestVerdict_ofWrittenPanels(t *testing.T) {
	content, err := os.ReadFile("testdata/panels.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(content), "== ")[1:] {
		p := readPanel(t, part)
		t.Run(p.name, func(t *testing.T) {
			if diff := cmp.Diff(p.want, p.verdict(t)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// readPanel reads a panel: its name, and three paragraphs.
func readPanel(t *testing.T, content string) panel {
	name, content, _ := strings.Cut(content, "\n")
	parts := strings.Split(strings.TrimSpace(content), "\n\n")
	if len(parts) < 3 {
		t.Fatalf("%s has %d paragraphs", name, len(parts))
	}
	p := panel{name: name, setting: map[string]string{}, script: strings.Split(parts[1], "\n"), want: strings.Split(parts[2], "\n")}
	for line := range strings.SplitSeq(parts[0], "\n") {
		key, value, _ := strings.Cut(line, ": ")
		p.setting[key] = value
	}
	return p
}

// verdict plays a panel and returns what is said of it, a line for each statement.
func (p panel) verdict(t *testing.T) []string {
	f := p.begin(t)
	for _, line := range p.script {
		title, rest, _ := strings.Cut(line, ":")
		by, what, _ := strings.Cut(title, " ")
		switch {
		case line[0] >= '1' && line[0] <= '9':
			p.speak(f, title, rest)
		case what == "groups":
			group(f, by, rest)
		case what == "measures":
			measure(f, number(t, rest))
		default:
			answer(f, line)
		}
	}
	f.Stopped = debate.StopReason(p.setting["stopped"])
	c := report.Conclude(verdict.Compute(f.Session), f.Session)
	lines := []string{"form: " + string(verdict.Compute(f.Session).Form), "headline: " + c.Headline, "comparison: " + c.Baseline.Title + ". " + c.Baseline.Line}
	if c.Baseline.Votes != "" {
		lines = append(lines, "votes: "+c.Baseline.Votes+" → "+c.Baseline.Final)
	}
	lines = append(append(lines, dissentOf(c), "ledger: "+c.Changes.Line), ledgerOf(c)...)
	for _, r := range f.History {
		for _, x := range r.Latest() {
			for _, n := range x.Statement.Notes {
				lines = append(lines, fmt.Sprintf("note on %s: %s", f.NameOf(x.Turn.Agent), n))
			}
		}
	}
	for _, r := range f.History {
		lines = append(lines, consensusOf(f.Session, r.Number))
	}
	return lines
}

// begin returns the session of a panel, before its first round.
func (p panel) begin(t *testing.T) *debatetest.Scenario {
	rounds, planned := p.setting["rounds"]
	for _, line := range p.script {
		if !planned && line[0] >= '1' && line[0] <= '9' {
			rounds = line[:1]
		}
	}
	f := debatetest.New(t, p.setting["mode"], int(number(t, rounds)), strings.Fields(p.setting["seats"])...)
	f.Session.Question = debate.QuestionKind(p.setting["question"])
	if phase, ok := p.setting["voting phase"]; ok {
		f.Mode.Votes = strings.TrimPrefix(phase, "main")
	}
	if list, ok := p.setting["options"]; ok {
		f.Mode.Options = strings.Split(list, ", ")
	}
	ends := p.setting["ends by"]
	f.EndConditions.Convergence = strings.Contains(ends, "convergence")
	if _, level, ok := strings.Cut(ends, "consensus "); ok {
		f.EndConditions.OnConsensus, f.EndConditions.Threshold = true, number(t, level)
	}
	return f
}

// speak adds a line of responses. The first line of a round begins it.
func (p panel) speak(f *debatetest.Scenario, title, line string) {
	round, phase, _ := strings.Cut(title, " ")
	n := int(number(f.TB, round))
	if len(f.History) < n {
		f.BeginRound("")
		f.EndRound()
	}
	for i, cell := range strings.Split(line, "|") {
		if cell = strings.TrimSpace(cell); cell == "" {
			continue
		}
		id := f.Seats[i].ID
		var ids []agents.ID
		for _, seat := range f.Seats {
			ids = append(ids, seat.ID)
		}
		steps := f.Mode.Steps(ids, n, f.Rounds)
		at := slices.IndexFunc(steps, func(s debate.Step) bool { return s.Phase == phase && slices.Contains(s.Seats, id) })
		if at < 0 {
			f.Fatalf("%s does not speak in %q", f.Seats[i].Name, title)
		}
		role, _ := f.Mode.RoleOf(i+1, len(f.Seats))
		x := debate.Response{
			Turn: agents.Turn{Session: f.ID, Round: n, Step: steps[at].Index, Attempt: 1, Agent: id},
			Role: role.Name, Phase: phase, State: debate.TurnDone,
		}
		if rest, failed := strings.CutPrefix(cell, "-"); failed {
			y := x
			y.State, y.Failure = debate.TurnFailed, &debate.TurnFailure{Kind: agents.KindBusy, Cause: "Overloaded."}
			f.Session = f.WithResponse(y)
			if cell = strings.TrimPrefix(rest, " then "); cell == "" {
				continue
			}
			x.Turn.Attempt = 2
		}
		x.Statement = p.statement(f, cell)
		verdict.CheckStatement(f.Session, &x)
		f.Session = f.WithResponse(x)
	}
}

// statement returns what a model says that means what a cell says.
func (p panel) statement(f *debatetest.Scenario, cell string) debate.Statement {
	switch {
	case cell == "?":
		return statement.Parse("So.")
	case strings.ContainsAny(cell[:1], "{[~"):
		return statement.Parse("So.\n" + strings.ReplaceAll(cell, "⏎", "\n"))
	}
	prose, fields := "So.", map[string]any{"position": "I say " + cell}
	said := strings.Join(slices.DeleteFunc(strings.Fields(cell), func(word string) bool {
		switch {
		case strings.HasPrefix(word, "[C"):
			prose += " As " + word + " says."
		case strings.HasPrefix(word, "0."):
			fields["confidence"] = number(f.TB, word)
		default:
			return false
		}
		return true
	}), " ")
	order, ranks := strings.CutPrefix(cell, "rank ")
	switch {
	case ranks:
		fields["ranking"] = strings.Split(order, ", ")
	case f.Session.Question == debate.QuestionEstimate && said[0] <= '9':
		fields["estimate"] = estimateOf(f.TB, strings.Fields(said))
	case said == "yes" || said == "no" || said == "neutral":
		fields["stance"] = said
	default:
		fields["choice"] = said
	}
	block, err := json.Marshal(fields)
	if err != nil {
		f.Fatal(err)
	}
	return statement.Parse(prose + "\n```json\n" + string(block) + "\n```")
}

// estimateOf reads an estimate, such as "12 weeks 8-20".
func estimateOf(t testing.TB, words []string) map[string]any {
	out := map[string]any{"value": number(t, words[0]), "unit": words[1]}
	if len(words) > 2 {
		low, high, _ := strings.Cut(words[2], "-")
		out["low"], out["high"] = number(t, low), number(t, high)
	}
	return out
}

func number(t testing.TB, word string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// measure adds the level of the light model to the round that was played last.
func measure(f *debatetest.Scenario, level float64) {
	f.Current().Consensus = &debate.Consensus{
		Level: &level, Method: debate.ConsensusByModel, Answered: len(f.Current().Statements()), Seats: len(f.Seats),
	}
	verdict.CheckLevel(f.Session, f.Current().Consensus)
}

// answer lets the first seat ask, and answers it, or corrects an answer of before.
func answer(f *debatetest.Scenario, line string) {
	id, content, answered := strings.Cut(line, " = ")
	id = strings.TrimSuffix(id, " unavailable")
	sub := ledger.Submission{Request: id, Outcome: ledger.Unavailable, Content: "nobody knows"}
	if answered {
		sub.Outcome, sub.Content = ledger.Answered, content
	}
	if _, asked := f.Request(id); asked {
		sub.Correct = true
	} else {
		f.Ask(f.Seats[0].ID, ledger.Question{Query: "What is " + id + "?"})
	}
	f.Answer(sub)
}

// group adds a grouping of the labels to the round that was played last, or to the verdict
// if the chair made it.
func group(f *debatetest.Scenario, by, line string) {
	var groups [][]string
	for g := range strings.SplitSeq(line, " / ") {
		groups = append(groups, strings.Split(strings.TrimSpace(g), ", "))
	}
	g, err := verdict.ReadGroups(f.Session, groups, by)
	if err != nil {
		f.Fatal(err)
	}
	if by == "Lum" {
		c := verdict.Agreement(f.Session)
		c.Labels = g
		f.Current().Consensus = &c
		return
	}
	f.Session.Verdict = &debate.Verdict{Labels: g}
}

// consensusOf says how far the seats agree after a round, and what it ends.
func consensusOf(s debate.Session, round int) string {
	c := s.History[round-1].Consensus
	s.History = s.History[:round]
	if c == nil || c.Level == nil {
		counted := verdict.Agreement(s)
		c = &counted
	}
	line := fmt.Sprintf("consensus %d: %s", round, report.ConsensusLine(*c))
	if why := verdict.Ending(s, *c); why != debate.NotStopped {
		line += " It ends: " + string(why) + "."
	}
	if ok, why := verdict.CanConverge(s); s.EndConditions.Convergence && !ok {
		line += " It cannot converge: " + why + "."
	}
	return line
}

func dissentOf(c report.Conclusion) string {
	var words []string
	for _, d := range c.Dissent {
		words = append(words, d.Name+", "+string(d.Side))
	}
	if len(words) == 0 {
		return "dissent: none"
	}
	return "dissent: " + strings.Join(words, "; ")
}

func ledgerOf(c report.Conclusion) []string {
	var out []string
	for _, row := range c.Changes.Seats {
		var words []string
		for _, m := range row.Moves {
			switch {
			case m == nil:
				words = append(words, "none")
			case m.Side == debate.Undecided:
				words = append(words, string(m.Change))
			default:
				words = append(words, strings.Join(append([]string{string(m.Change), string(m.Side)}, m.Cites...), " "))
			}
		}
		out = append(out, "  "+row.Name+": "+strings.Join(words, ", "))
	}
	return out
}
