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
	do    func(ctx context.Context, s *store.Store, id string) error
	seen  func(d debate.Session, rows map[string]int) bool
}

var (
	final = &agents.Completion{Text: "I hold.", Finish: agents.FinishStop}
	first = func(id string) agents.Turn { return seat(id, 1, "ada") }
)

// steps follow the durability order, from a session that has been created.
var steps = []step{
	{
		"focus", func(ctx context.Context, s *store.Store, id string) error {
			return s.SetFocus(ctx, id, debate.Focus{Text: "What of cost?", Author: ledger.ByPerson("command")})
		},
		nil,
	},
	{
		"interject", func(ctx context.Context, s *store.Store, id string) error {
			_, err := s.Interject(ctx, id, debate.Interjection{Agent: "ada", Text: "Mind the cost.", Author: ledger.ByPerson("command")})
			return err
		},
		func(d debate.Session, _ map[string]int) bool {
			return len(d.Interjections) == 1 && d.Interjections[0].Author.Door == "command"
		},
	},
	{
		"evidence", func(ctx context.Context, s *store.Store, id string) error {
			e := debate.NewEvidence("a.txt", debate.EvidenceFile, "one\n", "")
			e.Author = ledger.ByPerson("command")
			_, err := s.AddEvidence(ctx, id, e)
			return err
		},
		func(d debate.Session, rows map[string]int) bool {
			return len(d.Evidence) == 1 && d.Evidence[0].Author.Door == "command" && rows["evidence"] == 1 && rows["evidence_texts"] == 1
		},
	},
	{
		"round", func(ctx context.Context, s *store.Store, id string) error {
			_, err := s.BeginRound(ctx, id, 1)
			return err
		},
		func(d debate.Session, _ map[string]int) bool {
			return len(d.History) >= 1 && len(d.History[0].Manifest.Evidence) == 1 &&
				d.History[0].Manifest.Focus == "What of cost?" && d.History[0].Manifest.FocusAuthor.Door == "command" &&
				len(d.History[0].Manifest.Interjections) == 1
		},
	},
	{"turn", func(ctx context.Context, s *store.Store, id string) error {
		return s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: first(id)}})
	}, func(d debate.Session, _ map[string]int) bool {
		return len(d.History) >= 1 && len(d.History[0].Responses) == 1
	}},
	{"call", func(ctx context.Context, s *store.Store, id string) error {
		return s.BeginCall(ctx, first(id), debate.ForMember, 1, agents.Request{})
	}, func(_ debate.Session, rows map[string]int) bool { return rows["calls"] >= 1 }},
	{"call-end", func(ctx context.Context, s *store.Store, id string) error {
		return s.EndCall(ctx, first(id), 1, agents.Completion{Text: "Looking."}, []debate.ToolRecord{{
			ID:   first(id).ToolCall(1),
			Name: "search",
		}}, nil)
	}, func(_ debate.Session, rows map[string]int) bool { return rows["tool_calls"] == 1 }},
	{"tool-start", func(ctx context.Context, s *store.Store, id string) error {
		return s.StartTool(ctx, first(id), first(id).ToolCall(1), panelLater())
	}, func(d debate.Session, rows map[string]int) bool {
		return rows["tool_calls"] == 1 && !tool(d).Began.IsZero()
	}},
	{"tool-end", func(ctx context.Context, s *store.Store, id string) error {
		return s.EndTool(ctx, first(id), debate.ToolRecord{ID: first(id).ToolCall(1), Result: agents.ToolResult{Status: agents.ToolOK}})
	}, func(d debate.Session, rows map[string]int) bool {
		return rows["tool_calls"] == 1 && tool(d).Result.Status == agents.ToolOK
	}},
	{"ask", func(ctx context.Context, s *store.Store, id string) error {
		_, err := s.Ask(ctx, first(id), "c", ledger.Question{Query: "One?", Reason: "r"}, ledger.DefaultCaps)
		return err
	}, func(d debate.Session, _ map[string]int) bool { return len(d.Requests) == 1 }},
	{"call", func(ctx context.Context, s *store.Store, id string) error {
		return s.BeginCall(ctx, first(id), debate.ForMember, 2, agents.Request{})
	}, func(_ debate.Session, rows map[string]int) bool { return rows["calls"] == 2 }},
	{"journal", func(ctx context.Context, s *store.Store, id string) error {
		return s.Journal(ctx, []debate.Text{{Turn: first(id), Passage: 1, Text: "I ho"}})
	}, func(d debate.Session, _ map[string]int) bool {
		return len(d.History) >= 1 && len(d.History[0].Responses) == 1 && len(d.History[0].Responses[0].Passages) == 2
	}},
	{"turn-end", func(ctx context.Context, s *store.Store, id string) error {
		_, err := s.EndTurn(ctx, debate.TurnEnd{Final: final, Response: debate.Response{Turn: first(id), State: debate.TurnDone}})
		return err
	}, func(d debate.Session, rows map[string]int) bool {
		return len(d.History) >= 1 && len(d.History[0].Responses) == 1 && d.History[0].Responses[0].State == debate.TurnDone &&
			rows["partials"] == 0
	}},
	{"round-end", func(ctx context.Context, s *store.Store, id string) error {
		_, err := s.EndRound(ctx, id, 1, nil, debate.NotStopped)
		return err
	}, func(d debate.Session, _ map[string]int) bool {
		return len(d.History) >= 1 && !d.History[0].Ended.IsZero()
	}},
	{"draft", func(ctx context.Context, s *store.Store, id string) error {
		return s.SaveDraft(ctx, id, "C1", debate.Draft{Text: "42"})
	}, func(d debate.Session, _ map[string]int) bool { return len(d.Drafts) == 1 || answered(d) }},
	{"answer", func(ctx context.Context, s *store.Store, id string) error {
		_, err := s.Answer(ctx, id, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "42"})
		return err
	}, func(d debate.Session, _ map[string]int) bool { return answered(d) && len(d.Drafts) == 0 }},
	{
		"round", func(ctx context.Context, s *store.Store, id string) error {
			_, err := s.BeginRound(ctx, id, 2)
			return err
		},
		func(d debate.Session, _ map[string]int) bool {
			return len(d.History) == 2 && d.Requests[0].State == ledger.Released && len(d.History[1].Manifest.Facts) == 1
		},
	},
	{"verdict", func(ctx context.Context, s *store.Store, id string) error {
		_, err := s.SaveVerdict(ctx, id, debate.Verdict{Text: "Move."})
		return err
	}, func(d debate.Session, _ map[string]int) bool { return d.Verdict != nil }},
}

func tool(d debate.Session) debate.ToolRecord { return d.History[0].Responses[0].Passages[0].Tools[0] }

func answered(d debate.Session) bool { return len(d.Requests) == 1 && len(d.Requests[0].Answers) == 1 }

// takeSteps takes all steps in the session args[1] of the database args[0].
func takeSteps(ctx context.Context, args []string) error {
	s, err := store.Open(ctx, args[0], store.Options{})
	for i := 0; err == nil && i < len(steps); i++ {
		err = steps[i].do(ctx, s, args[1])
	}
	return errors.Join(err, errors.New("it came to the end"))
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
	times := map[string]int{}
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
						if got := other.seen(d, rows); got != want {
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
