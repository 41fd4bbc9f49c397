package oracle

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"roundtable/internal/testing/must"
)

func judge(t *testing.T, p Panel) Want {
	t.Helper()
	text, err := json.Marshal(p)
	must.Do(t, err)
	w, err := Judge(text)
	must.Do(t, err)
	return w
}

// tally counts what a panel reaches.
func tally(t *testing.T, p Panel, seen map[string]int) {
	w := judge(t, p)
	seen["kind "+w.Result.Kind]++
	seen["mode "+p.Mode.Name]++
	seen["ended "+p.Ended]++
	seen["incomplete "+strconv.FormatBool(w.Incomplete)]++
	if w.Was != nil {
		seen["was "+w.Was.Kind]++
	}
	seen["same "+strconv.FormatBool(w.Same)]++
	for _, c := range w.Cautions {
		seen["caution "+c.ID]++
		if slices.Contains(c.Perhaps, true) {
			seen["cut suspected"]++
		}
		if slices.Contains(c.Perhaps, false) {
			seen["cut known"]++
		}
		if c.ID == "stopped" {
			seen["stopped "+c.How]++
			if c.Rounds[0] == 2 && c.How == "in" {
				seen["stopped in round 2 by "+p.Ended]++
			}
		}
	}
	for _, v := range w.Votes {
		seen["cell "+v.State]++
		seen["arrow "+v.Arrow]++
	}
	for _, label := range []string{"yes", "Redis", "clean", "no-agreed", "answered"} {
		if Require(p, label, true, true) {
			seen["met "+label]++
			if !Require(p, label, false, false) {
				seen["met only with both allowances"]++
			}
		}
	}
	if w.Line.Topic != nil {
		seen["second part unanswered "+strconv.FormatBool(w.Line.Topic.Unanswered)]++
	}
	if w.Line.Last != nil {
		seen["last part open "+strconv.FormatBool(w.Line.Last.Open)]++
	}
}

// What the oracle says is held against debate/verdict by that package's test; here is that its
// debates reach all that it may say.
func TestSeedsReachAll(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(5000) {
		p := Generate(seed)
		if !reflect.DeepEqual(p, Generate(seed)) {
			t.Fatal("not the same twice", seed)
		}
		tally(t, p, seen)
	}
	for _, want := range strings.Fields(`kind:side kind:undecided kind:split kind:no_majority kind:no_votes kind:none kind:estimate
		kind:ranking kind:findings kind:text was:side was:split was:no_majority was:undecided was:estimate same:true same:false
		caution:unanswered caution:open_question caution:unread_answer caution:other_author caution:not_ended caution:stopped
		caution:no_vote caution:unreadable_vote caution:stale_vote caution:no_concerns caution:no_reply caution:cut_prompts
		caution:report_cut caution:unread_evidence caution:missed_turn caution:shared_tool caution:changed_model caution:one_model
		caution:one_voter caution:narrow caution:no_questions caution:unknown_citation caution:blind met:yes met:Redis met:clean
		met:no-agreed met:answered ended:agreement ended:settled ended:chair ended:hang`) {
		if name := strings.Replace(want, ":", " ", 1); seen[name] == 0 {
			t.Error("never seen: ", name)
		}
	}
}
