//go:build crashpoints

package store_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func init() {
	roles["steps"] = takeSteps
	roles["upgrade"] = upgradeOld
}

// step is one write of a debate: the point it crashes at, what it does, and how
// to see that it has been done. Each is seen from then on.
type step struct {
	point string
	do    func() error
	seen  func(d stored) bool // nil: it cannot be seen
}

// stored is what is stored of a debate; what is not there is zero.
type stored struct {
	debate.Session
	rows map[string]int
}

func (d stored) round(n int) (r debate.Round) {
	if len(d.History) >= n {
		r = d.History[n-1]
	}
	return r
}

func (d stored) turn() (x debate.Response) {
	if all := d.round(1).Responses; len(all) == 1 {
		x = all[0]
	}
	return x
}

func (d stored) tool() (c debate.ToolRecord) {
	if d.rows["tool_calls"] == 1 {
		c = d.turn().Passages[0].Tools[0]
	}
	return c
}

func (d stored) isAnswered() bool { return len(d.Requests) == 1 && len(d.Requests[0].Answers) == 1 }

// only returns the error of a write of which nothing else is wanted.
func only[T any](_ T, err error) error { return err }

// stepsOf returns the writes of a session that has been created, in the durability order.
func stepsOf(ctx context.Context, s *store.Store, id string) []step {
	me, ada := ledger.ByPerson("command"), seat(id, 1, "ada")
	evidence := debate.NewEvidence("a.txt", debate.EvidenceFile, "one\n", "")
	evidence.Author = me
	looked := agents.Completion{Text: "Looking."}
	calls := []debate.ToolRecord{{ID: ada.ToolCall(1), Name: "search"}}
	found := debate.ToolRecord{ID: ada.ToolCall(1), Result: agents.ToolResult{Status: agents.ToolOK}}
	final := debate.TurnEnd{
		Final: &agents.Completion{Text: "I hold.", Finish: agents.FinishStop}, Response: debate.Response{Turn: ada, State: debate.TurnDone},
	}
	return []step{
		{"focus", func() error { return s.SetFocus(ctx, id, debate.Focus{Text: "What of cost?", Author: me}) }, nil},
		{"interject", func() error {
			return only(s.Interject(ctx, id, debate.Interjection{Agent: "ada", Text: "Mind the cost.", Author: me}))
		}, func(d stored) bool { return len(d.Interjections) == 1 && d.Interjections[0].Author.Door == "command" }},
		{"evidence", func() error { return only(s.AddEvidence(ctx, id, evidence)) }, func(d stored) bool {
			is := len(d.Evidence) == 1 && d.Evidence[0].Author.Door == "command"
			return is && d.rows["evidence"] == 1 && d.rows["evidence_texts"] == 1
		}},
		{"round", func() error { return only(s.BeginRound(ctx, id, 1)) }, func(d stored) bool {
			m := d.round(1).Manifest
			return len(m.Evidence) == 1 && m.Focus == "What of cost?" && m.FocusAuthor.Door == "command" && len(m.Interjections) == 1
		}},
		{"turn", func() error { return s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: ada}}) }, func(d stored) bool {
			return len(d.round(1).Responses) == 1
		}},
		{"call", func() error { return s.BeginCall(ctx, ada, debate.ForMember, 1, agents.Request{}) }, func(d stored) bool {
			return d.rows["calls"] >= 1
		}},
		{"call-end", func() error { return s.EndCall(ctx, ada, 1, looked, calls, nil) }, func(d stored) bool {
			return d.rows["tool_calls"] == 1
		}},
		{"tool-start", func() error { return s.StartTool(ctx, ada, ada.ToolCall(1), panelLater()) }, func(d stored) bool {
			return !d.tool().Began.IsZero()
		}},
		{"tool-end", func() error { return s.EndTool(ctx, ada, found) }, func(d stored) bool {
			return d.tool().Result.Status == agents.ToolOK
		}},
		{"ask", func() error {
			return only(s.Ask(ctx, ada, "c", ledger.Question{Query: "One?", Reason: "r"}, ledger.DefaultCaps))
		}, func(d stored) bool { return len(d.Requests) == 1 }},
		{"call", func() error { return s.BeginCall(ctx, ada, debate.ForMember, 2, agents.Request{}) }, func(d stored) bool {
			return d.rows["calls"] == 2
		}},
		{"journal", func() error { return s.Journal(ctx, []debate.Text{{Turn: ada, Passage: 1, Text: "I ho"}}) }, func(d stored) bool {
			return len(d.turn().Passages) == 2
		}},
		{"turn-end", func() error { return only(s.EndTurn(ctx, final)) }, func(d stored) bool {
			return d.turn().State == debate.TurnDone && d.rows["partials"] == 0
		}},
		{"round-end", func() error { return only(s.EndRound(ctx, id, 1, nil, debate.NotStopped)) }, func(d stored) bool {
			return !d.round(1).Ended.IsZero()
		}},
		{"draft", func() error { return s.SaveDraft(ctx, id, "C1", debate.Draft{Text: "42"}) }, func(d stored) bool {
			return len(d.Drafts) == 1 || d.isAnswered()
		}},
		{"answer", func() error {
			return only(s.Answer(ctx, id, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "42"}))
		}, func(d stored) bool { return d.isAnswered() && len(d.Drafts) == 0 }},
		{"round", func() error { return only(s.BeginRound(ctx, id, 2)) }, func(d stored) bool {
			return len(d.round(2).Manifest.Facts) == 1 && d.Requests[0].State == ledger.Released
		}},
		{"verdict", func() error { return only(s.SaveVerdict(ctx, id, debate.Verdict{Text: "Move."})) }, func(d stored) bool {
			return d.Verdict != nil
		}},
	}
}

// takeSteps takes all steps in the session args[1] of the database args[0].
func takeSteps(ctx context.Context, args []string) error {
	s, err := store.Open(ctx, args[0], store.Options{})
	if err != nil {
		return err
	}
	for _, st := range stepsOf(ctx, s, args[1]) {
		if err := st.do(); err != nil {
			return err
		}
	}
	return errors.New("it came to the end")
}

// crash runs a child until it kills itself at a place.
func crash(t *testing.T, c *exec.Cmd, place string) {
	t.Helper()
	c.Env = append(c.Env, store.CrashVariable+"="+place)
	var ended *exec.ExitError
	if err := c.Run(); !errors.As(err, &ended) || ended.Exited() {
		t.Fatalf("it did not crash at %s: %v", place, err)
	}
}

func TestCrash_everyStepIsAllThereOrNotAtAll(t *testing.T) {
	times, steps := map[string]int{}, stepsOf(t.Context(), nil, "")
	for i, st := range steps {
		times[st.point]++
		for _, side := range []string{"before", "after"} {
			place := fmt.Sprintf("%s:%s:%d", st.point, side, times[st.point])
			t.Run(place, func(t *testing.T) {
				path, id := closedDatabase(t)
				crash(t, child(t, "steps", path, id), place)
				s := openAt(t, path)
				must.Do(t, store.Check(t.Context(), s))
				shown := get(t, s, id)
				repaired := must.Get(s.Repair(t.Context(), id))(t)
				twice := must.Get(s.Repair(t.Context(), id))(t)
				rows := store.Rows(t.Context(), s)
				for k, other := range steps {
					if other.seen == nil || k > i && other.point == "journal" && st.point == "turn-end" {
						continue
					}
					want := k < i || k == i && side == "after"
					for _, d := range []debate.Session{shown, repaired, twice} {
						if got := other.seen(stored{d, rows}); got != want {
							t.Errorf("%s (%d): seen %v, want %v", other.point, k, got, want)
						}
					}
				}
			})
		}
	}
}

func TestCrash_aDatabaseIsMadeOrNot(t *testing.T) {
	for _, place := range []string{"schema:before", "schema:after"} {
		t.Run(place, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "roundtable.db")
			crash(t, child(t, "upgrade", path), place)
			if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("half a database: %v", err)
			}
			create(t, openAt(t, path))
			if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// upgradeOld opens the database args[0], which is made or converted with that.
func upgradeOld(ctx context.Context, args []string) error {
	_, err := store.Open(ctx, args[0], store.Options{})
	return errors.Join(err, errors.New("it came to the end"))
}

// Wherever a conversion is killed, the database is of the old schema or of the new one, the
// copy of before is a whole one, and the next start goes on.
func TestCrash_aConversionIsDoneOrNot(t *testing.T) {
	places := []string{"backup:before", "backup:after", "copy-name:before", "copy-name:after", "schema:before", "schema:after"}
	for n := 1; n < 41; n += 4 {
		places = append(places, fmt.Sprintf("conversion:before:%d", n))
	}
	for _, place := range places {
		t.Run(place, func(t *testing.T) {
			path := before(t)
			original := titled(t, openAt(t, before(t)))
			crash(t, child(t, "upgrade", path), place)
			copied := path + fmt.Sprintf(".before-%d", store.Latest)
			if _, err := os.Lstat(copied); err == nil {
				if n, err := store.SchemaOf(t.Context(), copied); n != 25 || err != nil {
					t.Errorf("a copy of schema %d: %v", n, err)
				}
			} else if strings.HasPrefix(place, "schema") || strings.HasPrefix(place, "conversion") {
				t.Error("there is no copy")
			}
			for range 2 {
				s := must.Get(store.Open(t.Context(), path, store.Options{}))(t)
				if diff := cmp.Diff(original, titled(t, s)); diff != "" {
					t.Error(diff)
				}
				must.Do(t, store.Check(t.Context(), s))
				must.Do(t, s.Close())
			}
			s := must.Get(store.Open(t.Context(), path, store.Options{}))(t)
			must.Do(t, s.Close())
			if left, err := filepath.Glob(path + ".*"); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
