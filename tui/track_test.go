package tui_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"roundtable/debate"
	"roundtable/debate/track"
	"roundtable/internal/keymap"
)

// turnedOut has a track of its own.
type turnedOut struct {
	*scripted
	track track.Track
	err   error
}

func (s turnedOut) Track(context.Context) (track.Track, error) { return s.track, s.err }

func aTrack() track.Track {
	rate := func(v, low, high float64) *track.Rate { return &track.Rate{Value: v, Low: low, High: high} }
	t := track.Track{
		Summary:  "12 settled: 9 right, 2 wrong, 1 mixed. Unanimous first votes: 6 of 6 right. 1 estimate settled. Still open: 1.",
		Verdicts: track.Count{Right: 9, Wrong: 2, Mixed: 1, Open: 1},
		FirstVotes: []track.Row{
			{Name: "unanimous", Count: track.Count{Right: 6, Open: 1, Rate: rate(1, .61, 1)}},
			{Name: "majority", Count: track.Count{Right: 3, Wrong: 2, Mixed: 1, Rate: rate(.6, .23, .88)}},
		},
		Shares:     []track.Row{{Name: "51-74", Count: track.Count{Right: 3, Wrong: 2, Rate: rate(.6, .23, .88)}}},
		Confidence: []track.Row{{Name: "not_stated", Count: track.Count{Right: 1}}},
		Estimates: track.Estimates{Known: 1, List: []track.Estimate{{
			Session: "k7m2x9qd4t", Name: "How long\x1b[2J?", Outcome: "it was 11 weeks; the median of 10 weeks is 9 % too low, inside the range",
		}}},
		Reviews:      track.Reviews{Known: 1, Findings: []track.Findings{{State: debate.FindingConfirmed, Real: 4, False: 1, Unsaid: 2}}},
		ByAssistants: 2, Demos: 1,
	}
	for n, name := range []string{"gpt-5-mini", "hf.co/bartowski/Qwen2.5-Coder-32B-Instruct-GGUF:Q4_K_M", "mistral\x1b[2J-large"} {
		t.Models = append(t.Models, track.Model{
			Model: name, Right: 9 - n, Wrong: n, Rate: rate(.8, .5, .9), Against: n, With: 1, Differs: n, Of: 9, Mixed: 1,
		})
	}
	for n := range 20 {
		t.Models = append(t.Models, track.Model{Model: fmt.Sprintf("model-%02d", n), Right: 1, Of: 1})
	}
	return t
}

func TestTrack_atAllSizes(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {140, 40}, {40, 12}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := storing(concluded())
				deps := script.deps()
				deps.Sessions = turnedOut{scripted: script, track: aTrack()}
				r := start(t, size[0], size[1], deps)
				defer r.stop()
				r.press("T")
				r.golden(size[0], size[1])
				r.press("G")
				r.sees("1 demo debate was left out")
				r.misses("below")
				r.press("g", "space")
				r.misses("12 settled")
				r.press("esc")
				r.sees("+ New debate")
			})
		})
	}
}

// Without an outcome the screen says how one is said, by the user's own key.
func TestTrack_ofNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := storing(concluded())
		deps := script.deps()
		deps.Keys = keymap.Changes{"outcome": {"W"}}
		r := start(t, 80, 24, deps)
		defer r.stop()
		r.press("T")
		r.sees("Track record", "No verdict has turned out yet.", "with W on the list of debates or on a verdict", "outcome ID right`")
		r.press("esc")
		script.fail = errors.New("the disk is gone")
		r.press("T")
		r.sees("Cannot read the outcomes: The disk is gone.")
		r.misses("Track record")
	})
}
