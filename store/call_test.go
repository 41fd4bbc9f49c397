package store_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// An equal call of an assistant, from whatever process, finds the session that it began, as
// long as that lives: for ten minutes after its last change.
func TestCreate_findsTheSessionOfAnEqualCall(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meanwhile func(t *testing.T, s *store.Store, id string)
		later     time.Duration
		call      debate.Call
		same      bool
	}{
		"at once":     {call: debate.Call{Key: "k"}, same: true},
		"in time":     {call: debate.Call{Key: "k"}, later: 10*time.Minute - time.Second, same: true},
		"too late":    {call: debate.Call{Key: "k"}, later: 10 * time.Minute},
		"other words": {call: debate.Call{Key: "l"}},
		"no call":     {},
		"another":     {call: debate.Call{Key: "k", New: true}},
		"changed": {func(t *testing.T, s *store.Store, id string) {
			must.Do(t, s.Rename(t.Context(), id, "Billing"))
		}, 15 * time.Minute, debate.Call{Key: "k"}, true},
		"interrupted": {func(t *testing.T, s *store.Store, id string) {
			beginRound(t, s, id, 1)
			speak(t, s, seat(id, 1, "ada"), "Yes.")
		}, 0, debate.Call{Key: "k"}, true},
		"failed": {func(t *testing.T, s *store.Store, id string) {
			beginRound(t, s, id, 1)
			for _, who := range []agents.ID{"ada", "brook", "cy"} {
				turn := seat(id, 1, who)
				must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{
					Response: debate.Response{Turn: turn, SnapshotHash: "h"}, Purpose: debate.ForMember,
				}))
				must.Get(s.EndTurn(t.Context(), debate.TurnEnd{Purpose: debate.ForMember, Response: debate.Response{
					Turn: turn, State: debate.TurnFailed, Failure: &debate.TurnFailure{Cause: "The server is down."},
				}}))(t)
			}
		}, 0, debate.Call{Key: "k"}, false},
		"cancelled": {func(t *testing.T, s *store.Store, id string) {
			must.Get(s.Stop(t.Context(), id, debate.StoppedByUser))(t)
		}, 0, debate.Call{Key: "k"}, false},
		"deleted": {func(t *testing.T, s *store.Store, id string) {
			must.Do(t, s.Delete(t.Context(), id))
		}, 0, debate.Call{Key: "k"}, false},
		"forked": {func(t *testing.T, s *store.Store, id string) {
			must.Get(s.Fork(t.Context(), id, debate.ForkPlan{}))(t)
			must.Do(t, s.Delete(t.Context(), id))
		}, 0, debate.Call{Key: "k"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, now := filepath.Join(t.TempDir(), "roundtable.db"), noon
			o := store.Options{Now: func() time.Time { return now }}
			first, second, d := openWith(t, path, o), openWith(t, path, o), panel()
			d.Call = debate.Call{Key: "k"}
			begun := must.Get(first.Create(t.Context(), d))(t)
			if now = now.Add(test.later / 2); test.meanwhile != nil {
				test.meanwhile(t, first, begun.ID)
			}
			now, d.Call = now.Add(test.later-test.later/2), test.call
			again, err := second.Create(t.Context(), d)
			var same *debate.BegunError
			switch {
			case test.same && (!errors.As(err, &same) || same.Session != begun.ID):
				t.Errorf("%+v, %v, want %s", again.ID, err, begun.ID)
			case !test.same && (err != nil || again.ID == begun.ID):
				t.Errorf("%s, %v", again.ID, err)
			}
		})
	}
}

// Words that an assistant proposed, as those of a draft, are told apart from the person's own.
func TestAnswer_namesWhoProposedTheDraft(t *testing.T) {
	t.Parallel()
	person := ledger.ByPerson("interface")
	proposal := debate.Draft{Text: "42 a second,\nat month end", ProposedBy: "aide"}
	answered, unavailable := ledger.Answered, ledger.Unavailable
	for name, test := range map[string]struct {
		typed   *debate.Draft // by the person, over the proposal
		outcome ledger.Outcome
		content string
		by      ledger.Author
		want    string
	}{
		"accepted":     {nil, answered, "42 a second, at month end", person, "aide"},
		"saved":        {&debate.Draft{Text: proposal.Text, Source: "log"}, answered, proposal.Text, person, "aide"},
		"changed":      {nil, answered, "43 a second, at month end", person, ""},
		"typed":        {&debate.Draft{Text: "43"}, answered, "43", person, ""},
		"turned round": {nil, unavailable, proposal.Text, person, ""},
		"by a command": {nil, answered, proposal.Text, ledger.Author{Kind: ledger.Command}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, id := newDebate(t)
			ask(t, s, seat(id, 1, "ada"), "c", "One?", ledger.Required)
			must.Do(t, s.SaveDraft(t.Context(), id, "C1", proposal))
			if d := get(t, s, id).Drafts["C1"]; d.ProposedBy != "aide" {
				t.Errorf("%+v", d)
			}
			if test.typed != nil {
				must.Do(t, s.SaveDraft(t.Context(), id, "C1", *test.typed))
			}
			must.Get(s.Answer(t.Context(), id, ledger.Submission{
				Request: "C1", Outcome: test.outcome, Content: test.content, By: test.by,
			}))(t)
			if a, _ := get(t, s, id).Requests[0].Answer(); a.Author.ProposedBy != test.want || a.Author.Kind != test.by.Kind {
				t.Errorf("%+v, want a proposal of %q", a.Author, test.want)
			}
		})
	}
}
