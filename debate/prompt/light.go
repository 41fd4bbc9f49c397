package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
)

// Analysis returns the prompt with which the light model measures agreement after the
// last round. Members are named by their seats. In a review it asks which findings are the
// same.
func Analysis(s debate.Session) (Prompt, error) {
	if s.Mode.Reviews() {
		return comparePrompt(s)
	}
	f, err := analysisFitter(s)
	if err != nil {
		return Prompt{}, err
	}
	p, _ := f.fitWithSummaries(s)
	return p, nil
}

func analysisFitter(s debate.Session) (Fitter, error) {
	if s.Light == nil {
		return Fitter{}, fmt.Errorf("session %s has no light model", s.ID)
	}
	snap, err := NewSnapshot(s, len(s.History))
	if err != nil {
		return Fitter{}, err
	}
	last := s.History[len(s.History)-1]
	snap.Earlier, snap.Facts, snap.Missing = nil, nil, s.SilentSeats(last, last.StatementIDs())
	snap = snap.With(last.Statements())
	place, limit := snap.fence(), budget.PromptLimit(s, s.WithOutputLimit(*s.Light), snap.Round+1)
	return Fitter{
		snap: snap, fence: place, recent: snap.Round, limit: limit, goal: limit,
		build: func(n Snapshot) Prompt { return analysisPrompt(s, n, place) },
	}, nil
}

func analysisPrompt(s debate.Session, snap Snapshot, f fence) Prompt {
	labels := labelsToGroup(s)
	p := Prompt{System: analysisRules(len(labels) > 0, f), User: snap.history(f, "")}
	if len(labels) > 0 {
		p.User = append(p.User, groupsPart(f, labels))
	}
	p.User = append(p.User, debate.Part{
		Title: "the question",
		Text: fmt.Sprintf("The question of the debate:\n%s\n\nMeasure the agreement after round %d of %d now.",
			strings.TrimSpace(s.Topic), snap.Round, snap.Rounds),
	})
	return p
}

// analysisRules tells the light model what to answer. Groups of labels are asked for where
// there are labels to be grouped.
func analysisRules(groups bool, f fence) string {
	members := `"level": 0.5, "clusters": [{"theme": "close the bridge", "seats": [1, 2], "summary": "The north pier may give way."}, ` +
		`{"theme": "keep it open", "seats": [3, 4], "summary": "Only the paint has cracks."}], ` +
		`"common_ground": ["The pier has to be inspected."], "disagreements": ["How deep the cracks are."], "partial_agreements": [], ` +
		`"conditions": ["If the steel is sound, the bridge can stay open."], "uncertainties": ["When the pier was inspected last."]`
	if groups {
		members += `, "groups": ` + groupsExample
	}
	rules := "You measure how far the members of a debate agree. You take no side and add no facts of your own.\n" +
		"What matters is what they hold, not how sure they sound: members who are sure of opposite answers do not agree. " +
		"Agreement on the answer with different reasons is partial agreement. Members who gave no response are left out.\n" +
		"Write in the language of the question.\n" + f.rule() + "\n" +
		"\n" +
		"Answer with one JSON object of the form of this example, which is about another question, and nothing besides:\n" +
		"{" + members + "}\n" +
		"level: a number from 0 to 1; 1 is one answer for the same reasons, 0.5 is two groups of equal size, 0 is no two members " +
		"alike. clusters: every seat with a statement in exactly one, by its number. A list of " +
		"sentences has at most five short ones; an empty list is fine."
	if groups {
		rules += "\ngroups: " + groupsMeaning
	}
	return rules
}

// AnalysisSchema returns the JSON schema of the answer to the prompt of Analysis.
func AnalysisSchema(s debate.Session) json.RawMessage {
	if s.Mode.Reviews() {
		return compareSchema()
	}
	required, properties := "", ""
	if len(labelsToGroup(s)) > 0 {
		required, properties = `,"groups"`, `,"groups":{"type":"array","items":{"type":"array","items":{"type":"string"}}}`
	}
	return json.RawMessage(`{"type":"object","additionalProperties":false,` +
		`"required":["level","clusters","common_ground","disagreements","partial_agreements",` +
		`"conditions","uncertainties"` + required + `],` +
		`"properties":{"level":{"type":"number"},` +
		`"clusters":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["theme","seats","summary"],` +
		`"properties":{"theme":{"type":"string"},"seats":{"type":"array","items":{"type":"integer"}},"summary":{"type":"string"}}}},` +
		`"common_ground":{"type":"array","items":{"type":"string"}},"disagreements":{"type":"array","items":{"type":"string"}},` +
		`"partial_agreements":{"type":"array","items":{"type":"string"}},"conditions":{"type":"array","items":{"type":"string"}},` +
		`"uncertainties":{"type":"array","items":{"type":"string"}}` + properties + `}}`)
}

// summaryPromptVersion is increased with every change of the prompt below, so that
// summaries of older versions are not used.
const summaryPromptVersion = 2

// NewStatementSummary returns the summary of a statement that a model replied. It
// returns false if the reply is blank or more than half as long as the statement.
func NewStatementSummary(s debate.Session, x debate.Response, model string, reply agents.Reply,
	at time.Time,
) (debate.StatementSummary, bool) {
	body, raw := x.Statement.Body, reply.Text
	if reply.Finish == agents.FinishLength {
		raw = wholeSentences(raw, runeCount(raw))
	}
	raw = strings.TrimSpace(NewAnonymizer(s).Scrub(raw))
	sum := debate.StatementSummary{
		Response: x.ID(), Hash: hashText(body), Model: model, Version: summaryPromptVersion,
		Text: raw, OriginalLength: runeCount(body), Length: runeCount(raw), At: at,
	}
	return sum, sum.Length > 0 && 100*sum.Length <= maxExcerptPercent*sum.OriginalLength
}

// isSummaryOf reports whether sum is a summary of the response by the given model and
// the current prompt.
func isSummaryOf(sum debate.StatementSummary, x debate.Response, model string) bool {
	return sum.Response == x.ID() && sum.Model == model && sum.Version == summaryPromptVersion && sum.Hash == hashText(x.Statement.Body)
}

func hashText(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// summaryModel returns the profile of who summarizes a statement: the light model
// or else the statement's author, so that all readers share one summary.
func summaryModel(s debate.Session, x debate.Response) agents.Profile {
	if s.Light != nil {
		return *s.Light
	}
	p, _ := s.Seat(x.Turn.Agent)
	return p
}

// SummarySpeaker returns who is asked to summarize a statement, with the temperature,
// the effort and the output limit of that request.
func SummarySpeaker(s debate.Session, x debate.Response) agents.Profile {
	p := summaryModel(s, x)
	temperature := summaryTemperature
	p.Temperature = &temperature
	wanted := min(max(agents.Tokens(x.Statement.Body)*maxTargetPercent/100, minSummaryOutput), maxSummaryOutput)
	return p.ForAuxiliary(wanted, SummaryMessages(s, x))
}

const (
	summaryTemperature = 0.5
	minSummaryOutput   = 200 // tokens of the text that is wanted
	maxSummaryOutput   = 800
)

// SummaryMessages returns the request for the summary of a statement.
func SummaryMessages(s debate.Session, x debate.Response) []agents.Message {
	n := runeCount(x.Statement.Body)
	f := newFence(s.Nonce)
	return []agents.Message{
		{Role: agents.System, Text: summaryRules + "\n" + f.rule()},
		{Role: agents.User, Text: fmt.Sprintf("The reasoning of one statement:\n%s\n\nShorten "+
			"it to %d to %d characters.",
			f.block("reasoning", x.Statement.Body), n*minTargetPercent/100, n*maxTargetPercent/100)},
	}
}

const summaryRules = "You shorten one statement of a debate for readers who cannot read all of it. They know its position already.\n" +
	"Keep the reasons, conditions, figures and names, and references in square brackets as they are. Leave out " +
	"repetitions, examples and polite words. Add nothing, judge nothing.\n" +
	"Write plain text in the language of the statement, as its author would, without a heading, and nothing besides."

// SummaryCache holds the summaries of a session.
type SummaryCache struct {
	session   debate.Session
	summaries map[string][]debate.StatementSummary // by response
	tried     func(response string) bool
}

// NewSummaryCache returns the summaries of a session. Tried reports whether a summary
// of the response with that id has been attempted and is not worth waiting for.
func NewSummaryCache(s debate.Session, tried func(response string) bool) SummaryCache {
	c := SummaryCache{session: s, summaries: map[string][]debate.StatementSummary{}, tried: tried}
	for _, sum := range s.Summaries {
		c.summaries[sum.Response] = append(c.summaries[sum.Response], sum)
	}
	return c
}

func (c SummaryCache) find(x debate.Response) (debate.StatementSummary, bool) {
	model := summaryModel(c.session, x).Model
	for _, sum := range c.summaries[x.ID()] {
		if isSummaryOf(sum, x, model) {
			return sum, true
		}
	}
	return debate.StatementSummary{}, false
}

func (c SummaryCache) pending(x debate.Response) bool { return !c.tried(x.ID()) }

func summariesByKey(s debate.Session) map[string]debate.StatementSummary {
	out := make(map[string]debate.StatementSummary, len(s.Summaries))
	for _, sum := range s.Summaries {
		out[sum.Key()] = sum
	}
	return out
}
