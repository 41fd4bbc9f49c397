package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"roundtable/agents"
)

// FactCheckName is the name of the tool that compares a claim with what others said.
const FactCheckName = agents.FactCheckName

// Statement is the last statement of another member, as the caller may see it. Block is
// the statement as fenced data that cannot end its own fence, "" if the caller's prompt
// has all of it.
type Statement struct {
	Speaker string
	Round   int
	Text    string
	Block   string
}

// FactCheck returns the statements of the other members, those that mention the
// claim first.
type FactCheck struct{}

// Spec describes the tool.
func (FactCheck) Spec() agents.ToolSpec {
	return agents.ToolSpec{
		Name: FactCheckName,
		Description: "Hold a claim against what the other members of this debate said last. " +
			"It says who speaks of the claim, and shows the statements that your prompt does not have in full. " +
			"It knows nothing besides the debate.",
		Schema: json.RawMessage(`{"type":"object","properties":{` +
			`"claim":{"type":"string","minLength":1,"maxLength":1000,"description":"The claim, in a sentence."},` +
			`"source_agent":{"type":"string","maxLength":100,"description":"Only what this member said, by its name or label."}},` +
			`"required":["claim"]}`),
	}
}

// Run compares the claim with the statements that the turn may see.
func (FactCheck) Run(_ context.Context, tc Context, args json.RawMessage) (Output, error) {
	var in struct {
		Claim  string `json:"claim"`
		Source string `json:"source_agent"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return Output{}, fmt.Errorf("arguments of %s: %w", FactCheckName, err)
	}
	if tc.Statements == nil {
		return Output{}, fmt.Errorf("no statements to check the claim against yet")
	}
	statements := tc.Statements.Statements(tc.Turn)
	if source := strings.TrimSpace(in.Source); source != "" {
		all := speakers(statements)
		statements = slices.DeleteFunc(slices.Clone(statements), func(s Statement) bool { return !strings.EqualFold(s.Speaker, source) })
		if len(statements) == 0 {
			return Output{}, fmt.Errorf("no statement of %q can be seen; there are statements of: %s", source, cmp.Or(all, "nobody"))
		}
	}
	if len(statements) == 0 {
		return Output{Text: "No other member has said anything yet that you can see.", Summary: "nobody has spoken yet"}, nil
	}
	text := "What the other members said last."
	var mentioning, others []Statement
	for _, s := range statements {
		if mentions(s.Text, in.Claim) {
			mentioning = append(mentioning, s)
			text += fmt.Sprintf("\n\n%s mentions it, in round %d%s", s.Speaker, s.Round, s.body())
		} else {
			others = append(others, s)
		}
	}
	for _, s := range others {
		text += fmt.Sprintf("\n\n%s does not mention it in these words, in round %d%s", s.Speaker, s.Round, s.body())
	}
	return Output{Text: text, Summary: summarize(mentioning, others)}, nil
}

func (s Statement) body() string {
	if s.Block == "" {
		return ": the statement stands above in full."
	}
	return ":\n" + s.Block
}

func speakers(statements []Statement) string {
	var names []string
	for _, s := range statements {
		names = append(names, s.Speaker)
	}
	return strings.Join(names, ", ")
}

func summarize(mentioning, others []Statement) string {
	var parts []string
	switch len(mentioning) {
	case 0:
	case 1:
		parts = append(parts, speakers(mentioning)+" mentions it")
	default:
		parts = append(parts, speakers(mentioning)+" mention it")
	}
	switch len(others) {
	case 0:
	case 1:
		parts = append(parts, speakers(others)+" does not")
	default:
		parts = append(parts, speakers(others)+" do not")
	}
	return strings.Join(parts, "; ")
}

func mentions(text, claim string) bool {
	has := map[string]bool{}
	for _, w := range words(text) {
		has[w] = true
	}
	all, found := 0, 0
	for _, w := range words(claim) {
		all++
		if has[w] {
			found++
		}
	}
	return all > 0 && 5*found >= 3*all
}

const maxShortWord = 3

func words(s string) []string {
	all := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var out []string
	for _, w := range all {
		if len([]rune(w)) > maxShortWord || strings.ContainsFunc(w, unicode.IsDigit) {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}
