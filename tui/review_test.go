package tui_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
	"roundtable/internal/testing/debatetest"
	"roundtable/tui"
	"roundtable/tui/theme"
)

// manyFound returns a review of which 40 findings have long titles, some in wide characters.
func manyFound() debate.Session {
	s := nothingFound()
	var all []debate.Finding
	for i := range 40 {
		one := debate.Finding{
			Severity: []debate.Severity{debate.SeverityHigh, debate.SeverityMedium, debate.SeverityLow}[i/14],
			Title:    fmt.Sprintf("Finding %d: %s", i+1, strings.Repeat("the loop reads behind its slice ", i%5)),
			Where:    fmt.Sprintf("internal/provider/anthropic/streaming.go:%d", 100+20*i), Why: "Its index is not checked.",
		}
		if i%3 == 0 {
			one.Title = "範囲外の添字で読み込むので落ちる " + one.Title
			one.Where = fmt.Sprintf("資料/請求システム/データベース接続.go:%d", 100+20*i)
		}
		all = append(all, one)
	}
	for i := range s.History[0].Responses {
		s.History[0].Responses[i].Statement.Findings = []debate.Finding{}
	}
	s.History[0].Responses[1].Statement.Findings = all
	return s
}

// nothingFound returns a review in which two lists could not be read and two are empty.
func nothingFound() debate.Session {
	s := debatetest.Reviewed()
	for i := range s.History[0].Responses {
		s.History[0].Responses[i].Statement.Findings = [][]debate.Finding{{}, nil, {}, nil}[i]
		s.History[1].Responses[i].Statement.Judgements = []debate.Judgement{}
	}
	return s
}

func reviewing(s func() debate.Session, ascii bool) func() tui.Deps {
	return func() tui.Deps {
		d := storing(s()).deps()
		d.Start.Session = s().ID
		if ascii {
			d.ASCII, d.Theme = true, theme.Options{Dark: true, ASCII: true}
		}
		return d
	}
}

// The verdict of a review is a list, of which each finding can be opened.
func TestReview(t *testing.T) {
	t.Parallel()
	sizes := [][2]int{{80, 24}, {120, 36}, {40, 12}}
	for _, d := range []struct {
		name  string
		deps  func() tui.Deps
		sizes [][2]int
		keys  []string
	}{
		{"list", reviewing(debatetest.Reviewed, false), sizes, nil},
		{"ascii", reviewing(debatetest.Reviewed, true), sizes[:1], nil},
		{"opened", reviewing(debatetest.Reviewed, false), sizes, []string{"j", "enter"}},
		{"refuted", reviewing(debatetest.Reviewed, false), sizes[:1], []string{"G", "enter", "j"}},
		{"forty", reviewing(manyFound, false), sizes, []string{"ctrl+d", "j", "j"}},
		{"nothing", reviewing(nothingFound, false), sizes, nil},
		{"searched", reviewing(debatetest.Reviewed, false), sizes, []string{"/", "p", "a", "t", "h", "enter"}},
		{"summary", reviewing(debatetest.Reviewed, false), sizes[:2], []string{"shift+tab"}},
	} {
		for _, size := range d.sizes {
			t.Run(fmt.Sprintf("%s %dx%d", d.name, size[0], size[1]), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					sleepUntil(t, "14:50:00")
					r := start(t, size[0], size[1], d.deps())
					defer r.stop()
					r.wait(2 * time.Second)
					r.press(d.keys...)
					r.golden(size[0], size[1])
				})
			})
		}
	}
}

// A finding is opened, then its place; esc goes back step by step.
func TestReview_keys(t *testing.T) {
	bubble(t, debatetest.Reviewed, func(r *harness, _ *scripted) {
		r.press("enter")
		r.sees("▸H1: agreed", "enter evidence", "esc list", "Cy: true, worth fixing. The index equals the length.", "for _, row := range rows {")
		r.press("enter")
		r.sees("[F1]", "pr.diff", "i <= len(rows)")
		r.press("esc")
		r.sees("▸H1: agreed")
		r.press("esc", "G", "k", "enter")
		r.sees("▸H5: by one seat", "F1:900 (absent)", "F1:900, where there are no lines.")
		r.press("enter")
		r.sees("The lines of this finding are not in the evidence.")
		r.press("esc", "/")
		r.typeText("OPEN.GO")
		r.press("enter")
		r.sees("An error is dropped", "1 refuted finding", "part 2 of 2", "esc end search")
		r.misses("The check of the cursor is gone")
		r.press("/")
		r.typeText("xxx")
		r.press("enter")
		r.sees(`No match for "xxx" here.`, "The check of the cursor is gone", "esc debate")
		r.press("G", "enter")
		r.sees("The path is not escaped", "▸1 refuted finding")
		r.press("y")
		r.sees("the refuted findings")
		r.press("e")
		r.asks("h HTML · s SARIF · p comment on a pull request")
	})
}
