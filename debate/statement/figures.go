package statement

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"roundtable/debate"
	"roundtable/internal/text"
)

const maxScores = 200

// readScores reads the score of each option by each criterion. It skips unreadable
// entries with a note.
func (s *reader) readScores(raw json.RawMessage) {
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
		sc := debate.Score{
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

const maxUnitLength = 40

// numberPattern is a number, and what directly follows it and multiplies it.
const numberPattern = `((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:(k|K|M|B|bn)\b)?`

// quantityPattern matches a number, or two that bound a range, with a unit, such as
// "12 weeks", "6-8 weeks", "1,200 €" or "$1.2M".
var quantityPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:~|about |approx\.? |ca\.? |≈)?\s*([-+]?)([$€£]?)\s*` +
		numberPattern + `(?:\s*(?:-|–|—|to)\s*[$€£]?` + numberPattern + `)?\s*([^\d\s.,+/–—-][^\d–—]*)?$`)
})

var multipliers = map[string]float64{"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "bn": 1e9}

// parseQuantity reads a number with an optional unit. A range becomes its
// middle. Noted is true for anything but a plain number.
func parseQuantity(word string) (e debate.Estimate, noted, ok bool) {
	if e.Value, ok = finiteNumber(word); ok {
		return e, false, true
	}
	m := quantityPattern().FindStringSubmatch(strings.TrimSpace(word))
	if m == nil {
		return debate.Estimate{}, false, false
	}
	e.Unit = strings.Join(strings.Fields(m[2]+" "+m[7]), " ")
	first, ok := finiteNumber(m[1] + strings.ReplaceAll(m[3], ",", ""))
	if m[5] == "" {
		e.Value = first * multipliers[m[4]]
		return e, m[4] != "", ok
	}
	second, okSecond := finiteNumber(strings.ReplaceAll(m[5], ",", ""))
	if m[4] == "" { // 1-2M is 1M to 2M
		m[4] = m[6]
	}
	low, high := first*multipliers[m[4]], second*multipliers[m[6]]
	e.Value, e.Low, e.High = (low+high)/2, &low, &high
	return e, true, ok && okSecond && low <= high
}

// readEstimate reads an estimate: an object, a number, or a text such as "12 weeks".
func (s *reader) readEstimate(raw json.RawMessage) *debate.Estimate {
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
	word := text.Head(wordOf(members["value"]), maxQuotedLength)
	read, noted, ok := parseQuantity(wordOf(members["value"]))
	if !ok {
		s.AddNote("estimate %s is not a number", word)
		return nil
	}
	unit := read.Unit
	if given := strings.Join(strings.Fields(stringOf(members["unit"])), " "); given != "" {
		unit = given
	}
	e := &debate.Estimate{Value: read.Value, Unit: text.Head(unit, maxUnitLength)}
	if noted {
		s.AddNote("estimate %s was read as %s", word, strconv.FormatFloat(e.Value, 'f', -1, 64))
	}
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
	if isEmpty(low) && isEmpty(high) {
		e.Low, e.High = read.Low, read.High
	}
	if e.Low != nil && *e.Low > e.Value || e.High != nil && *e.High < e.Value {
		s.AddNote("the range of the estimate was ignored: its value is not within it")
		e.Low, e.High = nil, nil
	}
	return e
}

func (s *reader) readBound(name string, raw json.RawMessage) *float64 {
	if isEmpty(raw) {
		return nil
	}
	bound, _, ok := parseQuantity(wordOf(raw))
	if !ok || bound.Low != nil {
		s.AddNote("%s %s of the estimate is not a number", name, text.Head(wordOf(raw), maxQuotedLength))
		return nil
	}
	return &bound.Value
}
