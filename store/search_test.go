package store_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestMatches_showsWhereTheWordsAre(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	other := create(t, s).ID
	must.Do(t, s.Rename(ctx, id, "請求システムをSQLiteへ移すか"))
	beginRound(t, s, id, 1)
	speak(t, s, seat(id, 1, "brook"), "Move, but keep the\n\nledger Append-Only. "+strings.Repeat("More words follow here. ", 20))
	reviewer := seat(id, 1, "cy")
	must.Do(t, s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: reviewer, SnapshotHash: "h"}, Purpose: debate.ForMember}))
	must.Get(s.EndTurn(ctx, debate.TurnEnd{Purpose: debate.ForMember, Response: debate.Response{
		Turn: reviewer, State: debate.TurnDone,
		Statement: debate.Statement{Body: "Two defects.", Findings: []debate.Finding{{Title: "A lock leaks"}, {Title: "An index is off by one"}}},
	}}))(t)
	ask(t, s, seat(id, 1, "ada"), "c", "Audit logs?", ledger.Required)
	answer(t, s, id, "C1", "They are append-only, and kept for 100 % of seven years.")
	must.Get(s.EndRound(ctx, id, 1, nil, debate.NotStopped))(t)
	must.Get(s.AddEvidence(ctx, id, debate.NewEvidence("queue.md", debate.EvidenceFile, "The broker drops nothing.\n", "")))(t)
	must.Get(s.SaveVerdict(ctx, id, debate.Verdict{Text: "One queue, with an append-only outbox: naïve ＦＵＬＬＷＩＤＴＨ."}))(t)

	for _, c := range []struct {
		text string
		want []store.Match
	}{
		{"append-only", []store.Match{
			{Place: debate.InStatement, Round: 1, Agent: "brook", Before: "Move, but keep the ledger ", Hit: "Append-Only"},
			{Place: debate.InAnswer, Request: "C1", Before: "They are ", Hit: "append-only"},
			{Place: debate.InVerdict, Before: "One queue, with an ", Hit: "append-only"},
		}},
		{"APPEND outbox", []store.Match{{Place: debate.InVerdict, Before: "One queue, with an ", Hit: "append"}}},
		{"システム", []store.Match{{Place: debate.InTitle, Before: "請求", Hit: "システム"}}},
		{"fullwidth nai\u0308ve", []store.Match{
			{Place: debate.InVerdict, Before: "One queue, with an append-only outbox: naïve ", Hit: "ＦＵＬＬＷＩＤＴＨ"},
		}},
		{"100 %", []store.Match{{Place: debate.InAnswer, Request: "C1", Before: "They are append-only, and kept for ", Hit: "100"}}},
		{"% of seven", []store.Match{{Place: debate.InAnswer, Request: "C1", Before: "They are append-only, and kept for 100 ", Hit: "%"}}},
		{"broker", []store.Match{{Place: debate.InEvidence, Request: "F1", Before: "queue.md The ", Hit: "broker"}}},
		{"off by", []store.Match{{
			Place: debate.InStatement, Round: 1, Agent: "cy", Before: "Two defects. A lock leaks An index is ", Hit: "off",
		}}},
		{"replies", []store.Match{{Place: debate.InVerdict, Before: "prompt cut after 1 ", Hit: "replies"}}}, // a caution
		{"append-olny", nil},
		{"' OR 1=1", nil},
	} {
		t.Run(c.text, func(t *testing.T) {
			found := must.Get(s.Matches(ctx, store.Query{Text: c.text}))(t)
			if len(found) != min(1, len(c.want)) {
				t.Fatalf("%d sessions", len(found))
			}
			if len(c.want) == 0 {
				return
			}
			got := found[0].Matches
			for i := range got {
				if strings.Contains(got[i].After, "\n") || len(got[i].After) > 200 {
					t.Errorf("after: %q", got[i].After)
				}
				got[i].After = ""
			}
			if diff := cmp.Diff(c.want, got); diff != "" || found[0].ID != id || found[0].Total != len(c.want) {
				t.Error(found[0].ID, found[0].Total, diff)
			}
		})
	}

	found := must.Get(s.Matches(ctx, store.Query{Text: "billing"}))(t)
	if len(found) != 2 || found[1].ID != other || found[1].Matches[0].Place != debate.InTopic || found[1].Status != debate.Drafted {
		t.Errorf("%+v", found)
	}
}

// What is stored as JSON is found as it was typed: keys and the escapes of JSON are not.
func TestMatches_readsTextsAsTheyWereTyped(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	beginRound(t, s, id, 1)
	const said = `They call it a "staged" move from C:\billing on Hauptstraße. A tab` + "\tends here, and\na line there; 1 < 2 & done\u2028."
	speak(t, s, seat(id, 1, "brook"), said)
	ask(t, s, seat(id, 1, "ada"), "c", "Where?", ledger.Required)
	answer(t, s, id, "C1", `At "Nordstraße", \\files`)
	must.Get(s.EndRound(ctx, id, 1, nil, debate.NotStopped))(t)
	must.Get(s.SaveVerdict(ctx, id, debate.Verdict{Text: "The \"slow\" way\nwins."}))(t)
	for word, want := range map[string][]string{
		"position": nil, "content": nil, "passages": nil, "ntab": nil, "NORDSTRAßE": {"Nordstraße"},
		`"staged"`: {`"staged"`}, `"slow"`: {`"slow"`}, `\"`: nil, `c:\billing`: {`C:\billing`}, `\\files`: {`\\files`}, `\\\\`: nil,
		"straße": {"straße", "straße"}, "ß": {"ß", "ß"}, "tab ends": {"tab"}, "and a line": {"and"}, "wins": {"wins"},
		"nwins": nil, "tends": nil, "<": {"<"}, "u003c": nil, "&": {"&"}, "u2028": nil,
	} {
		found := must.Get(s.Matches(ctx, store.Query{Text: word}))(t)
		var hits []string
		for _, f := range found {
			for _, m := range f.Matches {
				hits = append(hits, m.Hit)
			}
		}
		if diff := cmp.Diff(want, hits); diff != "" {
			t.Errorf("%s: %s", word, diff)
		}
	}
}

func TestMatches_forgetsWhatIsNoLongerThere(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	must.Do(t, s.Rename(ctx, id, "Platypus"))
	must.Do(t, s.Rename(ctx, id, ""))
	playRound(t, s, id, 1)
	must.Get(s.SaveVerdict(ctx, id, debate.Verdict{Text: "Platypus"}))(t)
	must.Get(s.AddRounds(ctx, id, 1))(t)
	if found, err := s.Sessions(ctx, store.Query{Text: "platypus"}); err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
	must.Do(t, s.Delete(ctx, id))
	if found, err := s.Sessions(ctx, store.Query{Text: "billing"}); err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
}

func TestMatches_showsAFewAndCountsAll(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	for i := range 20 {
		turn := seat(id, 1, "ada")
		must.Get(s.Ask(t.Context(), turn, turn.ToolCall(i), ledger.Question{Query: strings.Repeat("q", i+1), Reason: "r"}, ledger.Caps{}))(t)
	}
	for _, r := range get(t, s, id).Requests {
		answer(t, s, id, r.ID, "marsupial")
	}
	found := must.Get(s.Matches(t.Context(), store.Query{Text: "marsupial"}))(t)
	if len(found[0].Matches) != 5 || found[0].Total != 20 {
		t.Errorf("%d of %d", len(found[0].Matches), found[0].Total)
	}
}
