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

// beside is a write that is no step of a round: what it needs, what it does, and how to see that
// it was done.
type beside struct {
	before func()
	do     func() error
	seen   func() bool
}

// besides returns these writes by their points. In the process that crashes there is no test.
func besides(ctx context.Context, t *testing.T, s *store.Store, id string) map[string]beside {
	nothing, ada := func() {}, seat(id, 1, "ada")
	again := ada
	again.Attempt = 2
	rows := func() map[string]int { return store.Rows(ctx, s) }
	session := func() debate.Session { return get(t, s, id) }
	isGone := func() bool {
		_, err := s.Session(ctx, id)
		return errors.Is(err, debate.ErrNoSession)
	}
	played := func() { playRound(t, s, id, 1) }
	deleted := func() { must.Do(t, s.Delete(ctx, id)) }
	journaled := func() { // a seat that has sent its first request
		beginRound(t, s, id, 1)
		beginCall(t, s, ada)
		must.Do(t, s.Journal(ctx, []debate.Text{{Turn: ada, Text: "I look."}}))
	}
	asked := func() { ask(t, s, ada, "c", "One?", ledger.Required) }
	concluded := func() { // with a question open
		played()
		asked()
		must.Get(s.Stop(ctx, id, debate.StoppedByUser))(t)
		must.Get(s.SaveVerdict(ctx, id, debate.Verdict{Text: "Move."}))(t)
	}
	whole := func(done, isWhole bool) bool {
		if !isWhole {
			t.Errorf("half done: %+v, %v", session(), rows())
		}
		return done
	}
	return map[string]beside{
		"create": {nothing, func() error { return only(s.Create(ctx, panel())) }, func() bool { return rows()["sessions"] == 2 }},
		"fork": {played, func() error { return only(s.Fork(ctx, id, debate.ForkPlan{Round: 1})) }, func() bool {
			return rows()["sessions"] == 2 && rows()["rounds"] == 2 && rows()["turns"] == 6
		}},
		"budget": {nothing, func() error { return only(s.SetBudget(ctx, id, debate.Budget{Tokens: 1000})) }, func() bool {
			return session().Budget.Tokens == 1000
		}},
		"seat": {played, func() error {
			free := new(float64)
			other := agents.Profile{ID: "other", Name: "Other", Provider: "q", Model: "gpt-x", PriceIn: free, PriceOut: free}
			return only(s.ChangeSeat(ctx, id, "ada", other))
		}, func() bool {
			coming, _ := session().Upcoming().Seat("ada")
			changed := len(session().SeatChanges) == 1
			return whole(changed, changed == (coming.Model == "gpt-x"))
		}},
		"due": {concluded, func() error { return s.SetDue(ctx, id, debate.DueTurn{Turn: again}) }, func() bool {
			r, open := session().History[0], session().Verdict == nil
			return whole(open, open == r.Ended.IsZero() && open == (len(r.Due) == 1))
		}},
		"call-retry": {journaled, func() error {
			return s.RetryCall(ctx, ada, 1, debate.CallRetry{Tries: 1, Lost: agents.Usage{Input: 7}, Until: time.Now().Add(time.Hour)})
		}, func() bool {
			x := session().History[0].Responses[0]
			return whole(!x.WaitUntil.IsZero(), x.WaitUntil.IsZero() == (x.Usage.Input < 7))
		}},
		"rename":   {nothing, func() error { return s.Rename(ctx, id, "Another") }, func() bool { return session().Title == "Another" }},
		"delete":   {nothing, func() error { return s.Delete(ctx, id) }, isGone},
		"undelete": {deleted, func() error { return s.Undelete(ctx, id) }, func() bool { return !isGone() }},
		"purge":    {deleted, func() error { return s.Purge(ctx) }, func() bool { return rows()["texts"] == 0 }},
		"new": {nothing, func() error { return s.KeepNew(ctx, debate.Draft{Text: "Go?"}) }, func() bool {
			return rows()["new_debate"] == 1
		}},
		"workspace": {nothing, func() error {
			return only(s.SetWorkspace(ctx, id, debate.Workspace{Dir: "/moved", Mode: debate.WorkspaceLocal}))
		}, func() bool { return session().Workspace.Dir == "/moved" }},
		"settle": {nothing, func() error { return s.Settle(ctx, id, debate.Settlement{Result: debate.ResultWrong}) }, func() bool {
			return len(session().Settlements) == 1
		}},
		"note": {nothing, func() error { return s.Note(ctx, id, debate.Notice{Code: "n", Text: "Something."}) }, func() bool {
			return len(session().Notices) == 1
		}},
		"stop": {played, func() error { return only(s.Stop(ctx, id, debate.StoppedByUser)) }, func() bool {
			return session().Stopped == debate.StoppedByUser
		}},
		"add-rounds": {concluded, func() error { return only(s.AddRounds(ctx, id, 2)) }, func() bool {
			d := session()
			more := d.Verdict == nil
			return whole(more, more == (d.Requests[0].State == ledger.Pending) && more == (d.Rounds == 3))
		}},
		"draft": {func() {
			asked()
			must.Do(t, s.SaveDraft(ctx, id, "C1", debate.Draft{Text: "42"}))
		}, func() error { return s.SaveDraft(ctx, id, "C1", debate.Draft{}) }, func() bool { return len(session().Drafts) == 0 }},
		"tools": {nothing, func() error { return s.ApproveTools(ctx, "x", map[string]string{"a": "", "b": ""}) }, func() bool {
			all := must.Get(s.ApprovedTools(ctx, "x"))(t)
			return whole(len(all) == 2, len(all) != 1)
		}},
		"tool-add": {journaled, func() error {
			return s.AddTool(ctx, ada, 0, debate.Passage{Text: "I look."}, debate.ToolRecord{ID: ada.ToolCall(1), Name: "search"})
		}, func() bool {
			n := rows()
			return whole(n["tool_calls"] == 1, n["partials"]+n["passages"] == 1 && n["passages"] == n["tool_calls"])
		}},
		"repair": {journaled, func() error { return only(s.Repair(ctx, id)) }, func() bool {
			return whole(rows()["partials"] == 0, session().History[0].Responses[0].Text() == "I look.")
		}},
	}
}

// writeBeside does the write args[2] to the session args[1] of the database args[0].
func writeBeside(ctx context.Context, args []string) error {
	s, err := store.Open(ctx, args[0], store.Options{})
	if err == nil {
		err = besides(ctx, nil, s, args[1])[args[2]].do()
	}
	return errors.Join(err, errors.New("it came to the end"))
}

func TestCrash_whatStandsBesideARoundIsAllThereOrNotAtAll(t *testing.T) {
	for point := range besides(t.Context(), t, nil, "") {
		for _, side := range []string{"before", "after"} {
			t.Run(point+":"+side, func(t *testing.T) {
				path, id := closedDatabase(t)
				s := must.Get(store.Open(t.Context(), path, store.Options{Now: clock()}))(t)
				besides(t.Context(), t, s, id)[point].before()
				must.Do(t, s.Close())
				crash(t, child(t, "beside", path, id, point), point+":"+side)
				s = openAt(t, path)
				must.Do(t, store.Check(t.Context(), s))
				if got, want := besides(t.Context(), t, s, id)[point].seen(), side == "after"; got != want {
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
	for _, s := range stepsOf(t.Context(), nil, "") {
		tried[s.point] = true
	}
	for point := range besides(t.Context(), t, nil, "") {
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
