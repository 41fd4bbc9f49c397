package tui_test

import (
	"testing"
	"time"

	"roundtable/debate"
)

// A round of several phases is not over when everybody has spoken in it.
func TestResume_saysWhichPhaseOfARoundIsToCome(t *testing.T) {
	bubble(t, func() debate.Session {
		s := held(3, 2, 4)
		s.Mode.Order, s.Mode.Phases = debate.Parallel, []debate.Phase{{Name: "cross-evaluation", Order: debate.Parallel, First: "Judge.", Later: "Judge.", Last: "Judge."}}
		r := &s.History[1]
		r.Ended, r.Consensus, r.Manifest = time.Time{}, nil, debate.Manifest{Round: 2, Rounds: 4}
		for i, p := range s.Seats {
			r.Manifest.Seats = append(r.Manifest.Seats, p.ID)
			r.Responses[i].Turn.Step = 0
		}
		judged := r.Responses[0]
		judged.Turn.Step, judged.Phase = 1, "cross-evaluation"
		r.Responses = append(r.Responses, judged)
		return s
	}, func(r *rig, _ *scripted) {
		r.sees("Ada is done and is not asked again. Brook and Cy are yet to come to the cross-evaluation.", "space runs Brook and Cy. Nothing runs until you say so.")
	})
}
