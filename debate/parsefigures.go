package debate

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"

	"roundtable/internal/text"
)

// maxScores is far more than any mode asks for.
const maxScores = 200

// readScores reads the score of each option by each criterion. It skips unreadable
// entries with a note.
func (s *Statement) readScores(raw json.RawMessage) {
	if isEmpty(raw) {
		return
	}
	var list []map[string]json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		s.AddNote("the scores are no list of scores")
		return
	}
	if len(list) > maxScores {
		s.AddNote("only %d of %d scores were read", maxScores, len(list))
	}
	for _, m := range list[:min(len(list), maxScores)] {
		sc := Score{
			Option:    strings.TrimSpace(stringOf(m["option"])),
			Criterion: strings.TrimSpace(stringOf(m["criterion"])), Reason: strings.TrimSpace(stringOf(m["reason"])),
		}
		if sc.Option == "" || sc.Criterion == "" {
			s.AddNote("a score without an option or a criterion was ignored")
			continue
		}
		value, ok := parseScore(wordOf(m["score"]))
		if !ok {
			s.AddNote("score %s of %q by %q is not on the scale of 0 to 10", text.Head(wordOf(m["score"]), maxQuotedLength),
				text.Head(sc.Option, maxQuotedLength), text.Head(sc.Criterion, maxQuotedLength))
			continue
		}
		sc.Score = value
		s.Scores = append(s.Scores, sc)
	}
}

// parseScore reads a number from 0 to 10, also as "7/10" or "70 %".
func parseScore(word string) (float64, bool) {
	percent := strings.HasSuffix(word, "%")
	number := strings.TrimSuffix(word, "%")
	if out, ok := strings.CutSuffix(word, "10"); ok && strings.HasSuffix(strings.TrimSpace(out), "/") {
		number = strings.TrimSuffix(strings.TrimSpace(out), "/")
	}
	v, ok := finiteNumber(number)
	if percent {
		v /= 10
	}
	return math.Abs(v), ok && v >= 0 && v <= 10 // the absolute value of -0 is 0
}

// maxUnitLength is how many characters the unit of an estimate can have.
const maxUnitLength = 40

// quantityPattern matches a number and a unit, such as "12 weeks" or "1,200 €".
var quantityPattern = regexp.MustCompile(`^(?i:~|about |approx\.? |ca\.? |≈)?\s*([$€£]?)\s*` +
	`([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|[-+]?\.\d+)\s*([^\d\s.,+/–—-][^\d–—]*)?$`)

// parseQuantity reads a number with an optional unit.
func parseQuantity(word string) (value float64, unit string, ok bool) {
	if value, ok = finiteNumber(word); ok {
		return value, "", true
	}
	m := quantityPattern.FindStringSubmatch(strings.TrimSpace(word))
	if m == nil {
		return 0, "", false
	}
	value, ok = finiteNumber(strings.ReplaceAll(m[2], ",", ""))
	return value, strings.Join(strings.Fields(m[1]+" "+m[3]), " "), ok
}

// readEstimate reads an estimate: an object, a number, or a text such as "12 weeks".
func (s *Statement) readEstimate(raw json.RawMessage) *Estimate {
	if isEmpty(raw) {
		return nil
	}
	members := readMembers(raw)
	if members == nil {
		members = map[string]json.RawMessage{"value": raw}
	}
	if isEmpty(members["value"]) {
		s.AddNote("estimate has no value")
		return nil
	}
	value, unit, ok := parseQuantity(wordOf(members["value"]))
	if !ok {
		s.AddNote("estimate %s is not a number", text.Head(wordOf(members["value"]), maxQuotedLength))
		return nil
	}
	if given := strings.Join(strings.Fields(stringOf(members["unit"])), " "); given != "" {
		unit = given
	}
	e := &Estimate{Value: value, Unit: text.Head(unit, maxUnitLength)}
	if e.Unit != unit {
		s.AddNote("the unit of the estimate was cut at %d characters", maxUnitLength)
	}
	low, high := members["low"], members["high"]
	var bounds []json.RawMessage
	if json.Unmarshal(members["range"], &bounds) == nil && len(bounds) == 2 && isEmpty(low) && isEmpty(high) {
		low, high = bounds[0], bounds[1]
	} else if !isEmpty(members["range"]) && isEmpty(low) && isEmpty(high) {
		s.AddNote("the range of the estimate could not be read")
	}
	e.Low, e.High = s.readBound("low", low), s.readBound("high", high)
	if e.Low != nil && *e.Low > e.Value || e.High != nil && *e.High < e.Value {
		s.AddNote("the range of the estimate was ignored: its value is not within it")
		e.Low, e.High = nil, nil
	}
	return e
}

// readBound reads a bound of an estimate's range.
func (s *Statement) readBound(name string, raw json.RawMessage) *float64 {
	if isEmpty(raw) {
		return nil
	}
	v, _, ok := parseQuantity(wordOf(raw))
	if !ok {
		s.AddNote("%s %s of the estimate is not a number", name, text.Head(wordOf(raw), maxQuotedLength))
		return nil
	}
	return &v
}
