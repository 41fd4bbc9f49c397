package modes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/modes"
)

func builtin(t testing.TB, name string) debate.Mode {
	t.Helper()
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	m, err := modes.Find(all, name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestBuiltin_areValidAndSayWhatTheyAreFor(t *testing.T) {
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 2 {
		t.Fatalf("%d modes, want collaborative and adversarial at least", len(all))
	}
	for i, m := range all {
		if err := m.Validate(); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		if i > 0 && all[i-1].Name >= m.Name {
			t.Errorf("%s stands after %s", m.Name, all[i-1].Name)
		}
		if m.Use == "" || strings.Contains(m.Summary, "\n") || m.Rounds != 2 {
			t.Errorf("%s: use %q, summary %q, %d rounds", m.Name, m.Use, m.Summary, m.Rounds)
		}
		if !strings.Contains(m.Asking, "request_context") || strings.Contains(m.Rules+m.First+m.Later+m.Last, "request_context") {
			t.Errorf("%s: the tool has to be in the paragraph on asking alone, which is left out where it is not offered", m.Name)
		}
		for n := 1; n <= debate.MaxPanel+1; n++ {
			if err := m.Fits(n); (err == nil) != (n >= m.MinSeats && n <= m.MaxSeats) {
				t.Errorf("%s with %d seats: %v", m.Name, n, err)
			}
		}
	}
}

func TestFits_refusesWithBothNumbers(t *testing.T) {
	for n, want := range map[int]string{
		1: "mode adversarial takes 2 to 8 seats; this panel has 1",
		9: "mode adversarial takes 2 to 8 seats; this panel has 9",
	} {
		if err := builtin(t, "adversarial").Fits(n); err == nil || err.Error() != want {
			t.Errorf("Fits(%d) = %v, want %q", n, err, want)
		}
	}
}

func TestFind_listsTheNamesThereAre(t *testing.T) {
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	_, err = modes.Find(all, "adverserial")
	if err == nil || !strings.Contains(err.Error(), `no mode "adverserial"; there are: adversarial, collaborative`) {
		t.Errorf("err = %v", err)
	}
}

func TestSteps_followTheOrderOfTheMode(t *testing.T) {
	for _, c := range []struct {
		mode  string
		seats []agents.ID
		want  string
	}{
		{"collaborative", []agents.ID{"a", "b", "c"}, "[a b c]"},
		{"collaborative", []agents.ID{"a", "b"}, "[a b]"},
		{"adversarial", []agents.ID{"a", "b", "c"}, "[a] [b] [c]"},
		{"adversarial", []agents.ID{"c", "a"}, "[c] [a]"},
	} {
		for round := 1; round <= 3; round++ {
			var got []string
			for i, step := range builtin(t, c.mode).Steps(c.seats, round, 3) {
				got = append(got, fmt.Sprint(step.Seats))
				if step.Index != i {
					t.Errorf("%s: step %d says it is %d", c.mode, i, step.Index)
				}
			}
			if all := strings.Join(got, " "); all != c.want {
				t.Errorf("%s, round %d: %s, want %s", c.mode, round, all, c.want)
			}
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

func TestRoleOf_repeatsThePattern(t *testing.T) {
	for n, want := range map[int]debate.Stance{1: debate.Yes, 2: debate.No, 3: debate.Yes, 8: debate.No} {
		if r, ok := builtin(t, "adversarial").RoleOf(n, 8); !ok || r.Stance != want {
			t.Errorf("seat %d argues %q, want %q", n, r.Stance, want)
		}
	}
	if r, ok := builtin(t, "collaborative").RoleOf(1, 2); ok {
		t.Errorf("collaborative gives the role %+v", r)
	}
	if r, ok := builtin(t, "adversarial").RoleOf(0, 2); ok {
		t.Errorf("who has no seat plays %+v", r)
	}
}

// sound is a mode file without a fault.
const sound = `name = "mine"
summary = "as I like it"
min_seats = 2
max_seats = 4
rounds = 3
order = "parallel"
decision = "none"
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

func TestParse_reportsEveryFaultWithFileLineAndField(t *testing.T) {
	for _, c := range []struct {
		name, old, text string
		want            []string
	}{
		{"none", "", "", nil},
		{"unknown fields", "rounds = 3", "visibilty = 1\nrounds = 3\nanon = true", []string{`mine.toml:5: unknown field "visibilty"`, `mine.toml:7: unknown field "anon"`}},
		{"unknown field of a role", "stance =", "side =", []string{`mine.toml:19: unknown field "roles.side"`}},
		{"wrong type", "rounds = 3", `rounds = "three"`, []string{"mine.toml:5: rounds: cannot decode TOML string"}},
		{"not TOML", `order = "parallel"`, `order = "parallel`, []string{"mine.toml:6: "}},
		{"a field twice", "rounds = 3", "rounds = 3\nrounds = 4", []string{"mine.toml:6: rounds: "}},
		{"too many seats", "max_seats = 4", "max_seats = 9", []string{"mine.toml:3: min_seats, max_seats: 2 to 9 is not within 2 to 8"}},
		{"least above most", "min_seats = 2", "min_seats = 5", []string{"mine.toml:3: min_seats, max_seats: 5 to 4"}},
		{"no rounds", "rounds = 3", "rounds = 0", []string{"mine.toml:5: rounds: 0 is less than 1"}},
		{"unknown order and decision", "order = \"parallel\"\ndecision = \"none\"", "order = \"at once\"\ndecision = \"dice\"", []string{`mine.toml:6: order: "at once"`, `mine.toml:7: decision: "dice"`}},
		{"missing fields", "name = \"mine\"\nsummary = \"as I like it\"\n", "", []string{"mine.toml: name: missing", "mine.toml: summary: missing"}},
		{"a missing text", "last = \"End.\"\n", "", []string{"mine.toml:8: first, later, last: each needs a text"}},
		{"a role without a brief", "brief = \"Be two.\"\n", "", []string{"mine.toml:16: roles[1]: name and brief are needed"}},
		{"a stance that is none", `stance = "no"`, `stance = "perhaps"`, []string{`mine.toml:19: roles[1].stance: "perhaps" is not yes, no, neutral or none`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := modes.Parse("mine.toml", []byte(strings.Replace(sound, c.old, c.text, 1)))
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
	f.Add(sound)
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
