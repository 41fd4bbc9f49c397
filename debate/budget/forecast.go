package budget

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Range is an estimated range of a figure.
type Range struct{ Low, High float64 }

// Forecast estimates what a session has still to spend.
type Forecast struct {
	Calls    Range
	Tokens   Range
	USD      *Range           // nil if unknown
	Unpriced []agents.Profile // speakers whose prices are unknown
	Included bool             // a speaker is in a subscription, whose tokens USD leaves out
	Seconds  Range            // of the rounds
}

// Assumptions for a session without any answers yet, in tokens.
const (
	shortAnswer   = 250  // of an answer, without its thinking
	longAnswer    = 1200 // of a long answer
	toolTokens    = 250  // of tool definitions
	rulesTokens   = 450  // of a prompt without context
	reportAnswers = 2    // length of a chair's report, in answers
)

// How many seconds a step takes, in which the seats speak in parallel.
const leastStep, mostStep = 30, 75

// Estimate estimates the calls, tokens and cost of the remaining planned rounds and of
// the verdict. It is pure, so an interface may call it on every frame.
func Estimate(s debate.Session) Forecast { return EstimateAfter(s, nil) }

// Past returns how many tokens a model's answers had on average, with thinking; 0: unknown.
type Past func(p agents.Profile) int

// EstimateAfter is Estimate, by what is known of the past of the models.
func EstimateAfter(s debate.Session, past Past) Forecast {
	return newForecaster(s.Upcoming(), past).forecast(remainingRounds(s), true)
}

// EstimateRound estimates a round, or what is left of it, without the verdict.
func EstimateRound(s debate.Session, round int) Forecast {
	s = s.AsOf(round)
	left := slices.DeleteFunc(remainingRounds(s), func(r remainingRound) bool { return r.round != round })
	return newForecaster(s, nil).forecast(left, false)
}

// forecaster estimates a session; what its prompts share is counted once, since texts can be long.
type forecaster struct {
	debate.Session
	topic, context, evidence int // in tokens

	past    Past // nil: nothing is known
	answers int  // so far
	written int  // tokens of these
}

func newForecaster(s debate.Session, past Past) forecaster {
	f := forecaster{Session: s, topic: roughTokens(s.Topic), evidence: EvidenceTokens(s), past: past}
	for x := range s.Said() {
		f.answers, f.written = f.answers+1, f.written+x.Usage.Output
		f.context += statementTokens(x)
	}
	for _, r := range s.Requests {
		if a, ok := r.Answer(); ok {
			f.context += agents.Tokens(r.Query) + agents.Tokens(a.Content)
		}
	}
	return f
}

func (s forecaster) forecast(left []remainingRound, verdict bool) Forecast {
	least, most := shortAnswer, longAnswer
	if s.answers > 0 {
		average := s.written / s.answers
		least, most = average*leastShare/10, average*mostShare/10
	}
	low, high := s.spend(left, verdict, least, 0), s.spend(left, verdict, most, 1)
	f := Forecast{
		Calls:  Range{float64(low.Calls), float64(high.Calls)},
		Tokens: Range{float64(low.Usage.Input + low.Usage.Output), float64(high.Usage.Input + high.Usage.Output)},
	}
	for _, r := range left {
		for _, step := range s.Mode.Steps(s.SeatIDs(), r.round, s.Rounds) {
			if slices.ContainsFunc(step.Seats, func(id agents.ID) bool { return !r.spoke(step.Index, id) }) {
				f.Seconds.Low, f.Seconds.High = f.Seconds.Low+leastStep, f.Seconds.High+mostStep
			}
		}
	}
	for _, p := range s.Speakers() {
		f.Included = f.Included || p.Included
		if !p.Priced() {
			f.Unpriced = append(f.Unpriced, p)
		}
	}
	if low.Cost != nil && high.Cost != nil {
		f.USD = &Range{*low.Cost, *high.Cost}
	}
	return f
}

// String formats the forecast, such as "7-11 calls, 9k-31k tokens, $0.02-0.09".
func (f Forecast) String() string {
	return fmt.Sprintf("%s calls, %s tokens, %s", f.Calls, f.Thousands(), f.Price())
}

// Thousands formats the tokens in thousands, such as "9k-31k", or "3k" if both ends are equal.
func (f Forecast) Thousands() string {
	low, high := fmt.Sprintf("%.0fk", f.Tokens.Low/1000), fmt.Sprintf("%.0fk", f.Tokens.High/1000+0.5)
	if low == high {
		return low
	}
	return low + "-" + high
}

// Price formats the estimated cost, such as "$0.02-0.09" or "price unknown". It names
// no dollars for speakers in a subscription.
func (f Forecast) Price() string {
	switch {
	case f.USD == nil:
		return "price unknown"
	case f.USD.High == 0 && f.Included:
		return "included"
	case f.USD.High == 0:
		return "free"
	}
	words := text.Money(f.USD.Low)
	if high := text.Money(f.USD.High); high != words {
		words += "-" + strings.TrimPrefix(high, "$")
	}
	if f.Included {
		words += " + included"
	}
	return words
}

// String formats the range in whole numbers, as a single one if both ends are equal.
func (s Range) String() string { return text.Range(s.Low, s.High, "-") }

// writes returns how many tokens a speaker writes for a text, with its thinking.
func (s forecaster) writes(p agents.Profile, content, answer int, most bool) int {
	share, thinks := mostShare, thinking(p)
	if !most {
		share, thinks = leastShare, thinks/thinkingRange
	}
	if s.answers > 0 {
		return content
	}
	if s.past != nil {
		if n := s.past(p); n > 0 {
			return n * share / 10 * content / max(answer, 1)
		}
	}
	return content + thinks
}

// Tenths of the average so far that an answer is likely to have.
const leastShare, mostShare = 7, 15

// efforts are the most tokens that an answer is taken to think, by the words of servers. Gemini's
// endpoint has these limits for low, medium and high.
var efforts = map[string]int{
	"": 0, "none": 0, "minimal": 256, "low": 1024, "medium": 8192, "high": 24_576, "xhigh": 49_152, "max": 49_152,
}

// thinkingRange is how much more than the least an answer thinks at the most.
const thinkingRange = 8

// thinking returns how many reasoning tokens an answer takes at the most, by the speaker's settings.
func thinking(p agents.Profile) int {
	effort := p.ReasoningEffort
	var extra struct {
		Reasoning struct { // of OpenRouter
			Effort    string `json:"effort"`
			MaxTokens int    `json:"max_tokens"`
		} `json:"reasoning"`
		Thinking struct { // of Anthropic
			BudgetTokens int `json:"budget_tokens"`
		} `json:"thinking"`
		ThinkingBudget int `json:"thinking_budget"` // of DashScope
	}
	if len(p.ExtraBody) > 0 && json.Unmarshal(p.ExtraBody, &extra) == nil {
		effort = cmp.Or(effort, extra.Reasoning.Effort)
		if most := cmp.Or(extra.Reasoning.MaxTokens, extra.Thinking.BudgetTokens, extra.ThinkingBudget); most > 0 {
			return most
		}
	}
	if most, known := efforts[effort]; known {
		return most
	}
	return efforts["medium"]
}

// spend adds up what is left if every answer has so many tokens and every seat asks so many questions a round.
func (s forecaster) spend(left []remainingRound, verdict bool, answer, questions int) debate.Spending {
	total := debate.Spending{Cost: new(float64)}
	add := func(p agents.Profile, calls, in, out int) {
		u := agents.Usage{Input: in * calls, Output: capped(s.writes(p, out, answer, questions > 0), p.MaxTokens)}
		total = total.Plus(calls, u, p.Cost(u))
	}
	context, readTools := s.context, 0
	if s.evidence > 0 {
		readTools = evidenceTools
	}
	base := rulesTokens + s.topic + agents.Tokens(s.Mode.Rules) + agents.Tokens(s.Mode.Asking)
	for _, r := range left {
		again, tools := 1+questions, readTools+toolTokens
		said := 0
		for _, x := range r.done {
			said += statementTokens(x)
		}
		for _, step := range s.Mode.Steps(s.SeatIDs(), r.round, s.Rounds) {
			before := context
			for _, id := range step.Seats {
				if r.spoke(step.Index, id) {
					continue
				}
				p, _ := s.Seat(id)
				p = s.WithOutputLimit(p)
				in := base + agents.Tokens(p.Persona) + before + min(s.evidence, s.Fit.EvidenceLimit(p))
				add(p, again, min(in, PromptLimit(s.Session, p, r.round))+tools, answer)
				context, said = context+capped(answer, p.MaxTokens), said+answer
			}
		}
		if s.Light != nil && s.Mode.Reviews() && r.round == 1 { // to compare findings
			light := s.WithOutputLimit(*s.Light)
			add(light.ForAuxiliary(answer, nil), 1, min(base+said, PromptLimit(s.Session, light, r.round)), answer)
		}
	}
	if chair, ok := s.forecastChair(); ok && verdict {
		in := base + context + evidenceLabel*len(s.Evidence)
		add(chair, 1, min(in, PromptLimit(s.Session, chair, s.Rounds+1)), reportAnswers*answer)
	}
	return total
}

func statementTokens(x debate.Response) int {
	return roughTokens(x.Statement.Body) + agents.Tokens(x.Statement.Position)
}

// A long text is counted in so many bytes, which are parts from all over it.
const sampleSize, sampleParts = 1 << 12, 8

func roughTokens(content string) int {
	if len(content) <= sampleSize {
		return agents.Tokens(content)
	}
	n, size := 0, 0
	for i := range sampleParts {
		at := len(content) * i / sampleParts
		part := strings.ToValidUTF8(content[at:at+sampleSize/sampleParts], "")
		n, size = n+agents.Tokens(part), size+len(part)
	}
	return n * len(content) / max(size, 1)
}

func capped(n, limit int) int {
	if limit > 0 {
		return min(n, limit)
	}
	return n
}

// forecastChair returns the assumed author of the verdict; false if no verdict will be written.
func (s forecaster) forecastChair() (agents.Profile, bool) {
	switch {
	case s.Verdict != nil || len(s.Seats) == 0 || s.Mode.Critiques():
		return agents.Profile{}, false
	case s.Chair != nil:
		return s.WithOutputLimit(*s.Chair), true
	default:
		return s.WithOutputLimit(s.Seats[0]), true
	}
}

type remainingRound struct {
	round int
	done  []debate.Response
}

func (r remainingRound) spoke(step int, id agents.ID) bool {
	return slices.ContainsFunc(r.done, func(x debate.Response) bool { return x.Turn.Step == step && x.Turn.Agent == id })
}

func remainingRounds(s debate.Session) []remainingRound {
	if !s.HasRoundsLeft() {
		return nil
	}
	var out []remainingRound
	if c := s.Current(); c != nil && c.Ended.IsZero() {
		out = append(out, remainingRound{c.Number, c.Said()})
	}
	for n := len(s.History) + 1; n <= s.Rounds; n++ {
		out = append(out, remainingRound{round: n})
	}
	return out
}

// Brief says in a phrase about what a session costs at most, and how long it takes.
func (f Forecast) Brief() string {
	minutes := text.Range(math.Max(1, math.Floor(f.Seconds.Low/60)), math.Ceil(f.Seconds.High/60), " to ")
	price := f.Price()
	if f.USD != nil && f.USD.High > 0 {
		price = "about " + text.Money(f.USD.High)
	}
	return price + ", " + minutes + " min"
}

// Details says what a session needs, when it ends and who receives it, a line each.
func Details(s debate.Session, recipients string, past Past) string {
	f := EstimateAfter(s, past)
	ends := fmt.Sprintf("after round %d", s.Rounds)
	next := s.Next()
	if early := s.Ends.String(); early != "" && s.Mode.Votes != debate.VotesNone && next > 0 && next < s.Rounds &&
		(next == 1 || s.Ends != debate.EndsAgreed) {
		ends += "; " + early
	}
	seconds := f.Seconds.String()
	if s.Demo() { // only there does the script wait between words
		seconds += " in the interface, at a pace to read; at once elsewhere"
	}
	out := ""
	for _, line := range [][2]string{
		{"Calls", f.Calls.String()},
		{"Tokens", f.Thousands()},
		{"Cost", f.Price()},
		{"Seconds", seconds},
		{"Goes to", recipients},
		{"Ends", ends},
	} {
		out += fmt.Sprintf("%-9s%s\n", line[0], line[1])
	}
	return out
}
