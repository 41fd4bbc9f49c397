//go:build unix

package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"roundtable/internal/e2e/endpoint"
)

// phased is a debate of one round in a mode, with a chair and a light model of its
// own. Its calls are told apart by their part: "lists", "m2 ranking", "verdict".
type phased struct {
	*trial
	mode     string
	finished []string // parts that were done when it was struck
}

func newPhased(t *testing.T, mode string) *phased {
	t.Helper()
	p := &phased{trial: &trial{T: t, exe: built(t), env: home(t), config: filepath.Join(t.TempDir(), "config.toml")}, mode: mode}
	p.server = endpoint.New(t, func(r endpoint.Request) endpoint.Reply { return endpoint.Reply{Text: inPart(partOf(r))} })
	config := fmt.Sprintf("[providers.here]\nbase_url = %q\n", p.server.URL+"/v1")
	for _, id := range []string{"mem1", "mem2", "mem3", "boss", "lum"} {
		config += fmt.Sprintf("[[agents]]\nid = %q\nname = %q\nprovider = \"here\"\nmodel = %q\n", id, strings.ToUpper(id), id)
	}
	config += "[panels.default]\nagents = [\"mem1\", \"mem2\", \"mem3\"]\nchair = \"boss\"\nlight = \"lum\"\n"
	if err := os.WriteFile(p.config, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

var ofPhase = regexp.MustCompile(`This is round 1 of 1(?:, ([^.\n]+))?\.`)

// partOf says which part of the debate a request is for.
func partOf(r endpoint.Request) string {
	switch system := r.Messages[0].Content; {
	case strings.Contains(system, "You are the chair"):
		return "verdict"
	}
	if m := ofPhase.FindStringSubmatch(r.Messages[1].Content); m != nil {
		return strings.TrimSpace(r.Model + " " + m[1])
	}
	return r.Model + " in no phase"
}

// inPart is what the model says there.
func inPart(part string) string {
	switch part {
	case "verdict":
		return "## Conclusion\nIt is so."
	}
	var more string
	if seat, _, _ := strings.Cut(part, " "); strings.HasSuffix(part, "ranking") {
		labels := slices.DeleteFunc([]string{"Member 1", "Member 2", "Member 3"}, func(l string) bool { return l[len(l)-1] == seat[len(seat)-1] })
		more = fmt.Sprintf(`, "ranking": [%q, %q]`, labels[0], labels[1])
	}
	side := "no"
	if strings.HasPrefix(part, "mem1") {
		side = "yes"
	}
	return fmt.Sprintf("What is said as %s.\n```json\n{\"position\": \"So.\", \"confidence\": 0.7, \"vote\": %q, \"vote\": %q%s}\n```", part, side, side, more)
}

// play takes the debate to its end; struck at a place, it goes on by its id.
func (p *phased) play(place string) {
	p.Helper()
	if _, struck := p.command(strike{point: place}, "run", "Is it so?", "--mode", p.mode, "--rounds", "1", "--json"); !struck {
		if place != "" {
			p.Fatalf("the debate did not come to %s", place)
		}
		return
	}
	w := p.open()
	p.finished = w.column(`SELECT CASE step WHEN -1 THEN 'verdict' ELSE trim(agent || ' ' || coalesce(body ->> '$.Phase', '')) END FROM turns WHERE state = 'done'`)
	if len(w.column("SELECT 1 FROM documents WHERE kind = 'verdict'")) == 0 {
		p.output("continue", p.id(), "--json")
	}
}

// asked is how often each part was asked for.
func (p *phased) asked(from int) map[string]int {
	out := map[string]int{}
	for _, r := range p.server.Requests("")[from:] {
		out[partOf(r)]++
	}
	return out
}

func (p *phased) check(want map[string]int) {
	p.Helper()
	all := p.asked(0)
	for part := range want {
		if all[part] == 0 {
			p.Errorf("%s was never asked for", part)
		}
	}
	for part, n := range all {
		if want[part] == 0 {
			p.Errorf("%s was asked for because of the crash alone", part)
		}
		if n > 2 {
			p.Errorf("%s was asked for %d times", part, n)
		}
	}
	again := p.asked(p.before)
	for _, part := range p.finished {
		if again[part] > 0 {
			p.Errorf("%s was stored and asked for again", part)
		}
	}
	w := p.open()
	if left := w.column(`SELECT agent || ' ' || step || ' ' || count(*) FROM turns WHERE state = 'done' GROUP BY round, step, agent HAVING count(*) > 1`); len(left) > 0 {
		p.Errorf("these turns are there twice: %q", left)
	}
	var doc struct {
		Verdict struct {
			Incomplete bool
			Report     struct{ Chair string }
		}
	}
	if err := json.Unmarshal([]byte(p.output("show", p.id(), "--json")), &doc); err != nil {
		p.Fatal(err)
	}
	if doc.Verdict.Incomplete || !strings.Contains(doc.Verdict.Report.Chair, "boss") {
		p.Errorf("the verdict is %+v", doc.Verdict)
	}
}

func TestCrash_inEveryPhaseOfARoundNobodyIsAskedTwiceForWhatIsStored(t *testing.T) {
	skipShort(t)
	for _, c := range []struct {
		mode  string
		parts int
		turns []int // after which a run is struck by default, one of each phase
	}{
		{"council", 7, []int{2, 4, 7}},            // answers, ranking, verdict
		{"red-team-blue-team", 7, []int{1, 3, 5}}, // red, blue, cross-evaluation
	} {
		whole := newPhased(t, c.mode)
		whole.play("")
		want := whole.asked(0)
		if whole.check(want); len(want) != c.parts {
			t.Errorf("%s has the parts %v", c.mode, want)
		}
		places := []string{"round-end:before", "round-end:after", "verdict:before", "verdict:after"}
		turns := c.turns
		if inFull() {
			for turns = nil; len(turns) < c.parts; {
				turns = append(turns, len(turns)+1)
			}
		}
		for i, n := range turns {
			if i == 0 || inFull() {
				places = append(places, fmt.Sprintf("turn-end:before:%d", n))
			}
			places = append(places, fmt.Sprintf("turn-end:after:%d", n))
		}
		for _, place := range places {
			t.Run(c.mode+" "+place, func(t *testing.T) {
				t.Parallel()
				p := newPhased(t, c.mode)
				p.play(place)
				p.check(want)
			})
		}
	}
}
