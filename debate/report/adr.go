package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// ADR is a decision record in Markdown, with the headings of MADR. It sums up the
// debate, and is for a repository; the formats of Formats hold all of it.
const ADR Format = "adr"

// The statuses of a decision record. A panel only proposes.
const (
	StatusProposed = "proposed"
	StatusAccepted = "accepted"
)

func (r Report) writeADR(w io.StringWriter) error {
	m := &markdownWriter{Report: r, b: &documentWriter{w: w}}
	m.b.WriteString(fmt.Sprintf("---\nstatus: %s\ndate: %s\n---\n\n", r.decisionStatus, r.Updated.Format(time.DateOnly)))
	m.block("# %s", m.Name)
	m.problem()
	if m.Conclusion == nil || m.Conclusion.Review == nil {
		m.considered()
	}
	m.decision()
	m.open()
	m.dissent()
	m.sources()
	m.evidence()
	m.block("## More Information")
	m.item("Debated by %s", m.members())
	m.item("Rounds: %s", m.Progress)
	m.item("The whole debate: %s", verbatim("roundtable export "+m.ID))
	if m.Demo {
		m.item("Demo: scripted answers, no model")
	}
	if m.Redacted {
		m.item("Redacted: what looked like a key or a password is masked")
	}
	return m.b.close()
}

// undecided returns why a verdict chooses no option; "" if it chooses one.
func (r Report) undecided() string {
	switch v := r.Verdict; {
	case v.Side != nil:
		return ""
	case v.Form == debate.FormRanking || v.Form == debate.FormScores:
		return "seats were ranked or options scored, which is no vote on an option"
	case v.Findings != nil:
		return "a review lists findings, and votes on nothing"
	case v.Form == debate.FormEstimate:
		return "the answer is an estimate"
	case v.Form == debate.FormDemo:
		return "the answers of the demo are scripted"
	default:
		return "no side is held by more than half of the voting seats"
	}
}

func (m *markdownWriter) problem() {
	m.block("## Context and Problem Statement")
	m.quote(m.Topic)
	if by := m.TopicBy.Note(); by != "" {
		m.block("The topic is %s.", by)
	}
	if m.Answers != "" {
		m.block("Answers: %s.", m.Answers)
	}
	for _, q := range m.Requests {
		if len(q.Released) == 0 {
			continue
		}
		last := q.Released[len(q.Released)-1].Revision
		for _, a := range q.Answers {
			if a.Revision != last {
				continue
			}
			m.block("%s, asked by the panel:", q.Request)
			m.quote(q.Query)
			m.block("%s:", text.Capitalize(string(a.Outcome)))
			m.quote(a.Content)
			if from := a.From(); from != "" {
				m.block("Source: %s", from)
			}
		}
	}
}

// considered writes the options with the last votes and positions for each.
func (m *markdownWriter) considered() {
	m.block("## Considered Options")
	options := m.considerable()
	if len(options) == 0 {
		m.block("No option was named.")
	}
	for _, side := range options {
		m.item("**%s**%s", side, m.votesFor(side))
		for _, who := range m.Agents {
			if x := m.lastStatement(who); x != nil && x.Side == side && x.Statement.Position != "" {
				m.b.WriteString("  ")
				m.item("%s: %s", who.Name, x.Statement.Position)
			}
		}
	}
	if len(options) > 0 {
		m.end()
	}
}

// considerable returns the options of a choice, or yes and no, and then the other sides
// that were taken.
func (m *markdownWriter) considerable() []debate.Side {
	var all []debate.Side
	add := func(side debate.Side) {
		if side != debate.Undecided && !slices.Contains(all, side) {
			all = append(all, side)
		}
	}
	for _, option := range m.Options {
		add(debate.Side(option))
	}
	if m.Question == debate.QuestionYesNo {
		add(debate.SideYes)
		add(debate.SideNo)
	}
	for _, r := range m.History {
		for _, x := range r.Responses {
			add(x.Side)
		}
	}
	return all
}

func (m *markdownWriter) votesFor(side debate.Side) string {
	if m.Verdict == nil {
		return ""
	}
	return ", " + text.Count(m.Verdict.Final.Votes[side], "vote")
}

func (m *markdownWriter) lastStatement(who Seat) *Response {
	for _, r := range slices.Backward(m.History) {
		for i, x := range slices.Backward(r.Responses) {
			if x.Agent == who.ID && x.Done() {
				return &r.Responses[i]
			}
		}
	}
	return nil
}

// decision writes what the panel proposes, and what it lacks. To accept it is up to a
// person.
func (m *markdownWriter) decision() {
	m.block("## Decision Outcome")
	if m.Verdict == nil {
		m.block("No decision: there is no verdict. %s", m.State.Text)
		return
	}
	switch side := m.Verdict.Side; {
	case side == nil:
		m.block("No option was chosen: %s.", m.undecided())
	case m.decisionStatus == StatusAccepted:
		m.block("Chosen option: **%s**.", *side)
	default:
		m.block("Proposed option: **%s**.", *side)
	}
	m.block("%s.", m.Conclusion.Headline)
	if m.Conclusion.Settled != "" {
		m.block("%s", m.Conclusion.Settled)
	}
	m.list(withWarningSign(m.Conclusion.Cautions())...)
	m.block("%s", m.Conclusion.Byline())
	m.list(m.Conclusion.ResultLines...)
	m.quote(m.Conclusion.Text)
	m.review()
}

// open writes what a reader has to expect: what the panel left open, and what the verdict
// lacks.
func (m *markdownWriter) open() {
	m.block("### Consequences")
	var all []string
	for _, q := range m.Requests {
		switch {
		case len(q.Released) > 0 || q.State == ledger.Withdrawn:
		case q.State == ledger.Resolved:
			all = append(all, fmt.Sprintf("Answered, but not sent: %s, %s", q.Request, q.Query))
		default:
			all = append(all, fmt.Sprintf("Not answered: %s, %s", q.Request, q.Query))
		}
	}
	if n := len(m.History); n > 0 {
		if c := m.History[n-1].Consensus; c != nil {
			for _, d := range c.Disagreements {
				all = append(all, "Still disputed: "+d)
			}
		}
	}
	if len(all) == 0 && m.Verdict == nil {
		all = append(all, "Not known: there is no verdict.")
	} else if len(all) == 0 {
		all = append(all, "The panel left nothing open. Its report says what follows.")
	}
	m.list(all...)
}

func (m *markdownWriter) dissent() {
	m.block("### Dissent")
	if m.Conclusion == nil {
		m.block("Not known: there is no verdict.")
		return
	}
	counted, voters := verdict.Stated(m.Verdict.Final), m.Verdict.Final.Voters
	switch {
	case m.Conclusion.Review != nil:
		m.block("What the seats dispute is said with each finding.")
	case len(m.Conclusion.Dissent) == 0 && m.Verdict.Final.Majority == debate.Undecided:
		m.block("None is counted: no side has a majority.")
	case len(m.Conclusion.Dissent) == 0 && counted < voters:
		m.block("None, but only %d of %d votes %s counted for a side.", counted, voters, text.Inflect(counted, "was", "were"))
	case len(m.Conclusion.Dissent) == 0:
		m.block("None.")
	default:
		m.opinions(m.Conclusion.Dissent)
	}
}

func (m *markdownWriter) members() string {
	var all []string
	for _, a := range m.Agents {
		all = append(all, fmt.Sprintf("%s (%s)", a.Name, modelName(a.Profile)))
	}
	return strings.Join(all, ", ")
}
