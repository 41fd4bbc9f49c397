package oracle

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// What the oracle says is held against debate/verdict by that package's test; here is that its
// debates reach all that it may say.
func TestSeedsReachAll(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(5000) {
		p := Generate(seed)
		if !reflect.DeepEqual(p, Generate(seed)) {
			t.Fatal("not the same twice", seed)
		}
		w := Judge(p)
		seen["kind:"+w.Result.Kind]++
		seen["ended:"+p.Ended]++
		seen["same:"+strconv.FormatBool(w.Same)]++
		if w.Was != nil {
			seen["was:"+w.Was.Kind]++
		}
		for _, c := range w.Cautions {
			seen["caution:"+c.ID]++
		}
		for _, label := range []string{"yes", "Redis", "clean", "no-agreed", "answered"} {
			if Require(p, label, true, true) {
				seen["met:"+label]++
			}
		}
	}
	for _, want := range strings.Fields(`kind:side kind:undecided kind:split kind:no_majority kind:no_votes kind:none kind:estimate
		kind:ranking kind:findings kind:text was:side was:split was:no_majority was:undecided was:estimate same:true same:false
		caution:unanswered caution:open_question caution:unread_answer caution:other_author caution:not_ended caution:stopped
		caution:no_vote caution:unreadable_vote caution:stale_vote caution:no_concerns caution:no_reply caution:cut_prompts
		caution:report_cut caution:unread_evidence caution:missed_turn caution:shared_tool caution:changed_model caution:one_model
		caution:one_voter caution:narrow caution:no_questions caution:unknown_citation caution:blind met:yes met:Redis met:clean
		met:no-agreed met:answered ended:agreement ended:settled ended:chair ended:hang`) {
		if seen[want] == 0 {
			t.Error("never seen: ", want)
		}
	}
}
