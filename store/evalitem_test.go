package store_test

import (
	"path/filepath"
	"sync"
	"testing"

	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// Two processes that create the debate of an item at once get the same one, and a deleted one
// does not count.
func TestCreate_storesAnItemOfAnEvaluationOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "roundtable.db")
	stores := []*store.Store{openAt(t, path), openAt(t, path)}
	item := panel()
	item.Eval = &debate.EvalItem{Name: "set", Key: "k"}
	ids := make([]string, 8)
	var wait sync.WaitGroup
	for i := range ids {
		wait.Go(func() {
			d, err := stores[i%2].Create(t.Context(), item)
			if err != nil {
				t.Error(err)
			}
			ids[i] = d.ID
		})
	}
	wait.Wait()
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Fatalf("%q", ids)
		}
	}
	known := must.Get(stores[0].EvalItems(t.Context(), "set"))(t)
	if known["k"] != ids[0] {
		t.Errorf("%v, want %s", known, ids[0])
	}
	create(t, stores[0])
	for name, want := range map[string]int{"": 1, "set": 1, "other": 0} { // a list leaves out the debates of evaluations
		list, err := stores[0].Sessions(t.Context(), store.Query{Eval: name})
		if err != nil || len(list) != want || want == 1 && (list[0].ID == ids[0]) != (name == "set") {
			t.Errorf("of %q: %d debates, %v", name, len(list), err)
		}
	}
	must.Do(t, stores[0].Delete(t.Context(), ids[0]))
	if again, err := stores[1].Create(t.Context(), item); err != nil || again.ID == ids[0] {
		t.Errorf("the deleted %s, %v", again.ID, err)
	}
}
