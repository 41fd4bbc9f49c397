package modes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/internal/testing/must"
)

func builtin(t testing.TB, name string) debate.Mode {
	t.Helper()
	return must.Get(modes.Find(must.Get(modes.Builtin())(t), name))(t)
}

func TestBuiltin_areValidAndSayWhatTheyAreFor(t *testing.T) {
	all := must.Get(modes.Builtin())(t)
	files, err := filepath.Glob("*.toml")
	if err != nil || len(all) != len(files) || len(all) == 0 {
		t.Fatalf("%d modes of %d files, %v", len(all), len(files), err)
	}
	for i, m := range all {
		if !slices.Contains(files, m.Name+".toml") {
			t.Errorf("mode %s is not in a file of its name: %q", m.Name, files)
		}
		if err := m.Validate(); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		if i > 0 && all[i-1].Name >= m.Name {
			t.Errorf("%s stands after %s", m.Name, all[i-1].Name)
		}
		if m.Use == "" || strings.Contains(m.Summary, "\n") || m.Rounds < 2 || m.Rounds > 3 {
			t.Errorf("%s: use %q, summary %q, %d rounds", m.Name, m.Use, m.Summary, m.Rounds)
		}
		if !strings.Contains(m.Asking, "request_context") || strings.Contains(instructions(m), "request_context") {
			t.Errorf("%s: the tool has to be in the paragraph on asking alone, which is left out where it is not offered", m.Name)
		}
		for n := 1; n <= debate.MaxSeats+1; n++ {
			err := m.CheckPanel(slices.Repeat([]agents.Profile{{ID: "first", Name: "First"}}, n))
			if (err == nil) != (n >= m.MinSeats && n <= m.MaxSeats) {
				t.Errorf("%s with %d seats: %v", m.Name, n, err)
			}
		}
	}
}

// instructions are all texts of a mode but the paragraph on asking.
func instructions(m debate.Mode) string {
	text := m.Rules + m.First + m.Later + m.Last + m.Lens
	for _, r := range m.Roles {
		text += r.Brief + r.First + r.Later + r.Last
	}
	for _, p := range m.Phases {
		text += p.First + p.Later + p.Last
	}
	return text
}

func TestFits_refusesWithBothNumbers(t *testing.T) {
	for n, want := range map[int]string{
		1: "mode adversarial takes 2 to 8 seats; this panel has 1",
		9: "mode adversarial takes 2 to 8 seats; this panel has 9",
	} {
		if err := builtin(t, "adversarial").CheckPanel(slices.Repeat([]agents.Profile{{ID: "first", Name: "First"}}, n)); err == nil || err.Error() != want {
			t.Errorf("Fits(%d) = %v, want %q", n, err, want)
		}
	}
}

func TestFind_listsTheNamesThereAre(t *testing.T) {
	_, err := modes.Find(must.Get(modes.Builtin())(t), "adverserial")
	if err == nil || !strings.Contains(err.Error(), `no mode "adverserial"; there are: adversarial, collaborative, council, critique, delphi`) {
		t.Errorf("err = %v", err)
	}
}

func TestSteps_havePhasesAndTeams(t *testing.T) {
	for _, c := range []struct {
		mode, seats   string
		round, rounds int
		want          string
	}{
		{"collaborative", "abc", 3, 3, "[a b c]"},
		{"collaborative", "ab", 1, 4, "[a b]"},
		{"adversarial", "abc", 2, 3, "[a] [b] [c]"},
		{"adversarial", "ca", 1, 4, "[c] [a]"},
		{"adversarial", "abc", 3, 3, "[a] [b] [c] own view[a b c]"},
		{"adversarial", "ab", 1, 1, "[a] [b] own view[a b]"},
		{"red-team-blue-team", "abcde", 1, 2, "[b d] [a c e] cross-evaluation[a b c d e]"},
		{"red-team-blue-team", "ab", 2, 2, "[b] [a] cross-evaluation[a b]"},
		{"council", "abc", 1, 2, "[a b c] ranking[a b c]"},
		{"delphi", "abc", 2, 2, "[a b c]"},
		{"socratic", "abc", 1, 2, "[a] [b] [c]"},
		{"devils-advocate", "abc", 1, 2, "[a] [b] [c]"},
		{"expert-panel", "ab", 1, 2, "[a b]"},
	} {
		var seats []agents.ID
		for _, id := range c.seats {
			seats = append(seats, agents.ID(id))
		}
		var got []string
		for i, step := range builtin(t, c.mode).Steps(seats, c.round, c.rounds) {
			got = append(got, step.Phase+fmt.Sprint(step.Seats))
			if step.Index != i {
				t.Errorf("%s: step %d says it is %d", c.mode, i, step.Index)
			}
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%s, %s, round %d of %d: %s, want %s", c.mode, c.seats, c.round, c.rounds, all, c.want)
		}
	}
}

func TestSteps_shareNoRoomWithTheSeats(t *testing.T) {
	seats := []agents.ID{"a", "b", "c"}
	for _, step := range builtin(t, "adversarial").Steps(seats, 1, 2) {
		_ = append(step.Seats, "x") // must not reach the next seat
	}
	if diff := cmp.Diff([]agents.ID{"a", "b", "c"}, seats); diff != "" {
		t.Errorf("seats (-want +got):\n%s", diff)
	}
}

func TestRoleOf_devilsAdvocateHasExactCounts(t *testing.T) {
	m := builtin(t, "devils-advocate")
	for seats, want := range map[int][3]int{
		2: {1, 1, 0}, 3: {1, 1, 1}, 4: {1, 1, 2}, 5: {2, 2, 1}, 6: {2, 2, 2}, 7: {2, 2, 3}, 8: {3, 3, 2},
	} {
		var got [3]int
		for n := 1; n <= seats; n++ {
			r, _ := m.RoleOf(n, seats)
			switch {
			case r.Stance == debate.Yes && r.Fixed:
				got[0]++
			case r.Stance == debate.No && r.Fixed:
				got[1]++
			case r.Name == "evaluator" && r.Stance == "":
				got[2]++
			}
		}
		if got != want {
			t.Errorf("%d seats are %v for, against and evaluators, want %v", seats, got, want)
		}
	}
}

func TestRoleOf_byMode(t *testing.T) {
	for _, c := range []struct {
		mode  string
		seats int
		want  string
	}{
		{"adversarial", 3, "proponent, opponent, proponent"},
		{"socratic", 4, "questioner, respondent, respondent, respondent"},
		{"red-team-blue-team", 5, "blue team, red team, blue team, red team, blue team"},
		{"expert-panel", 2, "whoever has to use it, whoever has to build it"},
	} {
		var got []string
		for n := 1; n <= c.seats; n++ {
			r, ok := builtin(t, c.mode).RoleOf(n, c.seats)
			if got = append(got, r.Name); !ok || r.Brief == "" || strings.Contains(r.Brief, "{it}") {
				t.Errorf("%s, seat %d: %+v", c.mode, n, r)
			}
		}
		if all := strings.Join(got, ", "); all != c.want {
			t.Errorf("%s: %s, want %s", c.mode, all, c.want)
		}
	}
	if r, ok := builtin(t, "collaborative").RoleOf(1, 2); ok {
		t.Errorf("collaborative gives the role %+v", r)
	}
	m := builtin(t, "expert-panel")
	if r, ok := m.RoleOf(0, 2); ok {
		t.Errorf("who has no seat plays %+v", r)
	}
	m.Perspectives = []string{"law", "cost"}
	for n, want := range []string{"law", "cost", "law", "cost", "law"} {
		if r, _ := m.RoleOf(n+1, 5); r.Name != want {
			t.Errorf("seat %d looks from %q, want %q", n+1, r.Name, want)
		}
	}
}

func TestLoad_addsTheUsersModesAndReportsFaultyOnes(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "modes")
	ours, faults := modes.Load(folder)
	if len(faults) > 0 || len(ours) == 0 {
		t.Fatalf("without a folder: %d modes, %v", len(ours), faults)
	}
	for name, text := range map[string]string{
		"mine.toml":   validMode,
		"bad.toml":    strings.Replace(validMode, "order =", "visibilty = \"rounds\"\norder =", 1),
		"again.toml":  strings.Replace(validMode, `name = "mine"`, `name = "delphi"`, 1),
		"broken.toml": "name = ",
		"notes.txt":   "not a mode",
	} {
		must.Do(t, os.MkdirAll(folder, 0o700))
		must.Do(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	all, faults := modes.Load(folder)
	if len(all) != len(ours)+1 || len(faults) != 3 {
		t.Fatalf("%d modes, faults %v", len(all), faults)
	}
	if m, err := modes.Find(all, "mine"); err != nil || m.Rounds != 3 {
		t.Errorf("%+v, %v", m, err)
	}
	for i, want := range []string{
		`modes/again.toml: name: there is already a mode "delphi"`,
		`modes/bad.toml:6: unknown field "visibilty"`,
		`modes/broken.toml:1: `,
	} {
		if !strings.HasPrefix(faults[i].Error(), want) {
			t.Errorf("fault %d is %q, want %q", i, faults[i], want)
		}
	}
}

// sound is a mode file without a fault.
const validMode = `name = "mine"
summary = "as I like it"
min_seats = 2
max_seats = 4
rounds = 3
order = "parallel"
first = "Begin."
later = "Go on."
last = "End."

[[roles]]
name = "one"
brief = "Be one."

[[roles]]
name = "two"
brief = "Be two."
stance = "no"
`

func TestParse_plansTwoRoundsWhereTheFileSaysNothing(t *testing.T) {
	if m, err := modes.Parse("mine.toml", []byte(strings.Replace(validMode, "rounds = 3\n", "", 1))); err != nil || m.Rounds != 2 {
		t.Errorf("%d rounds, %v", m.Rounds, err)
	}
}

func TestParse_reportsEveryFaultWithFileAndField(t *testing.T) {
	for _, c := range []struct {
		name, old, text string
		want            []string
	}{
		{"none", "", "", nil},
		{
			"unknown fields", "rounds = 3", "visibilty = 1\nrounds = 3\nanon = true",
			[]string{`mine.toml:5: unknown field "visibilty"`, `mine.toml:7: unknown field "anon"`},
		},
		{"a length below nothing", "rounds = 3", "words = 19\nreport_words = -1\nrounds = 3", []string{
			"mine.toml: words, report_words: less than 0",
		}},
		{"unknown field of a role", "stance =", "side =", []string{`mine.toml:18: unknown field "roles.side"`}},
		{"wrong type", "rounds = 3", `rounds = "three"`, []string{"mine.toml:5: rounds: cannot decode TOML string"}},
		{"not TOML", `order = "parallel"`, `order = "parallel`, []string{"mine.toml:6: "}},
		{"a field twice", "rounds = 3", "rounds = 3\nrounds = 4", []string{"mine.toml:6: rounds: "}},
		{"too many seats", "max_seats = 4", "max_seats = 9", []string{"mine.toml: min_seats, max_seats: 2 to 9 is not within 2 to 8"}},
		{"least above most", "min_seats = 2", "min_seats = 5", []string{"mine.toml: min_seats, max_seats: 5 to 4"}},
		{"no rounds", "rounds = 3", "rounds = 0", []string{"mine.toml: rounds: 0 is not within 1 to 50"}},
		{"another end", "rounds = 3", "rounds = 3\nends = \"never\"", []string{"mine.toml: ends: \"never\" is not planned, agreed or settled"}},
		{"too many rounds", "rounds = 3", "rounds = 51", []string{"mine.toml: rounds: 51 is not within 1 to 50"}},
		{
			"unknown order and field asked for", `order = "parallel"`, "order = \"at once\"\nasks = \"dice\"",
			[]string{`mine.toml: order: "at once"`, `mine.toml: asks: "dice"`},
		},
		{"missing fields", "name = \"mine\"\nsummary = \"as I like it\"\n", "", []string{
			"mine.toml: name: missing",
			"mine.toml: summary: missing",
		}},
		{"a missing text", "last = \"End.\"\n", "", []string{"mine.toml: first, later, last: each needs text"}},
		{"a role without a brief", "brief = \"Be two.\"\n", "", []string{"mine.toml: roles[1]: name and brief are required"}},
		{
			"an unknown visibility", `order = "parallel"`, "order = \"parallel\"\nvisibility = \"all\"",
			[]string{`mine.toml: visibility: "all" is not rounds, seats or team`},
		},
		{
			"teams that there are not", `order = "parallel"`, "order = \"teams\"\nteams = [\"red\"]",
			[]string{`mine.toml: teams: there is no role "red"`, "mine.toml: teams: order teams needs"},
		},
		{
			"a phase without a text", `stance = "no"`, "stance = \"no\"\n\n[[phases]]\nname = \"vote\"\norder = \"at once\"\n",
			[]string{`mine.toml: phases[0].order: "at once"`, "mine.toml: phases[0]: first, later or last is required"},
		},
		{"roles that a phase does not know", `stance = "no"`, "stance = \"no\"\n\n[[phases]]\nname = \"vote\"\norder = " +
			"\"parallel\"\nroles = [\"three\"]\nlast = \"Vote.\"\n", []string{`mine.toml: phases[0].roles: there is no role "three"`}},
		{
			"scores", `order = "parallel"`, "order = \"parallel\"\nasks = \"scores\"",
			[]string{`mine.toml: asks: "scores" is not vote, ranking, findings or replies`},
		},
		{"a list that is empty", "\n[[roles]]\nname = \"one\"\nbrief = \"Be one.\"\n\n[[roles]]\nname = \"two\"\nbrief = " +
			"\"Be two.\"\nstance = \"no\"\n", "divide = \"perspectives\"\n", []string{
			"mine.toml: divide: the list perspectives is empty",
			"mine.toml: lens: missing",
		}},
		{"a list that is no more divided", "\n[[roles]]\nname = \"one\"\nbrief = \"Be one.\"\n\n[[roles]]\nname = \"two\"\nbrief = " +
			"\"Be two.\"\nstance = \"no\"\n", "divide = \"options\"\nlens = \"{it}\"\n", []string{`mine.toml: divide: "options" is not perspectives`, "mine.toml: divide: the list options is empty"}},
		{"an unknown kind of question", "rounds = 3", "rounds = 3\nquestion = \"yes/no\"", []string{
			`mine.toml: question: "yes/no" is not yes-no, choice, estimate or open`,
		}},
		{"a kind of question as a list", "rounds = 3", "rounds = 3\nquestion = [\"open\"]", []string{"mine.toml:6: question: "}},
		{"an estimate with roles that argue", "rounds = 3", "rounds = 3\nquestion = \"estimate\"", []string{
			`mine.toml: question: "estimate" does not go with roles that argue yes or no`,
		}},
		{"votes in a phase that is not there", "rounds = 3", "rounds = 3\nvotes = \"two\"", []string{`mine.toml: votes: there is no phase "two"`}},
		{"no votes, and a question", "rounds = 3", "rounds = 3\nvotes = \"none\"\nquestion = \"yes-no\"", nil},
		{"a panel that cannot sit", "rounds = 3", "rounds = 3\nseating = [[\"one\"]]", []string{"mine.toml: seating: entry 1 has 1 seats"}},
		{"a stance that is none", `stance = "no"`, `stance = "perhaps"`, []string{`mine.toml: roles[1].stance: "perhaps" ` +
			`is not yes, no, undecided or none`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := modes.Parse("mine.toml", []byte(strings.Replace(validMode, c.old, c.text, 1)))
			if len(c.want) == 0 {
				if err != nil || m.Name != "mine" || len(m.Roles) != 2 || m.Roles[1].Stance != debate.No {
					t.Fatalf("%+v, %v", m, err)
				}
				return
			}
			if err == nil {
				t.Fatal("no error")
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(c.want) {
				t.Fatalf("%d lines, want %d:\n%v", len(lines), len(c.want), err)
			}
			for i, want := range c.want {
				if !strings.HasPrefix(lines[i], want) {
					t.Errorf("line %d is %q, want %q", i+1, lines[i], want)
				}
			}
			if strings.Contains(err.Error(), "debate.Mode") {
				t.Errorf("the error speaks of Go types: %v", err)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(validMode)
	f.Add("[[roles]]\n[[roles]]\nname = 1")
	f.Add("roles = [{name = \"x\", brief = \"y\", stance = \"z\"}]")
	f.Add("\"name\" = \"\"\xff")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := modes.Parse("mine.toml", []byte(text))
		if err == nil && m.Validate() != nil {
			t.Fatalf("a faulty mode was taken: %+v", m)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "mine.toml:") {
			t.Fatalf("the error does not name the file: %v", err)
		}
	})
}
