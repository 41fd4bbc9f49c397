//go:build crashpoints

package store_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func init() { roles["beside"] = writeBeside }

// otherWrites are the writes that stand beside the steps of a round: what has to be
// there before, what is done, and how to see that it has been done.
var otherWrites = map[string]struct {
	before func(t *testing.T, s *store.Store, id string)
	do     func(ctx context.Context, s *store.Store, id string) error
	seen   func(t *testing.T, s *store.Store, id string) bool
}{
	"create": {nil, func(ctx context.Context, s *store.Store, _ string) error {
		_, err := s.Create(ctx, panel())
		return err
	}, func(t *testing.T, s *store.Store, _ string) bool { return store.Rows(t.Context(), s)["sessions"] == 2 }},
	"fork": {func(t *testing.T, s *store.Store, id string) { playRound(t, s, id, 1) }, func(ctx context.Context, s *store.Store,
		id string,
	) error {
		_, err := s.Fork(ctx, id, debate.ForkPlan{Round: 1})
		return err
	}, func(t *testing.T, s *store.Store, _ string) bool {
		rows := store.Rows(t.Context(), s)
		return rows["sessions"] == 2 && rows["rounds"] == 2 && rows["turns"] == 6
	}},
	"budget": {nil, func(ctx context.Context, s *store.Store, id string) error {
		_, err := s.SetBudget(ctx, id, debate.Budget{Tokens: 1000})
		return err
	}, func(t *testing.T, s *store.Store, id string) bool { return get(t, s, id).Budget.Tokens == 1000 }},
	"seat": {func(t *testing.T, s *store.Store, id string) { playRound(t, s, id, 1) }, func(ctx context.Context, s *store.Store,
		id string,
	) error {
		free := new(float64)
		other := agents.Profile{ID: "other", Name: "Other", Provider: "q", Model: "gpt-x", PriceIn: free, PriceOut: free}
		_, err := s.ChangeSeat(ctx, id, "ada", other)
		return err
	}, func(t *testing.T, s *store.Store, id string) bool {
		d := get(t, s, id)
		coming, _ := d.Upcoming().Seat("ada")
		changed := len(d.SeatChanges) == 1
		if changed != (coming.Model == "gpt-x") {
			t.Errorf("half done: %+v, %+v", d.SeatChanges, coming)
		}
		return changed
	}},
	"due": {concludedWithOneOpen, func(ctx context.Context, s *store.Store, id string) error {
		again := seat(id, 1, "ada")
		again.Attempt = 2
		return s.SetDue(ctx, id, debate.DueTurn{Turn: again})
	}, func(t *testing.T, s *store.Store, id string) bool {
		d := get(t, s, id)
		again := d.Verdict == nil
		if again != d.History[0].Ended.IsZero() || again != (len(d.History[0].Due) == 1) {
			t.Errorf("half done: verdict %v, %+v", d.Verdict, d.History[0])
		}
		return again
	}},
	"call-retry": {beginOneCall, func(ctx context.Context, s *store.Store, id string) error {
		return s.RetryCall(ctx, seat(id, 1, "ada"), 1, debate.CallRetry{
			Tries: 1, Lost: agents.Usage{Input: 7}, Until: time.Now().Add(time.Hour),
		})
	}, func(t *testing.T, s *store.Store, id string) bool {
		x := get(t, s, id).History[0].Responses[0]
		if waits := !x.WaitUntil.IsZero(); waits != (x.Usage.Input >= 7) {
			t.Errorf("half done: %+v", x)
		}
		return !x.WaitUntil.IsZero()
	}},
	"rename": {
		nil, func(ctx context.Context, s *store.Store, id string) error { return s.Rename(ctx, id, "Another") },
		func(t *testing.T, s *store.Store, id string) bool {
			return get(t, s, id).Title == "Another"
		},
	},
	"delete": {nil, func(ctx context.Context, s *store.Store, id string) error { return s.Delete(ctx, id) }, isGone},
	"new": {nil, func(ctx context.Context, s *store.Store, _ string) error {
		return s.KeepNew(ctx, debate.Draft{Text: "Rust or Go?"})
	}, func(t *testing.T, s *store.Store, _ string) bool {
		return store.Rows(t.Context(), s)["new_debate"] == 1
	}},
	"undelete": {
		func(t *testing.T, s *store.Store, id string) { must.Do(t, s.Delete(t.Context(), id)) },
		func(ctx context.Context, s *store.Store, id string) error { return s.Undelete(ctx, id) },
		func(t *testing.T, s *store.Store, id string) bool { return !isGone(t, s, id) },
	},
	"purge": {
		func(t *testing.T, s *store.Store, id string) { must.Do(t, s.Delete(t.Context(), id)) },
		func(ctx context.Context, s *store.Store, _ string) error { return s.Purge(ctx) },
		func(t *testing.T, s *store.Store, _ string) bool { return store.Rows(t.Context(), s)["texts"] == 0 },
	},
	"workspace": {nil, func(ctx context.Context, s *store.Store, id string) error {
		_, err := s.SetWorkspace(ctx, id, debate.Workspace{Dir: "/moved", Mode: debate.WorkspaceLocal})
		return err
	}, func(t *testing.T, s *store.Store, id string) bool { return get(t, s, id).Workspace.Dir == "/moved" }},
	"settle": {nil, func(ctx context.Context, s *store.Store, id string) error {
		return s.Settle(ctx, id, debate.Settlement{Result: debate.ResultWrong})
	}, func(t *testing.T, s *store.Store, id string) bool { return len(get(t, s, id).Settlements) == 1 }},
	"note": {nil, func(ctx context.Context, s *store.Store, id string) error {
		return s.Note(ctx, id, debate.Notice{Code: "n", Text: "Something."})
	}, func(t *testing.T, s *store.Store, id string) bool { return len(get(t, s, id).Notices) == 1 }},
	"stop": {func(t *testing.T, s *store.Store, id string) { playRound(t, s, id, 1) }, func(ctx context.Context, s *store.Store,
		id string,
	) error {
		_, err := s.Stop(ctx, id, debate.StoppedByUser)
		return err
	}, func(t *testing.T, s *store.Store, id string) bool {
		return get(t, s, id).Stopped == debate.StoppedByUser
	}},
	"add-rounds": {concludedWithOneOpen, func(ctx context.Context, s *store.Store, id string) error {
		_, err := s.AddRounds(ctx, id, 2)
		return err
	}, func(t *testing.T, s *store.Store, id string) bool {
		d := get(t, s, id)
		again := d.Requests[0].State == ledger.Pending
		if more := d.Verdict == nil; more != again || more != (d.Rounds == 3) {
			t.Errorf("half done: %d rounds, %s, verdict %v", d.Rounds, d.Requests[0].State, d.Verdict)
		}
		return again
	}},
	"draft": {func(t *testing.T, s *store.Store, id string) {
		ask(t, s, seat(id, 1, "ada"), "c", "One?", ledger.Required)
		must.Do(t, s.SaveDraft(t.Context(), id, "C1", debate.Draft{Text: "42"}))
	}, func(ctx context.Context, s *store.Store, id string) error {
		return s.SaveDraft(ctx, id, "C1", debate.Draft{})
	}, func(t *testing.T, s *store.Store, id string) bool {
		return len(get(t, s, id).Drafts) == 0
	}},
	"tools": {nil, func(ctx context.Context, s *store.Store, _ string) error {
		return s.ApproveTools(ctx, "x", map[string]string{"a": "", "b": ""})
	}, func(t *testing.T, s *store.Store, _ string) bool {
		all, err := s.ApprovedTools(t.Context(), "x")
		if err != nil || len(all) == 1 {
			t.Errorf("half done: %+v, %v", all, err)
		}
		return len(all) == 2
	}},
	"tool-add": {func(t *testing.T, s *store.Store, id string) {
		beginOneCall(t, s, id)
		must.Do(t, s.Journal(t.Context(), []debate.Text{{Turn: seat(id, 1, "ada"), Text: "I look."}}))
	}, func(ctx context.Context, s *store.Store, id string) error {
		turn := seat(id, 1, "ada")
		return s.AddTool(ctx, turn, 0, debate.Passage{Text: "I look."}, debate.ToolRecord{ID: turn.ToolCall(1), Name: "search"})
	}, func(t *testing.T, s *store.Store, _ string) bool {
		rows := store.Rows(t.Context(), s)
		if rows["partials"]+rows["passages"] != 1 || rows["passages"] != rows["tool_calls"] {
			t.Errorf("half done: %v", rows)
		}
		return rows["tool_calls"] == 1
	}},
	"repair": {func(t *testing.T, s *store.Store, id string) {
		beginOneCall(t, s, id)
		must.Do(t, s.Journal(t.Context(), []debate.Text{{Turn: seat(id, 1, "ada"), Text: "I ho"}}))
	}, func(ctx context.Context, s *store.Store, id string) error {
		_, err := s.Repair(ctx, id)
		return err
	}, func(t *testing.T, s *store.Store, id string) bool {
		rows := store.Rows(t.Context(), s)
		if text := get(t, s, id).History[0].Responses[0].Text(); text != "I ho" {
			t.Errorf("the text is %q, with %d parts of a journal", text, rows["partials"])
		}
		return rows["partials"] == 0
	}},
}

// beginOneCall leaves a seat that has sent its first request.
func beginOneCall(t *testing.T, s *store.Store, id string) {
	beginRound(t, s, id, 1)
	beginCall(t, s, seat(id, 1, "ada"))
}

func isGone(t *testing.T, s *store.Store, id string) bool {
	t.Helper()
	_, err := s.Session(t.Context(), id)
	if err != nil && !errors.Is(err, debate.ErrNoSession) {
		t.Fatal(err)
	}
	return err != nil
}

func concludedWithOneOpen(t *testing.T, s *store.Store, id string) {
	playRound(t, s, id, 1)
	ask(t, s, seat(id, 1, "ada"), "c", "One?", ledger.Required)
	must.Get(s.Stop(t.Context(), id, debate.StoppedByUser))(t)
	must.Get(s.SaveVerdict(t.Context(), id, debate.Verdict{Text: "Move."}))(t)
}

// writeBeside does the write args[2] to the session args[1] of the database args[0].
func writeBeside(ctx context.Context, args []string) error {
	s, err := store.Open(ctx, args[0], store.Options{})
	if err == nil {
		err = otherWrites[args[2]].do(ctx, s, args[1])
	}
	return errors.Join(err, errors.New("it came to the end"))
}

func TestCrash_whatStandsBesideARoundIsAllThereOrNotAtAll(t *testing.T) {
	for point, b := range otherWrites {
		for _, side := range []string{"before", "after"} {
			t.Run(point+":"+side, func(t *testing.T) {
				path, id := closedDatabase(t)
				if b.before != nil {
					s := must.Get(store.Open(t.Context(), path, store.Options{Now: clock()}))(t)
					b.before(t, s, id)
					must.Do(t, s.Close())
				}
				crash(t, child(t, "beside", path, id, point), point+":"+side)
				s := openAt(t, path)
				must.Do(t, store.Check(t.Context(), s))
				if got, want := b.seen(t, s, id), side == "after"; got != want {
					t.Errorf("done %v, want %v", got, want)
				}
			})
		}
	}
}

// Every transaction has a name, and at every name somebody crashes.
func TestCrash_everyPointIsTried(t *testing.T) {
	tried := map[string]bool{
		"schema": true, "backup": true, "copy-name": true, "conversion": true, // by the tests of making and converting a database
		"call-break": true, // by debates that are played with the whole program
	}
	for _, s := range steps {
		tried[s.point] = true
	}
	for point := range otherWrites {
		tried[point] = true
	}
	found := 0
	for _, point := range pointsOf(t) {
		if found++; !tried[point] {
			t.Errorf("nothing crashes at %q", point)
		}
	}
	if found < 30 {
		t.Errorf("only %d points were found in the sources", found)
	}
}

// pointsOf returns the names of the store's transactions, as its sources have them.
func pointsOf(t *testing.T) (points []string) {
	t.Helper()
	names := must.Get(filepath.Glob("*.go"))(t)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := must.Get(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := ""
			switch f := call.Fun.(type) {
			case *ast.Ident:
				name = f.Name
			case *ast.SelectorExpr:
				name = f.Sel.Name
			}
			at := map[string]int{"write": 1, "updateSession": 1, "update": 2, "crashAt": 0}
			i, ok := at[name]
			if !ok || i >= len(call.Args) {
				return true
			}
			if lit, ok := call.Args[i].(*ast.BasicLit); ok {
				point := must.Get(strconv.Unquote(lit.Value))(t)
				points = append(points, point)
			}
			return true
		})
	}
	return points
}
