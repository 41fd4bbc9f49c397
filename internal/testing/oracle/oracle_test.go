package oracle

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// panel builds a debate of one voting phase: a string a round, a word a seat. A word is a vote; "?" cannot be read,
// "-" failed, "." was never begun, "/" is running.
func panel(question string, planned int, rounds ...string) Panel {
	kind, options, _ := strings.Cut(question, " ")
	p := Panel{Planned: planned, Ended: "plan", Question: Question{Kind: kind}}
	if kind == "estimate" {
		p.Question.Unit = options
	} else if options != "" {
		p.Question.Options = strings.Split(options, ",")
	}
	for i := range strings.Fields(rounds[0]) {
		name := []string{"Ada", "Bob", "Cid", "Dan", "Eve", "Finn", "Gia", "Hal"}[i]
		p.Seats = append(p.Seats, Seat{ID: strings.ToLower(name), Name: name, Maker: "m", Model: name, Asks: true})
	}
	p.Mode = Mode{Name: "collaborative", Kind: "vote", Blind: true, Phases: []Phase{
		{Name: "answer", Votes: true, Rounds: "all", Seats: span(0, len(p.Seats), 1)},
	}}
	for r, words := range rounds {
		for s, w := range strings.Fields(words) {
			t := Turn{Round: r + 1, Phase: "answer", Seat: s, State: "done", Maker: "m", Model: p.Seats[s].Model}
			switch v, err := strconv.ParseFloat(w, 64); {
			case w == ".":
				continue
			case w == "-":
				t.State = "failed"
			case w == "/":
				t.State = "running"
			case w == "?":
			case kind == "estimate" && err == nil:
				t.Value = &v
			default:
				w = strings.ReplaceAll(w, "_", " ")
				t.Vote = &w
			}
			p.Turns = append(p.Turns, t)
		}
	}
	return p
}

// kinded makes another kind of mode of a panel's one phase.
func kinded(p Panel, kind string) Panel {
	p.Mode.Kind = kind
	ph := &p.Mode.Phases[0]
	ph.Votes, ph.Ranks, ph.Judges = false, kind == "ranking", kind == "review"
	return p
}

// council is a panel in which the first seats answer and those after them rank: a string of digits a ballot.
func council(answers string, ballots ...string) Panel {
	n := len(strings.Fields(answers))
	p := panel("yes-no", 1, answers+strings.Repeat(" .", len(ballots)))
	p = kinded(p, "ranking")
	rank := p.Mode.Phases[0]
	rank.Name, rank.Seats = "ranking", span(n, n+len(ballots), 1)
	p.Mode.Phases[0].Ranks, p.Mode.Phases[0].Seats = false, span(0, n, 1)
	p.Mode.Phases = append(p.Mode.Phases, rank)
	for i, b := range ballots {
		t := Turn{Round: 1, Phase: "ranking", Seat: n + i, State: "done", Maker: "m", Model: p.Seats[n+i].Model}
		for _, d := range b {
			t.Ballot = append(t.Ballot, int(d-'0'))
		}
		p.Turns = append(p.Turns, t)
	}
	return p
}

// review is a panel of three; a string a seat and round: "a1" is the finding a of severity high (1), medium (2), low (3),
// "a+" a judgement. "?" cannot be read.
func review(rounds ...[]string) Panel {
	words := make([]string, len(rounds))
	for r := range rounds {
		words[r] = strings.TrimSpace(strings.Repeat(" x", len(rounds[r])))
	}
	p := kinded(panel("open", 2, words...), "review")
	for i := range p.Turns {
		t := &p.Turns[i]
		text := rounds[t.Round-1][t.Seat]
		if text == "?" {
			continue
		}
		t.Findings, t.Judgements = []Finding{}, []Judgement{}
		for _, f := range strings.Fields(text) {
			if t.Round == 1 {
				t.Findings = append(t.Findings, Finding{f[:1], []string{"high", "medium", "low"}[f[1]-'1']})
			} else {
				t.Judgements = append(t.Judgements, Judgement{f[:1], map[byte]string{'+': "yes", '-': "no", '?': "unsure"}[f[1]]})
			}
		}
	}
	return p
}

// critique is an author and two critics with a concern each; the replies are the author's.
func critique(replies ...Reply) Panel {
	p := kinded(panel("open", 2, "x x x", "x . ."), "critique")
	p.Mode.Phases[0].Seats = []int{0}
	p.Mode.Phases = append(p.Mode.Phases, Phase{Name: "concerns", Rounds: "odd", Seats: []int{1, 2}})
	for i := range p.Turns {
		if t := &p.Turns[i]; t.Seat > 0 {
			t.Phase, t.Concerns = "concerns", []string{"why"}
		}
	}
	p.Turns[len(p.Turns)-1].Replies = replies
	return p
}

// text writes a result as the examples of the page do, as far as it is data.
func text(w Want) string { return telling(w.Result) }

func telling(r Result) string {
	text := fmt.Sprintf("%s %s %d/%d", r.Kind, r.Side, r.Count, r.Of)
	for _, s := range r.Sides {
		text += fmt.Sprintf(" %s=%d", s.Side, s.Count)
	}
	if r.Undecided > 0 {
		text += fmt.Sprintf(" undecided=%d", r.Undecided)
	}
	if r.Median != nil {
		text += fmt.Sprintf(" median=%v (%v to %v)", *r.Median, *r.Least, *r.Greatest)
	}
	if r.Unit != "" {
		text += " " + r.Unit
	}
	for _, p := range r.Places {
		text += fmt.Sprintf(" %d:%s=%d/%d", p.Place, p.Seat, p.Points, p.Firsts)
	}
	if f := r.Findings; f != nil {
		text += fmt.Sprintf(" agreed=%d disputed=%d single=%d refuted=%d high=%d", f.Agreed, f.Disputed, f.Single, f.Refuted, f.High)
	}
	if r.Text != nil {
		text += fmt.Sprintf(" %s of %s, %d critics", r.Text.Which, r.Text.Seat, r.Text.Critics)
	}
	return text
}

// listing writes cautions, or what else a case asks for.
func listing(w Want) string {
	var parts []string
	for _, c := range w.Cautions {
		text := c.ID
		for i, s := range c.Seats {
			text += " " + s
			if i < len(c.Rounds) {
				text += "@" + strconv.Itoa(c.Rounds[i])
			}
			if i < len(c.Perhaps) && c.Perhaps[i] {
				text += "?"
			}
		}
		if len(c.Seats) == 0 && len(c.Rounds) > 0 {
			text += " " + c.How + strconv.Itoa(c.Rounds[0])
		}
		if c.Lines > 0 {
			text += " " + strconv.Itoa(c.Lines)
		}
		parts = append(parts, strings.Join(append([]string{text}, c.IDs...), " "))
	}
	return strings.Join(parts, "; ")
}

func judge(t *testing.T, p Panel) Want {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	w, err := Judge(text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func with(p Panel, change func(*Panel)) Panel {
	change(&p)
	return p
}

var results = []struct {
	p    Panel
	want string
}{
	{panel("yes-no", 1, "yes no YES."), "side yes 2/3 yes=2 no=1"},
	{panel("yes-no", 1, "yes yes yes no undecided undecided - ?"), "split  0/8 yes=3 no=1 undecided=2"},
	{panel("yes-no", 1, "yes undecided -"), "no_majority  0/3 yes=1 undecided=1"},
	{panel("yes-no", 1, "undecided yes undecided"), "undecided  2/3 yes=1 undecided=2"},
	{panel("yes-no", 1, "? - ?"), "no_votes  0/3"},
	{panel("estimate weeks", 1, "6 4 9 undecided -"), "estimate  3/5 undecided=1 median=6 (4 to 9) weeks"},
	{panel("estimate weeks", 1, "9 4 undecided - ?"), "no_majority  2/5 undecided=1 weeks"},
	{panel("estimate weeks", 1, "1 2 4 9"), "estimate  4/4 median=3 (1 to 9) weeks"},
	{panel("estimate weeks", 1, "undecided undecided 3"), "undecided  2/3 undecided=2 weeks"},
	{panel("estimate weeks", 1, "- ?"), "no_votes  0/2 weeks"},
	{council("x x x", "201", "201", "021"), "ranking  3/3 1:cid=5/2 2:ada=4/1 3:bob=0/0"},
	{council("x x x", "012", "102"), "ranking  2/2 1:ada=3/1 1:bob=3/1 3:cid=0/0"},
	{council("x x x", "012", "", "", "", "00"), "no_majority  1/5"},
	{council("x x x", "", ""), "no_votes  0/2"},
	{council("- - x", "", ""), "no_votes  0/2"},
	{
		review([]string{"a1 b2 c3 d1 e2 g3", "b2 c3 f3", "b1 f1"}, []string{"", "a- d? e?", "a- c- d? e?"}),
		"findings  3/3 agreed=2 disputed=1 single=3 refuted=1 high=2",
	},
	{
		review([]string{"a1 b1", "", ""}, []string{"", "a- b-", "a- b-"}),
		"findings  3/3 agreed=0 disputed=0 single=0 refuted=2 high=0",
	},
	{review([]string{"", "?", ""}, []string{"", "", ""}), "findings  2/3 agreed=0 disputed=0 single=0 refuted=0 high=0"},
	{review([]string{"?", "?", "?"}), "findings  0/3 agreed=0 disputed=0 single=0 refuted=0 high=0"},
	{review([]string{"a1", "", ""}, []string{"", "a-", "a?"}), "findings  3/3 agreed=0 disputed=1 single=0 refuted=0 high=1"},
	{critique(Reply{"H1", "accept"}, Reply{"H2", "ask"}), "text  0/0 final of ada, 2 critics"},
	{with(critique(), func(p *Panel) { p.Turns = p.Turns[:2] }), "text  0/0 draft of ada, 1 critics"},
	{panel("choice Redis,Kafka", 1, "kafka “KAFKA” redis"), "side Kafka 2/3 Kafka=2 Redis=1"},
	{panel("choice Redis,Kafka", 1, "kafka redis"), "split  0/2 Redis=1 Kafka=1"},
	{panel("open", 2, "Queue QUEUE bus", "a_queue. queue 'Queue'"), "side queue 2/3 queue=2 a queue=1"},
	{panel("open", 1, "n/a I_don’t_know. depends ..."), "no_votes  0/4"},
	{panel("yes-no", 2, "yes yes no", "- - no"), "side yes 2/3 yes=2 no=1"},
	{panel("yes-no", 2, "yes yes no", "yes ? no"), "split  0/3 yes=1 no=1"},
	{
		with(panel("yes-no", 1, "yes yes no"), func(p *Panel) { p.Seats[0].Stance, p.Seats[1].Stance = true, true }),
		"side no 1/1 no=1",
	},
	{
		with(panel("yes-no", 1, "yes yes"), func(p *Panel) { p.Seats[0].Stance, p.Seats[1].Stance = true, true }),
		"none  0/0",
	},
}

func TestResults(t *testing.T) {
	for _, c := range results {
		if got := text(judge(t, c.p)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// twice is a panel that says yes twice and asks.
func twice(requests ...Request) Panel {
	p := panel("yes-no", 2, "yes yes yes", "yes yes yes")
	p.Requests = requests
	return p
}

func prompts(p Panel, prompts ...Prompt) Panel {
	for i := range prompts {
		p.Turns[i].Prompt = prompts[i]
	}
	return p
}

var cautionCases = []struct {
	p                Panel
	cautions, inLine string
}{
	{panel("yes-no", 1, "yes yes yes"), "", " 0"},
	{panel("yes-no", 2, "yes yes no", "yes - no"), "stale_vote bob@1; narrow", "stale_vote 0"},
	{panel("yes-no", 2, "yes - no", "yes - no"), "no_vote bob", "no_vote 0"},
	{panel("yes-no", 2, "yes - no", "yes yes -"), "stale_vote cid@1; missed_turn bob@1; narrow", "stale_vote 0"},
	{panel("yes-no", 2, "yes ? no", "yes - no"), "unreadable_vote bob", "unreadable_vote 0"},
	{panel("yes-no", 2, "yes ? yes", "yes yes yes"), "", " 0"},
	{
		with(panel("yes-no", 3, "yes yes no", "yes / ."), func(p *Panel) { p.Ended = "budget" }),
		"stopped in2; stale_vote bob@1 cid@1; narrow", "stopped 1",
	},
	{with(panel("yes-no", 3, "yes yes yes"), func(p *Panel) { p.Ended = "user" }), "stopped after1", "stopped 0"},
	{with(panel("yes-no", 1, "yes yes yes"), func(p *Panel) { p.Ended = "budget" }), "", " 0"},
	{
		with(panel("yes-no", 3, "yes yes yes", "yes . ."), func(p *Panel) { p.Ended = "" }),
		"not_ended 1; stale_vote bob@1 cid@1", "not_ended 1",
	},
	{twice(Request{ID: "C1", Required: true, Round: 1, Answers: []Answer{{2, "", "unavailable", "no"}}}), "unanswered C1", " 0"},
	{twice(Request{ID: "C1", Required: true, Round: 2}, Request{ID: "C2", Round: 2}), "open_question C1 C2", " 0"},
	{
		twice(Request{ID: "C1", Round: 1, Answers: []Answer{{2, "x", "answered", ""}, {0, "", "answered", ""}}}),
		"unread_answer C1; other_author C1", " 0",
	},
	{critique(Reply{"H1", "accept"}), "no_reply H2", "no_reply 0"},
	{with(critique(Reply{"H1", "ask"}), func(p *Panel) { p.Turns[2].Concerns = nil }), "no_concerns cid", "no_concerns 0"},
	{prompts(panel("yes-no", 1, "yes yes yes"), Prompt{"s", 4096, 5000, 5000, 0, false}), "cut_prompts ada@1", "cut_prompts 0"},
	{
		prompts(panel("yes-no", 2, "yes yes yes", "yes yes yes"), Prompt{"s", 4096, 5000, 5000, 0, false}),
		"cut_prompts ada@1", " 0",
	},
	{
		prompts(panel("yes-no", 1, "yes yes yes"), Prompt{"s", 0, 9000, 3000, 0, false}, Prompt{"s", 0, 9000, 3100, 0, false}),
		"cut_prompts ada@1? bob@1?", "cut_prompts 0",
	},
	{
		prompts(panel("yes-no", 1, "yes yes yes"), Prompt{"s", 0, 9000, 3000, 0, false}, Prompt{"s", 0, 7000, 3000, 0, false}),
		"cut_prompts ada@1 bob@1", "cut_prompts 0",
	},
	{prompts(panel("yes-no", 1, "yes yes yes"), Prompt{"s", 0, 9000, 3000, 0, false}), "", " 0"},
	{
		prompts(panel("yes-no", 1, "yes yes yes"), Prompt{"s", 0, 9000, 5900, 0, false}, Prompt{"s", 0, 6000, 5900, 0, false}),
		"cut_prompts ada@1? bob@1?", "cut_prompts 0",
	},
	{
		prompts(panel("yes-no", 1, "yes yes yes"), Prompt{"s", 0, 9000, 3000, 6000, false}, Prompt{"s", 0, 9000, 3100, 0, true}),
		"", " 0",
	},
	{
		with(panel("yes-no", 1, "yes yes no"), func(p *Panel) { p.Turns[1].Model = "Ada" }),
		"changed_model bob; one_model ada bob; narrow", " 0",
	},
	{
		with(panel("yes-no", 1, "yes yes yes"), func(p *Panel) {
			p.Evidence = 9
			for i := range p.Turns {
				p.Turns[i].EvidenceCut = [][2]int{{8, 9}}
			}
		}), "unread_evidence 2", " 0",
	},
	{
		with(panel("yes-no", 1, "yes yes yes"), func(p *Panel) { p.Tools = []Tool{{"put", false, []int{0, 2}}} }),
		"shared_tool ada cid put", " 0",
	},
	{
		with(panel("yes-no", 2, "yes yes"), func(p *Panel) { p.Ended, p.TopicAuthor, p.Turns[0].Cites = "agreement", "x", []string{"C9"} }),
		"other_author topic; unknown_citation C9; blind", " 0",
	},
	{
		with(panel("yes-no", 1, "yes no"), func(p *Panel) { p.Seats[0].Stance, p.Seats[0].Asks = true, false }),
		"one_voter bob; no_questions ada", " 0",
	},
	{council("x x x", "201", "2", "021"), "unreadable_vote eve", "unreadable_vote 0"},
}

func TestCautions(t *testing.T) {
	for _, c := range cautionCases {
		w := judge(t, c.p)
		if got := listing(w); got != c.cautions {
			t.Errorf("got  %s\nwant %s", got, c.cautions)
		}
		if got := fmt.Sprint(w.Line.Gravest, " ", w.Line.More); got != c.inLine || w.Incomplete != (w.Line.Gravest != "") {
			t.Errorf("%s: in the line %q, want %q", c.cautions, got, c.inLine)
		}
	}
}

var comparisons = []struct {
	p    Panel
	want string
}{
	{panel("yes-no", 2, "yes no no", "yes yes no"), "was side no 2/3 no=2 yes=1 moved [{bob }]"},
	{panel("yes-no", 2, "yes yes no", "yes yes yes"), "same moved [{cid }]"},
	{panel("yes-no", 2, "yes no", "no yes"), "same moved [{ada } {bob }]"},
	{panel("yes-no", 2, "yes no undecided", "yes no no"), "was split  0/3 yes=1 no=1 undecided=1 moved [{cid }]"},
	{panel("yes-no", 2, "yes yes no", "yes - no"), "none"},
	{panel("yes-no", 2, "yes ? no", "yes yes no"), "none"},
	{panel("open", 2, "a b b", "a a b"), "none"},
	{panel("estimate weeks", 2, "4 6 8", "4 7 8"), "was estimate  3/3 median=6 (4 to 8) weeks moved [{bob }]"},
	{panel("estimate weeks", 2, "4 6 8", "5 6 7"), "same moved [{ada } {cid }]"},
	{with(panel("yes-no", 2, "yes no no", "yes yes no"), func(p *Panel) { p.Turns[4].Model = "new" }), "none"},
	{
		with(panel("yes-no", 2, "yes no no", "yes yes yes"), func(p *Panel) {
			p.Requests = []Request{{ID: "C1", Round: 1, Answers: []Answer{{2, "", "answered", ""}}}}
			p.Turns[4].ChangedBy, p.Turns[5].ChangedBy = &Cause{Fact: "C1"}, &Cause{Tool: "grep"}
		}), "was side no 2/3 no=2 yes=1 moved [{bob C1} {cid ?}]",
	},
	{
		with(panel("yes-no", 2, "yes no", "yes yes"), func(p *Panel) {
			p.Turns[3].ChangedBy, p.Turns[3].Reads = &Cause{Seat: new(int)}, []Read{{0, 1}}
		}), "was split  0/2 yes=1 no=1 moved [{bob ada}]",
	},
}

func TestComparisons(t *testing.T) {
	for _, c := range comparisons {
		w := judge(t, c.p)
		got := "none"
		if w.Same {
			got = fmt.Sprint("same moved ", w.Line.Moved)
		} else if w.Was != nil {
			got = fmt.Sprint("was ", telling(*w.Was), " moved ", w.Line.Moved)
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	arrows := judge(t, with(panel("yes-no", 3, "yes no", "- yes", "no no"), func(p *Panel) { p.Turns[4].Model = "new" })).Votes
	if got := fmt.Sprint(arrows[2].Arrow, arrows[4].Arrow, arrows[5].Arrow); got != "modelmovedmoved" {
		t.Error(got)
	}
}

func TestLine(t *testing.T) {
	ask := func(id string, required bool, answers ...Answer) Request {
		return Request{ID: id, Round: 1, Required: required, Answers: answers}
	}
	by := func(name string) Answer { return Answer{Released: 2, Author: name, Outcome: "answered"} }
	never := Answer{Released: 2, Outcome: "unavailable", Reason: "nobody knows"}
	late := Answer{Outcome: "answered"}
	for _, c := range []struct {
		p    Panel
		want string
	}{
		{twice(ask("C1", true, by("x")), ask("C2", true, never), ask("C3", true, never)), `{"id":"C2","unanswered":true,"by":"","more":1} null`},
		{twice(ask("C1", true, by("")), ask("C2", true, by("x"))), `{"id":"C2","unanswered":false,"by":"x","more":0} null`},
		{twice(ask("C1", false, never), ask("C2", false, by("x"))), `null null`},
		{twice(ask("C1", true, late), ask("C2", true)), `null {"id":"C2","open":true}`},
		{twice(ask("C1", false), ask("C2", true, by("x"), late)), `{"id":"C2","unanswered":false,"by":"x","more":0} {"id":"C2","open":false}`},
		{twice(ask("C1", true, Answer{Author: "x", Outcome: "answered"}, by(""))), `null null`},
	} {
		w := judge(t, c.p)
		topic, _ := json.Marshal(w.Line.Topic)
		last, _ := json.Marshal(w.Line.Last)
		if got := string(topic) + " " + string(last); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if demo := with(twice(), func(p *Panel) { p.Seats[0].Scripted = true }); !judge(t, demo).Line.Demo {
		t.Error("a scripted seat spoke")
	}
}

var requirements = []struct {
	p                Panel
	label            string
	unread, question bool
	want             bool
}{
	{panel("yes-no", 2, "no no no", "yes yes -"), "Yes", false, false, true},
	{panel("yes-no", 2, "yes yes no", "yes - no"), "yes", false, false, false},
	{panel("yes-no", 2, "yes yes yes"), "yes", false, false, false},
	{with(panel("yes-no", 2, "yes yes yes"), func(p *Panel) { p.Ended = "agreement" }), "yes", false, false, true},
	{with(panel("yes-no", 1, "yes yes yes"), func(p *Panel) { p.Seats[2].Scripted = true }), "yes", false, false, false},
	{panel("yes-no", 1, "undecided undecided"), "undecided", false, false, false},
	{panel("estimate weeks", 1, "4 4"), "4", false, false, false},
	{twice(Request{ID: "C1", Round: 2, Required: true}), "yes", false, false, false},
	{twice(Request{ID: "C1", Round: 2, Required: true}), "yes", false, true, true},
	{prompts(panel("yes-no", 1, "yes yes no"), Prompt{"s", 9, 99, 99, 0, false}), "yes", true, false, false},
	{prompts(panel("yes-no", 1, "yes yes"), Prompt{"s", 0, 90, 59, 0, false}, Prompt{"s", 0, 70, 59, 0, false}), "yes", false, false, false},
	{prompts(panel("yes-no", 1, "yes yes"), Prompt{"s", 0, 90, 59, 0, false}, Prompt{"s", 0, 70, 59, 0, false}), "yes", true, false, true},
	{critique(Reply{"H1", "accept"}, Reply{"H2", "reject"}), "answered", false, false, true},
	{critique(Reply{"H1", "accept"}, Reply{"H2", "ask"}), "answered", false, false, false},
	{review([]string{"a3", "", ""}, []string{"", "a+", "a+"}), "clean", false, false, true},
	{review([]string{"a2", "", ""}, []string{"", "a?", "a?"}), "clean", false, false, false},
	{review([]string{"a2", "", ""}, []string{"", "a?", "a?"}), "no-agreed", false, false, true},
	{review([]string{"a2", "", ""}, []string{"", "?", "a?"}), "no-agreed", false, false, false},
}

func TestRequire(t *testing.T) {
	for i, c := range requirements {
		if got := Require(c.p, c.label, c.unread, c.question); got != c.want {
			t.Errorf("case %d, %s: %v", i, text(judge(t, c.p)), got)
		}
	}
}

var endings = []struct {
	p    Panel
	ends string
	want bool
}{
	{panel("yes-no", 3, "yes yes yes"), "agreed", true},
	{panel("yes-no", 3, "yes yes yes"), "planned", false},
	{panel("yes-no", 3, "yes yes undecided"), "agreed", false},
	{panel("yes-no", 3, "yes yes -"), "agreed", false},
	{panel("estimate weeks", 3, "4 4"), "agreed", false},
	{with(panel("yes-no", 3, "yes yes"), func(p *Panel) { p.Given = 3 }), "agreed", false},
	{with(panel("yes-no", 3, "yes yes"), func(p *Panel) { p.Turns[1].Model = "Ada" }), "agreed", false},
	{with(panel("yes-no", 3, "yes yes"), func(p *Panel) { p.Evidence = 1; p.Turns = p.Turns[:1] }), "agreed", false},
	{twice(Request{ID: "C1", Round: 1}), "agreed", false},
	{panel("yes-no", 3, "yes no", "yes no"), "settled", true},
	{panel("yes-no", 3, "yes no", "yes yes"), "settled", false},
	{panel("yes-no", 3, "yes no"), "settled", false},
}

func TestEnds(t *testing.T) {
	for i, c := range endings {
		if c.p.Ends = c.ends; Ends(c.p) != c.want {
			t.Errorf("case %d: %v", i, !c.want)
		}
	}
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
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t.Logf("%5d %s", seen[name], name)
	}
}
