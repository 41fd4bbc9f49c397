package debate

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"roundtable/internal/text"
)

var contextIDPattern = regexp.MustCompile(`^\[?\s*[Cc]0*([1-9]\d{0,5})\s*\]?$`)

// maxQuotedLength is how many characters notes quote of what a model wrote.
const maxQuotedLength = 40

// ParseStatement splits a speaker's text into its prose and its structured part: a
// fenced JSON block at the very end. It accepts a block without a language or fences,
// one that was cut off, and repeated blocks, of which the last counts. What cannot be
// read is left empty, with a note.
func ParseStatement(raw string) Statement {
	s := Statement{Body: strings.TrimSpace(raw)}
	fences := findFences(s.Body)
	if b, ok := lastJSONBlock(s.Body, fences); ok && b.structured() {
		s.Body = strings.TrimSpace(trimJSONBlocks(s.Body[:b.start], fences))
		s.Notes = b.notes()
		s.setFields(b.members)
	}
	return s
}

// setFields sets the fields that the structured part has in a readable form.
func (s *Statement) setFields(fields map[string]json.RawMessage) {
	s.Position = strings.TrimSpace(stringOf(fields["position"]))
	if s.Body == "" { // the model put everything into the block
		s.Body = strings.TrimSpace(stringOf(fields["reasoning"]))
	}
	s.Confidence = s.readConfidence(fields["confidence"])
	switch stance := strings.ToLower(strings.TrimSpace(stringOf(fields["stance"]))); Stance(stance) {
	case Yes, No, Neutral:
		s.Stance = Stance(stance)
	case "":
	default:
		s.AddNote("stance %q is not yes, no or neutral", text.Head(stance, maxQuotedLength))
	}
	s.Citations = stringList(fields["citations"])
	s.Ranking = stringList(fields["ranking"])
	s.readScores(fields["scores"])
	for _, c := range stringList(fields["context_used"]) {
		m := contextIDPattern.FindStringSubmatch(c)
		if m == nil {
			s.AddNote("context_used %q is not a request", text.Head(c, maxQuotedLength))
			continue
		}
		if id := "C" + m[1]; !slices.Contains(s.ContextUsed, id) {
			s.ContextUsed = append(s.ContextUsed, id)
		}
	}
}

// maxScores is far more than any mode asks for.
const maxScores = 200

// readScores reads the score of each option by each criterion. It skips unreadable
// entries with a note.
func (s *Statement) readScores(raw json.RawMessage) {
	if len(raw) == 0 || string(raw) == "null" {
		return
	}
	var list []map[string]json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		s.AddNote("scores is not a list of scores")
		return
	}
	for _, m := range list[:min(len(list), maxScores)] {
		sc := Score{
			Option:    strings.TrimSpace(stringOf(m["option"])),
			Criterion: strings.TrimSpace(stringOf(m["criterion"])), Reason: strings.TrimSpace(stringOf(m["reason"])),
		}
		word := strings.TrimSpace(stringOf(m["score"]))
		if word == "" {
			word = string(m["score"])
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(word, "/10")), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || sc.Option == "" || sc.Criterion == "" {
			s.AddNote("the score of %q by %q is not a number from 0 to 10", text.Head(sc.Option, maxQuotedLength),
				text.Head(sc.Criterion, maxQuotedLength))
			continue
		}
		if v < 0 || v > 10 {
			s.AddNote("score %s was clamped to 0..10", text.Head(word, maxQuotedLength))
		}
		sc.Score = min(max(v, 0), 10)
		s.Scores = append(s.Scores, sc)
	}
}

// readConfidence reads a confidence of 0 to 1, also as a string or in percent ("70%"),
// and clamps others.
func (s *Statement) readConfidence(raw json.RawMessage) *float64 {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	word := strings.TrimSpace(stringOf(raw))
	if word == "" {
		word = string(raw)
	}
	percent := strings.HasSuffix(word, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(word, "%")), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		s.AddNote("confidence %s is not a number", text.Head(word, maxQuotedLength))
		return nil
	}
	if percent {
		v /= 100
	}
	if v < 0 || v > 1 {
		s.AddNote("confidence %s was clamped to 0..1", text.Head(word, maxQuotedLength))
	}
	v = min(max(v, 0), 1)
	return &v
}

func stringOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// stringList reads a list of strings or a single string and skips values of other types.
func stringList(raw json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	var out []string
	for _, item := range list {
		if s := strings.TrimSpace(stringOf(item)); s != "" {
			out = append(out, s)
		}
	}
	return out
}
