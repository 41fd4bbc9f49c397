package pane_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

func TestToggleChanges_marksWhatChangedSinceTheRoundBefore(t *testing.T) {
	for _, tc := range []struct{ name, before, after, want string }{
		{"a word", "We stay with Postgres for now.", "We move to Postgres for now.", "We [-stay with-] {+move to+} Postgres for now."},
		{"an end", "It is enough.", "It is enough. One writer [C1].", "It is enough. {+One writer [C1].+}"},
		{"a line", "First.\n\nGone.\n\nLast.", "First.\n\nLast.", "First. [-Gone.-] Last."},
		{
			"a table", "| Option | Cost |\n|---|---|\n| **WAL** | low |", "| Option | Cost |\n|---|---|\n| **WAL** | high |",
			"Option: WAL Cost: [-low-] {+high+}",
		},
		{"marks", "## Cost\n\n- It is *low*.", "## Cost\n\n- It is **high**.", "Cost • It is [-low.-] {+high.+}"},
		{"nothing", "We stay.", "We  stay.", "The same words as in the round before."},
		{"all", "Yes.", "No.", "[-Yes.-] {+No.+}"},
		{"hostile", "We stay.", "We \x1b[2Jstay \x1b]0;x\x07here.", "We [-stay.-] {+stay here.+}"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newPane(1, ada, 80, 30)
			s := session([]agents.Profile{ada}, 2, nil,
				[]debate.Response{doneResponse(turn(ada, 1), stated("", 0.5, "", tc.before), 9, 0)},
				[]debate.Response{doneResponse(turn(ada, 2), stated("", 0.5, "", tc.after), 9, 0)})
			p.SetSession(s)
			whole := body(t, p, 80, 30)
			p.ToggleChanges()
			got := strings.Join(strings.Fields(body(t, p, 80, 30)), " ")
			if !strings.Contains(got, tc.want) {
				t.Errorf("%q is missing in\n%s", tc.want, got)
			}
			if p.ToggleChanges(); body(t, p, 80, 30) != whole {
				t.Error("the whole statements do not come back")
			}
		})
	}
}
