package cite_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/statement"
)

func citationsIn(text string) string {
	var out []string
	for _, c := range cite.In(text).Evidence {
		out = append(out, c.String())
	}
	return strings.Join(out, " ")
}

func TestCitedEvidence_readsIDsLinesAndGroups(t *testing.T) {
	for text, want := range map[string]string{
		"as [F1] shows":                               "F1",
		"[F1:12] and [F1:120-140]":                    "F1:12 F1:120-140",
		"[ f01 : 007 – 9 ]":                           "F1:7-9",
		"[F1:3—5], [F2:3‑5], [F3:3..5]":               "F1:3-5 F2:3-5 F3:3-5",
		"[F1:3 to 5], [F1:L3-L5]":                     "F1:3-5",
		"[C1, F2:3-5]":                                "F2:3-5",
		"[F1; F2 and F3, F4 & F5]":                    "F1 F2 F3 F4 F5",
		"[F1:3, 7-9, F2, 4]":                          "F1:3 F1:7-9 F2 F2:4",
		"[F1:9-3]":                                    "F1:9-3",
		"[F1:5-5]":                                    "F1:5",
		"[F1][F1]":                                    "F1",
		"[F1](https://example.com)":                   "F1",
		"[F1-3], [F1-F3], [F1:0], [F0], [F1:], [3-5]": "",
		"[F1:x], [F1, see above], F1:3, [F1\n]":       "",
		"[F1:99999999]":                               "",
		"":                                            "",
	} {
		if got := citationsIn(text); got != want {
			t.Errorf("%q cites %q, want %q", text, got, want)
		}
	}
	if got := strings.Join(cite.In("[C1, F2:3-5] [F1] [C2; C3]").Requests, " "); got != "C1 C2 C3" {
		t.Errorf("the requests of mixed groups are %q", got)
	}
}

// What a citation is written as is read as that citation, in any group.
func TestCitation_isReadAsItIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) debate.Citation {
			c := debate.Citation{ID: fmt.Sprintf("F%d", rapid.IntRange(1, 999).Draw(t, "id"))}
			if rapid.Bool().Draw(t, "lines") {
				c.From, c.To = rapid.IntRange(1, 9999).Draw(t, "from"), rapid.IntRange(1, 9999).Draw(t, "to")
			}
			return c
		}), 1, 8, rapid.ID).Draw(t, "citations")
		var words []string
		for _, c := range list {
			words = append(words, c.String())
		}
		sep := rapid.SampledFrom([]string{", ", ";", " and ", "] and [", "] ["}).Draw(t, "separator")
		if got := cite.In("see [" + strings.Join(words, sep) + "].").Evidence; !slices.Equal(got, list) {
			t.Fatalf("%v is read as %v", list, got)
		}
	})
}

func FuzzCitedEvidence(f *testing.F) {
	for _, seed := range []string{"[F1:3-5]", "[C1, f2 : 3 – 5]", "[F1:3, 7][F9999999:1]", "[[F1]]", "[F1-F60]", "[F1:L3-\xff]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range cite.In(text).Evidence {
			if again := cite.In("[" + c.String() + "]").Evidence; len(again) != 1 || again[0] != c {
				t.Errorf("%q cites %+v, which is read as %+v", text, c, again)
			}
			if (c.From == 0) != (c.To == 0) || c.From < 0 || c.To < 0 {
				t.Errorf("%q cites %+v", text, c)
			}
		}
	})
}

func TestStatement_citesEvidenceAsWhatItIs(t *testing.T) {
	st := statement.Parse("See [F1:3] and [C2].\n```json\n" +
		`{"position": "So [F2].", "citations": ["F1:3", "[F3:4-5]", "C1", "RFC 9110", "F9, C3"], "context_used": ["C2", "F4:1"]}` + "\n```")
	requests, others := cite.Sources(st)
	if diff := cmp.Diff([]string{"RFC 9110"}, others); diff != "" {
		t.Errorf("other sources: %s", diff)
	}
	for _, id := range []string{"C1", "C2", "C3"} {
		if !slices.Contains(requests, id) {
			t.Errorf("%v lacks %s", requests, id)
		}
	}
	var evidence []string
	for _, c := range cite.By(st).Evidence {
		evidence = append(evidence, c.String())
	}
	if got := strings.Join(evidence, " "); got != "F2 F1:3 F3:4-5 F9 F4:1" {
		t.Errorf("evidence: %s", got)
	}
	if notes := strings.Join(st.Notes, " "); strings.Contains(notes, "F4") {
		t.Errorf("notes: %s", notes)
	}
	want := []string{"C2", "C1", "C3", "F2", "F1:3", "F3:4-5", "F9", "F4:1", "RFC 9110"}
	if diff := cmp.Diff(want, cite.Of(st)); diff != "" {
		t.Errorf("cites: %s", diff)
	}
}

// citing returns a session of two rounds, of which the second has one piece of evidence
// more.
func citing() debate.Session {
	all, err := debate.AddEvidence(nil, []debate.Evidence{
		debate.NewEvidence("main.go", debate.EvidenceFile, "one\ntwo\nthree\n", ""),
		debate.NewEvidence("long", debate.EvidenceFile, strings.Repeat("line\n", 200)+strings.Repeat("ü", 5000), ""),
		debate.NewEvidence("late", debate.EvidenceFile, "x\n", ""),
	})
	if err != nil {
		panic(err)
	}
	s := debate.Session{Evidence: all}
	for n, ids := range [][]string{{"F1", "F2"}, {"F1", "F2", "F3"}} {
		s.History = append(s.History, debate.Round{Number: n + 1, Manifest: debate.Manifest{Evidence: ids}})
	}
	return s
}

func TestCitation_Resolve(t *testing.T) {
	s := citing()
	for _, c := range []struct {
		cited string
		round int
		name  string
		text  string
		cut   bool
		why   string
	}{
		{"F1", 1, "main.go", "", false, ""},
		{"F1:2", 1, "main.go", "two", false, ""},
		{"F1:1-3", 1, "main.go", "one\ntwo\nthree", false, ""},
		{"F1:3-4", 1, "main.go", "", false, "F1 has 3 lines."},
		{"F1:3-2", 1, "main.go", "", false, "Line 2 comes before line 3."},
		{"F9:1", 1, "", "", false, "There is no F9."},
		{"F3:1", 1, "late", "", false, "F3 came with a later round."},
		{"F3:1", 2, "late", "x", false, ""},
		{"F3:1", 0, "late", "x", false, ""},
		{"F2:1-41", 1, "long", strings.TrimSuffix(strings.Repeat("line\n", cite.MaxCitedLines), "\n"), true, ""},
		{"F2:201", 1, "long", strings.Repeat("ü", cite.MaxCitedBytes/2), true, ""},
	} {
		got := cite.Resolve(cite.In("[" + c.cited + "]").Evidence[0], s, c.round)
		if got.Name != c.name || got.Text != c.text || got.Cut != c.cut || got.Why() != c.why {
			t.Errorf("%s in round %d: %q, %d bytes, cut: %v, %q", c.cited, c.round, got.Name, len(got.Text), got.Cut, got.Why())
		}
		if (got.Problem == "") != (c.why == "") {
			t.Errorf("%s in round %d has the problem %q", c.cited, c.round, got.Problem)
		}
	}
}

// Lines of a diff are shown as lines of the file that they are in.
func TestPlace(t *testing.T) {
	const diff = "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -40,3 +40,3 @@\n one\n-two\n+TWO\n three\n" +
		"diff --git a/b.go b/b.go\n--- a/b.go\n+++ b/b.go\n@@ -1 +0,0 @@\n-gone\n"
	s := debate.Session{
		Evidence: []debate.Evidence{
			{ID: "F1", Name: "pr.diff", Kind: debate.EvidenceDiff, Text: diff}, {ID: "F2", Name: "a.diff", Kind: debate.EvidenceFile, Text: diff},
		},
		History: []debate.Round{{Number: 1, Manifest: debate.Manifest{Evidence: []string{"F1", "F2"}}}},
	}
	for cited, want := range map[string]string{
		"F1:7": "a.go:41", "F1:5-8": "a.go:40-42", "F1:6": "old:a.go:41", "F1:6-7": "a.go:41", "F1:1": "", "F1": "", "F1:8-13": "a.go:42",
		"F1:13": "old:b.go:1", "F1:99": "", "F2:7": "",
	} {
		s.Verdict = &debate.Verdict{Text: "[" + cited + "]"}
		all := cite.All(s)
		if len(all) != 1 || all[0].Place != want {
			t.Errorf("%s is at %+v, want %q", cited, all, want)
		}
		if e, _ := cite.FindEvidence(s.Evidence, all[0].Citation.ID); cite.Place(all[0].Citation, e) != want {
			t.Errorf("Place(%s) is not %q", cited, want)
		}
	}
}

func TestCitationsOf_saysWhoCitesWhatAndWhatIsWrong(t *testing.T) {
	s := citing()
	say := func(round int, who agents.ID, body string) {
		r := &s.History[round-1]
		r.Responses = append(r.Responses, debate.Response{
			Turn: agents.Turn{Round: round, Agent: who, Attempt: 1}, State: debate.TurnDone, Statement: debate.Statement{Body: body},
		})
	}
	say(1, "ada", "[F1:2], [F3:1]")
	say(1, "brook", "[F1:2], [F1:9]")
	say(2, "ada", "[F1:2], [F3:1], [F10]")
	s.Verdict = &debate.Verdict{Text: "By [F1:2] and [F2]."}
	var got []string
	for _, l := range cite.All(s) {
		got = append(got, fmt.Sprint(l.Citation, l.CitedBy, l.InReport, l.Problem))
	}
	want := []string{
		"F1:2[ada brook]true", "F1:9[brook]falselines_outside", "F2[]true", "F3:1[ada]falselater", "F3:1[ada]false", "F10[ada]falseno_such_evidence",
	}
	if diff := cmp.Diff(want, got, cmp.Transformer("plain", func(s string) string { return strings.ReplaceAll(s, " ", "") })); diff != "" {
		t.Error(diff)
	}
}

func TestFiles_areReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]string{
		"as [src/main.go:12-40] says":        "[src/main.go:12-40]",
		"[./a.go:L3], [a.go : 3]":            "[a.go:3]",
		"[a.go:1-2, 7; b/c.go:3 and d.go:4]": "[a.go:1-2 a.go:7 b/c.go:3 d.go:4]",
		"[F1:3, src/and/x.go:9, C2]":         "[src/and/x.go:9]",
		"[Makefile:3]":                       "[Makefile:3]",
		"[12:30], [note:3], [see a.go:3], [http://x.y/z:3], [a.go], [a.go:x]": "[]",
	} {
		if got := fmt.Sprint(cite.In(text).Files); got != want {
			t.Errorf("%q cites %s, want %s", text, got, want)
		}
	}
	if got := fmt.Sprint(cite.In("[F1:3, src/x.go:9, F2]").Evidence, cite.In("[C1, src/x.go:9]").Requests); got != "[F1:3 F2] [C1]" {
		t.Error(got)
	}
}

func TestCitedIn_readsOneGroupsAndRanges(t *testing.T) {
	for text, want := range map[string]string{
		"as [C1] says":                        "C1",
		"[C1, C2] and [C2; C10]":              "C1 C2 C10",
		"[C1 and C3], [C4 & C5]":              "C1 C3 C4 C5",
		"[C2-C4], [C9 to C10]":                "",
		"[C1, C3 and C9]":                     "C1 C3 C9",
		"[ c01 ]":                             "C1",
		"[C3-C1], [C1-C900], [C0]":            "",
		"[C1, see above], [RFC 1], [Cx], C1":  "",
		"[C1](https://example.com) is a link": "C1",
		"[C1\n, C2]":                          "",
		"":                                    "",
	} {
		if got := strings.Join(cite.In(text).Requests, " "); got != want {
			t.Errorf("%q cites %q, want %q", text, got, want)
		}
	}
}
