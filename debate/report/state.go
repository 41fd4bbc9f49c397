package report

import (
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Line returns what a session comes to, in one line.
func Line(s debate.Session) string { return verdict.WordsOf(s, verdict.Count(s)).Line().String() }

// LineOf returns what a session comes to, see debate.Line, the majority's side if no seat is scripted, and the cautions.
func LineOf(s debate.Session) (string, debate.Side, []string) {
	counted := verdict.Count(s)
	words := verdict.WordsOf(s, counted)
	if counted.Demo { // a side alone would not say that it is scripted
		return string(words.Line()), debate.Undecided, words.Cautions()
	}
	return string(words.Line()), counted.Result.Side, words.Cautions()
}

// EndQuestion asks whether to end a debate now, and says what the verdict then lacks.
func EndQuestion(s debate.Session, running bool) string {
	without := ledger.IDs(s.Unanswered())
	if running {
		without = append(without, "unfinished answers")
	}
	if len(prompt.Chairs(s)) == 0 {
		return "End now? Nobody has answered, so no chair writes a verdict."
	}
	return text.Join(" without ", "End now? The chair writes the verdict", text.List(without)) + "."
}

func (d Document) stateOf(s debate.Session, o Options) State {
	out := State{Word: s.State(o.Holder.Plays(s)).Word()}
	if o.Live {
		out.HeldBy = &o.Holder
	}
	if v := d.Verdict; v != nil {
		out.Whole, out.Text = v.Report.Chair != "" && !v.Incomplete, v.Headline
		return out
	}
	out.Text = text.Sentence(ProgressOf(s, o.Holder.Plays(s)).Now())
	if o.Live {
		out.Text += " It was still open" + o.Holder.Aside() + " when this was written, so more may have followed."
	}
	return out
}

// stateWords say of each state how far the debate is, and what comes next.
// {round} is the newest one that has begun, {next} the one after it, {rounds} how many are planned,
// {waits} what it waits for or lacks, {why} the cause of a round that stays open.
var stateWords = map[debate.State]struct{ now, next string }{
	debate.StateDraft:       {"not started", "start round 1"},
	debate.StateRunning:     {"round {round} of {rounds} runs", "wait"},
	debate.StateInterrupted: {"round {round} has not ended", "play the rest of round {round}"},
	debate.StateFailed:      {"{why}", "play round {round} again"},
	debate.StateRoundOpen:   {"{why}", "retry, or go on without them"},
	debate.StateWaiting:     {"{waits}", "answer, then start round {next}"},
	debate.StateReady:       {"round {next} comes next", "start round {next}"},
	debate.StateGone:        {"its mode is gone, so it can only be read", ""},
	debate.StateComplete:    {"the debate has its verdict", "read it"},
	WritingVerdict:          {"the verdict is being written", "wait"},
	VerdictNext:             {"the verdict comes next", "write the verdict"},
	AskedAfter:              {"the debate has its verdict, and {waits}", "answer, then add a round that uses the answer"},
}

// The states running and ready after the last round, and complete with an open required question.
const (
	WritingVerdict debate.State = "writing_verdict"
	VerdictNext    debate.State = "verdict_next"
	AskedAfter     debate.State = "asked_after"
)

// Progress is how far a debate is. With a verdict its state is complete or AskedAfter, however it ended.
type Progress struct {
	State         debate.State
	Round, Rounds int    // the newest one that has begun, and how many are planned
	Waits         string // see [Waits]; after the verdict, which question is open
	Open          *debate.RoundFailedError
}

// Now says how far the debate is, in a clause.
func (p Progress) Now() string { return p.fill(stateWords[p.State].now) }

// Next says what comes next, such as "start round 2"; "" if nothing does.
func (p Progress) Next() string { return p.fill(stateWords[p.State].next) }

func (p Progress) fill(form string) string {
	return strings.NewReplacer("{round}", fmt.Sprint(max(p.Round, 1)), "{rounds}", fmt.Sprint(p.Rounds), "{next}", fmt.Sprint(p.Round+1),
		"{waits}", p.Waits, "{why}", text.Line(strings.TrimSuffix(p.Open.Cause(), "."))).Replace(form)
}

// ProgressOf returns how far a session is; running says whether a process plays it.
func ProgressOf(s debate.Session, running bool) Progress {
	p := Progress{State: s.State(running), Round: len(s.History), Rounds: s.Rounds, Waits: Waits(s), Open: s.OpenRound()}
	if running {
		p.Round = s.Playing()
	}
	if s.Verdict != nil {
		p.State = debate.StateComplete
		if open := s.OpenRequests(); len(open) > 0 && open[0].Priority == ledger.Required {
			p.State, p.Waits = AskedAfter, open[0].ID+" is open"
		}
	}
	return p.beforeVerdict(s.Status() == debate.Ready && s.Next() == 0)
}

// ProgressOfListed returns how far a session in a list is that has no verdict.
func ProgressOfListed(s debate.SessionSummary) Progress {
	p := Progress{s.State(), s.Round, s.Rounds, s.Asking, s.Open}
	return p.beforeVerdict(s.Status == debate.Ready && (s.Round >= s.Rounds || s.Stopped != debate.NotStopped))
}

func (p Progress) beforeVerdict(next bool) Progress {
	switch {
	case next && p.State == debate.StateRunning:
		p.State = WritingVerdict
	case next && p.State == debate.StateReady:
		p.State = VerdictNext
	}
	return p
}

// Waits says what the next round waits for: "Round 2 waits for C1 (Cleo)"; "" for nothing, or no round.
func Waits(s debate.Session) string {
	open := s.Unanswered()
	if len(open) == 0 || s.LacksRound() {
		return ""
	}
	words := fmt.Sprintf("Round %d waits for %s (%s)", len(s.History)+1, open[0].ID, text.List(s.NamesOf(open[0].Askers())))
	if n := len(open) - 1; n > 0 {
		words += fmt.Sprintf(" and %d more", n)
	}
	return text.Line(words)
}

// Doing says what a process does with a session that it has open, as a sentence.
func Doing(h debate.Holder, s debate.Session) string {
	if h.Plays(s) {
		return fmt.Sprintf("Running: %s, in another Roundtable%s.", ProgressOf(s, true).Now(), h.Aside())
	}
	return fmt.Sprintf("Open in another Roundtable%s.", h.Aside())
}

// Listed is a session in a list, as JSON.
type Listed struct {
	debate.SessionSummary
	Word     string       `json:"state"`
	Majority *debate.Side `json:"side"`            // null without one
	Cause    string       `json:"cause,omitempty"` // why a round failed or stays open
}

// ListedOf returns a session as lists have it in JSON, with its texts made safe.
func ListedOf(s debate.SessionSummary) Listed {
	s.Title, s.Topic, s.Line = text.Clean(s.Title), text.Clean(s.Topic), debate.Line(text.Clean(string(s.Line)))
	s.Updated, s.Seats = s.Updated.UTC(), append([]agents.Profile{}, s.Seats...)
	l := Listed{SessionSummary: s, Word: s.State().Word(), Cause: s.Open.Cause()}
	if s.Side != debate.Undecided {
		l.Majority = &s.Side
	}
	return l
}
