package verdict

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// What a review can be required to be.
const (
	ReviewClean      = "clean"     // no finding is agreed, disputed or by one seat
	ReviewNoneAgreed = "no-agreed" // no finding is agreed
)

// CritiqueAnswered is what a critique can be required to be: each concern is accepted or rejected.
const CritiqueAnswered = "answered"

// Demand is what a debate is required to come to.
type Demand struct {
	Label           string          // a side, or what a review can be required to be
	Severity        debate.Severity // the least that counts in a review; "" means medium
	AllowUnread     []string        // patterns of files whose lines may be shown to no seat
	AllowUnanswered bool            // required questions that were given up
}

// Finding says whether a demand is met, why it is not, and what weakens it if it is.
type Finding struct {
	Met     bool     `json:"met"`
	Reasons []string `json:"reasons,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// NotByPerson returns the required requests without an answer that is known to be a person's.
func NotByPerson(s debate.Session) []ledger.Request {
	return slices.DeleteFunc(slices.Clone(s.Requests), func(r ledger.Request) bool {
		a, sent := r.Sent()
		return r.Priority != ledger.Required || sent && a.Author.Kind == ledger.Person ||
			!sent && r.State != ledger.Pending && r.State != ledger.AfterVerdict && r.State != ledger.Unanswered
	})
}

// CheckDemand returns an error if no result of a session can be what is demanded.
func CheckDemand(s debate.Session, label string) error {
	switch {
	case s.Mode.Reviews() && slices.Contains([]string{ReviewClean, ReviewNoneAgreed}, label):
		return nil
	case s.Mode.Reviews():
		return fmt.Errorf("a review has no side; give %s or %s, not %q", ReviewClean, ReviewNoneAgreed, text.Label(label))
	case s.Mode.Critiques() && label == CritiqueAnswered:
		return nil
	case s.Mode.Critiques():
		return fmt.Errorf("a critique has no side; give %s, not %q", CritiqueAnswered, text.Label(label))
	case !CountsSides(s) || len(voters(s)) == 0:
		return fmt.Errorf("mode %s counts no sides", s.Mode.Name)
	case s.Question == debate.QuestionEstimate:
		return errors.New("an estimate is a number and has no side")
	}
	if readBallot(s, debate.Statement{Vote: label}).state == debate.VoteRead {
		return nil
	}
	sides := ""
	switch s.Question {
	case debate.QuestionYesNo, debate.QuestionUnset:
		sides = "; it is answered with yes or no"
	case debate.QuestionChoice:
		sides = "; its options: " + text.Line(strings.Join(s.Mode.Options, ", "))
	case debate.QuestionEstimate, debate.QuestionOpen:
	}
	return fmt.Errorf("%q is no side of the question%s", text.Label(label), sides)
}

// Meets reports whether a debate came to what is demanded: of sides, by votes of the round in which it was
// planned to end or ended in agreement, on prompts that were not cut.
func Meets(s debate.Session, d Demand) Finding {
	var out Finding
	c := Count(s)
	switch {
	case c.Demo:
		out.Reasons = append(out.Reasons, "the answers of the demo are scripted")
	case s.Mode.Reviews() || s.Mode.Critiques():
		out.Reasons = unclear(s, c, d)
	default:
		out.Reasons = pollOf(s).holds(d)
	}
	out.addQuestions(s, d)
	if unread := unreadFiles(s, d.AllowUnread); len(unread) > 0 {
		out.Reasons = append(out.Reasons, fmt.Sprintf("lines of %s were shown to no seat", text.Line(text.List(unread))))
	}
	out.Met = len(out.Reasons) == 0
	return out
}

func (p poll) holds(d Demand) []string {
	want := readBallot(p.s, debate.Statement{Vote: d.Label})
	suspected := suspectedPrompts(p.s)
	last := max(p.s.Rounds, len(p.s.History))
	if p.s.Stopped == debate.EndedByConsensus || p.s.Stopped == debate.EndedByConvergence {
		last = len(p.s.History)
	}
	n, doubtful := 0, 0
	for _, v := range p.voters {
		switch said := v.now.response; {
		case v.at < 0 || p.rounds[v.at] != last || v.now.state != debate.VoteRead || said.Statement.Cut != nil ||
			!SameLabel(string(v.now.side), string(want.side)):
		case suspected[said.ID()] && len(d.AllowUnread) == 0:
			doubtful++
		default:
			n++
		}
	}
	switch of := len(p.voters); {
	case isMajority(n, of):
		return nil
	case isMajority(n+doubtful, of):
		return []string{fmt.Sprintf("%s may have been cut", text.Count(doubtful, "prompt"))}
	default:
		return []string{fmt.Sprintf("%d of %d hold it in round %d", n, of, last)}
	}
}

func (f *Finding) addQuestions(s debate.Session, d Demand) {
	for _, q := range s.Requests {
		if q.Priority != ledger.Required || q.State == ledger.Withdrawn || q.JoinedTo != "" {
			continue
		}
		a, _ := answerOf(q)
		switch {
		case (q.Open() || q.State == ledger.Unanswered) && !d.AllowUnanswered:
			f.Reasons = append(f.Reasons, q.ID+" has no answer")
		case a.Outcome == ledger.Unavailable:
			f.Notes = append(f.Notes, q.ID+" unanswered")
		case AuthorName(a.Author) != "":
			f.Notes = append(f.Notes, q.ID+" by "+text.Line(AuthorName(a.Author)))
		}
	}
}

func unreadFiles(s debate.Session, allowed []string) []string {
	var out []string
	for _, c := range coverage(s) {
		if c.Blocks() && !debate.MatchPath(allowed, c.File) && !slices.Contains(out, c.File) {
			out = append(out, c.File)
		}
	}
	return out
}

func unclear(s debate.Session, c debate.Counted, d Demand) (out []string) {
	words := WordsOf(s, c)
	for _, k := range c.Cautions {
		perhaps := !slices.ContainsFunc(k.Items, func(i debate.CautionItem) bool { return i.Word != Perhaps })
		if (k.Missing || k.ID == CautionMissedTurn && s.Mode.Reviews()) && !(perhaps && len(d.AllowUnread) > 0 && s.Mode.Reviews()) {
			out = append(out, words.Caution(k))
		}
	}
	if s.Mode.Critiques() {
		return append(out, unanswered(s, c)...)
	}
	found := Review(s)
	if found == nil || c.Result.Count < 2 {
		return append(out, fmt.Sprintf("findings of %s were read", text.Count(c.Result.Count, "seat")))
	}
	if len(s.History) < debate.ReviewRounds && s.Rounds > 1 {
		out = append(out, "nobody judged the findings")
	}
	least, grave := cmp.Or(d.Severity, debate.SeverityMedium), 0
	for _, f := range found {
		counts := f.State == debate.FindingAgreed || d.Label == ReviewClean && f.State != debate.FindingRefuted
		if counts && f.MergedInto == "" && rank(f.Severity) <= rank(least) {
			grave++
		}
	}
	if grave > 0 {
		out = append(out, fmt.Sprintf("%s of severity %s or more", text.Count(grave, "finding"), least))
	}
	return out
}

func unanswered(s debate.Session, c debate.Counted) (out []string) {
	if r := c.Result; r.Seat == "" || r.Draft {
		out = append(out, "there is no final text")
	}
	for _, x := range s.Concerns() {
		if x.Does == debate.AsksUser {
			out = append(out, x.ID+" asks you")
		}
	}
	return out
}
