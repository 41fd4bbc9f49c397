package track_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"roundtable/debate"
	"roundtable/debate/track"
)

// drawn is a debate as it was drawn: who voted how first and last, and what was said afterwards.
type drawn struct {
	models, first, last []string
	outcome             string
}

func drawDebate(t *rapid.T) drawn {
	n := rapid.IntRange(2, 5).Draw(t, "seats")
	list := func(name string, of ...string) []string {
		return rapid.SliceOfN(rapid.SampledFrom(of), n, n).Draw(t, name)
	}
	return drawn{
		list("models", "a", "b", "c"), list("first", "yes", "no", "?", "-"), list("last", "yes", "no", "?"),
		rapid.SampledFrom([]string{"yes", "no", "right", "wrong", "mixed", "open", ""}).Draw(t, "outcome"),
	}
}

func most(votes []string) string {
	for _, side := range []string{"yes", "no"} {
		n := 0
		for _, v := range votes {
			if v == side {
				n++
			}
		}
		if 2*n > len(votes) {
			return side
		}
	}
	return ""
}

// naive counts what Fold counts, from what was drawn.
func naive(all []drawn) map[string]int {
	out := map[string]int{}
	for _, d := range all {
		side, opposite := most(d.last), map[string]string{"yes": "no", "no": "yes"}
		right := d.outcome
		switch d.outcome {
		case "right":
			right = side
		case "wrong":
			right = opposite[side]
		case "":
			continue
		}
		result := d.outcome
		switch {
		case d.outcome == "mixed" || d.outcome == "open":
		case side == "":
			result = "none"
		case side == right:
			result = "right"
		default:
			result = "wrong"
		}
		all := slices.Clone(d.first)
		slices.Sort(all)
		all = slices.Compact(all)
		division := "other"
		switch {
		case len(all) == 1 && (all[0] == "yes" || all[0] == "no"):
			division = "unanimous"
		case most(d.first) != "":
			division = "majority"
		case slices.Contains(all, "yes") && slices.Contains(all, "no"):
			division = "split"
		}
		if all[len(all)-1] == "?" && len(all) == 1 || !slices.Contains(d.first, "yes") && !slices.Contains(d.first, "no") {
			division = "other"
		}
		out["all "+result]++
		out[division+" "+result]++
		for _, model := range []string{"a", "b", "c"} {
			sides := map[string]bool{}
			seen := false
			for i, m := range d.models {
				if m == model && d.first[i] != "-" {
					seen = true
					if d.first[i] != "?" {
						sides[d.first[i]] = true
					}
				}
			}
			own := slices.Collect(maps.Keys(sides))
			switch {
			case !seen:
			case len(own) == 0:
				out[model+" no side"]++
			case len(own) == 2:
				out[model+" divided"]++
			case result == "mixed" || result == "open":
				out[model+" "+result]++
			default:
				word := "wrong"
				if own[0] == right {
					word = "right"
				}
				out[model+" "+word]++
				if m := most(d.first); m != "" {
					out[model+" of"]++
					if own[0] != m {
						out[model+" differs"]++
					}
					if own[0] != m && word == "right" {
						out[model+" against"]++
					}
					if own[0] == m && word == "wrong" {
						out[model+" with"]++
					}
				}
			}
		}
	}
	return out
}

func counted(t track.Track) map[string]int {
	out := map[string]int{}
	count := func(name string, c track.Count) {
		out[name+" right"], out[name+" wrong"], out[name+" mixed"] = c.Right, c.Wrong, c.Mixed
		out[name+" open"], out[name+" none"] = c.Open, c.NoSide
	}
	count("all", t.Verdicts)
	for _, r := range t.FirstVotes {
		count(r.Name, r.Count)
	}
	for _, m := range t.Models {
		for word, n := range map[string]int{
			"right": m.Right, "wrong": m.Wrong, "against": m.Against, "with": m.With, "differs": m.Differs, "of": m.Of, "mixed": m.Mixed,
			"open": m.Open, "divided": m.Divided, "no side": m.NoSide,
		} {
			out[m.Model+" "+word] = n
		}
	}
	maps.DeleteFunc(out, func(_ string, n int) bool { return n == 0 })
	return out
}

func TestFold_countsAsANaiveCountDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all := rapid.SliceOfN(rapid.Custom(drawDebate), 0, 6).Draw(rt, "debates")
		var sessions []debate.Session
		for i, d := range all {
			if !slices.Contains(d.first, "yes") && !slices.Contains(d.first, "no") && !slices.Contains(d.first, "?") {
				all[i].first[0] = "yes" // else the last votes are the first ones that can be read
			}
			s := played(t, debate.QuestionYesNo, strings.Join(d.models, " "), strings.Join(d.first, " "), strings.Join(d.last, " "))
			if side := most(d.last); side == "" && (d.outcome == "right" || d.outcome == "wrong") {
				all[i].outcome = "no"
			}
			if all[i].outcome != "" {
				s = settled(t, s, all[i].outcome)
			}
			sessions = append(sessions, s)
		}
		got, want := counted(track.Fold(sessions)), naive(all)
		if !maps.Equal(got, want) {
			rt.Fatalf("%v\ncounted %v\nwant    %v", all, got, want)
		}
		slices.Reverse(sessions)
		if again := track.Fold(sessions); fmt.Sprint(counted(again)) != fmt.Sprint(got) {
			rt.Fatalf("in another order: %v, not %v", counted(again), got)
		}
	})
}
