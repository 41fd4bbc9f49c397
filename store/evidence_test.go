package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func file(name, text string) debate.Evidence {
	return debate.NewEvidence(name, debate.EvidenceFile, text, "")
}

func ids(d debate.Session) string {
	var out []string
	for _, e := range d.Evidence {
		out = append(out, e.ID+"="+e.Name)
	}
	return strings.Join(out, " ")
}

func TestCreate_storesEvidenceInItsOrder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := openAt(t, path)
	noted := debate.NewEvidence("b.diff", debate.EvidenceDiff, "+ü\n", "It was converted from UTF-16.")
	in := panel()
	in.Evidence = []debate.Evidence{file("a.go", "one\n"), noted, file("empty", "")}
	in.Workspace = debate.Workspace{Dir: "/src", Mode: debate.WorkspaceClone, Commands: true}
	d := must.Get(s.Create(t.Context(), in))(t)
	want := slices.Clone(in.Evidence)
	for i := range want {
		want[i].ID, want[i].Added = fmt.Sprintf("F%d", i+1), d.Created
	}
	for name, got := range map[string]debate.Session{"created": d, "read": get(t, s, d.ID), "opened again": get(t, openAt(t, path), d.ID)} {
		if diff := cmp.Diff(want, got.Evidence); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if got.Workspace != in.Workspace {
			t.Errorf("%s: workspace %+v", name, got.Workspace)
		}
	}
	if d := create(t, s); d.Evidence != nil || d.Workspace != (debate.Workspace{}) {
		t.Errorf("a session without any has %+v and %+v", d.Evidence, d.Workspace)
	}
}

func TestAddEvidence_comesWithTheNextRoundAndForks(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	in := panel()
	in.Evidence, in.Workspace = []debate.Evidence{file("a", "one\n")}, debate.Workspace{Dir: "/src", Mode: debate.WorkspaceLocal}
	d := must.Get(s.Create(t.Context(), in))(t)
	playRound(t, s, d.ID, 1)
	added := file("b", "two\n")
	added.Added = time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	d = must.Get(s.AddEvidence(t.Context(), d.ID, added, file("a", "one\n"), file("a", "another\n"), added))(t)
	if got := ids(d); got != "F1=a F2=b F3=a" || !d.Evidence[1].Added.Equal(added.Added) || d.Evidence[2].Added.IsZero() {
		t.Errorf("the session has %s: %+v", got, d.Evidence)
	}
	again := must.Get(s.AddEvidence(t.Context(), d.ID, file("b", "two\n")))(t)
	if diff := cmp.Diff(d.Evidence, again.Evidence); diff != "" {
		t.Errorf("what is there was added again: %s", diff)
	}
	if n := cite.EvidenceRound(again, "F2"); n != 0 {
		t.Errorf("F2 is said to have come with round %d", n)
	}
	for round := range 2 {
		fork := must.Get(s.Fork(t.Context(), d.ID, debate.ForkPlan{Round: round}))(t)
		if diff := cmp.Diff(again.Evidence, fork.Evidence); diff != "" || fork.Workspace != in.Workspace {
			t.Errorf("a fork at round %d has the workspace %+v and the evidence\n%s", round, fork.Workspace, diff)
		}
		if got := playRound(t, s, fork.ID, round+1).Current().Manifest.Evidence; len(got) != 3 {
			t.Errorf("round %d of the fork starts from %v", round+1, got)
		}
	}
	if n := store.Rows(t.Context(), s)["evidence_texts"]; n != 3 {
		t.Errorf("%d texts", n)
	}
	d = playRound(t, s, d.ID, 2)
	for i, want := range []string{"F1", "F1 F2 F3"} {
		if got := strings.Join(d.History[i].Manifest.Evidence, " "); got != want {
			t.Errorf("round %d starts from %q, want %q", i+1, got, want)
		}
	}
	if a, b := cite.EvidenceRound(d, "F1"), cite.EvidenceRound(d, "F2"); a != 1 || b != 2 {
		t.Errorf("F1 came with round %d, F2 with round %d", a, b)
	}
}

func TestAddEvidence_refusesByName(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	big := strings.Repeat("x", debate.MaxEvidenceSize)
	full := []debate.Evidence{file("1", big), file("2", big), file("3", big), file("4", big[1:])}
	for _, c := range []struct {
		name string
		has  []debate.Evidence
		add  debate.Evidence
		want string
	}{
		{"too large", nil, file("big.txt", big+"y"), "big.txt: It has more than 2 MB."},
		{"together too large", full, file("y", "yy"), "y: With it the evidence would have more than 8 MB."},
		{"binary", nil, file("a.out", "\x7fELF\x00"), "a.out: It is not text in UTF-8."},
		{"invalid", nil, file("latin1", "\xfc"), "latin1: It is not text in UTF-8."},
		{"nameless", nil, file(" ", "x"), "needs a name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := panel()
			in.Evidence = slices.Clone(c.has)
			d := must.Get(s.Create(t.Context(), in))(t)
			_, err := s.AddEvidence(t.Context(), d.ID, file("first", "x"), c.add)
			refused := (*debate.RefusedError)(nil)
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
			if got := get(t, s, d.ID); len(got.Evidence) != len(c.has) {
				t.Errorf("of what is refused, the session has %s", ids(got))
			}
			in.Evidence = append(in.Evidence, c.add)
			if _, err := s.Create(t.Context(), in); !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("a session is created: %v, want %q", err, c.want)
			}
		})
	}
	if _, err := s.AddEvidence(t.Context(), "k7m2x9qd4t", file("a", "x")); !errors.Is(err, debate.ErrNoSession) {
		t.Errorf("of a session that is not there: %v", err)
	}
}
