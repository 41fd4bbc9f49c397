package demo_test

import (
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/cite"
)

func TestDemo_citesLinesOfEvidence(t *testing.T) {
	s := newHarness(t, "collaborative", 4, 1)
	text := "package main\n\nfunc main() {}\n// [C9] end\n"
	var err error
	if s.Evidence, err = debate.AddEvidence(nil, []debate.Evidence{debate.NewEvidence("main.go", debate.EvidenceFile, text, "")}); err != nil {
		t.Fatal(err)
	}
	said := s.round()
	cited := map[string]bool{}
	for _, p := range s.Seats {
		cites := cite.By(said[p.ID]).Evidence
		if len(cites) != 1 {
			t.Fatalf("%s cites %v", p.ID, cites)
		}
		l := cite.Resolve(cites[0], s.Session, 1)
		if l.Problem != "" || l.Text == "" || !strings.Contains(said[p.ID].Body, "“"+l.Text+"” ["+cites[0].String()+"]") {
			t.Errorf("%s cites %s, which is %q:\n%s", p.ID, cites[0], l.Text, said[p.ID].Body)
		}
		cited[cites[0].String()] = true
	}
	if len(cited) != 3 {
		t.Errorf("of three lines the seats cite %v", cited)
	}
}
