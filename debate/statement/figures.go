package statement

import (
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"roundtable/debate"
	"roundtable/internal/text"
)

const maxUnitLength = 40

// separators says what a full stop and a comma mean in a figure, as far as that is known.
type separators struct{ dot, comma separator }

type separator int

const (
	unknown separator = iota
	groups            // of three digits
	decimal           // before a fraction
)

// separatorsOf returns what the separators of a number show: two of a kind group digits,
// as does one before another kind, and what has not three digits behind it is decimal.
func separatorsOf(number string) (dot, comma separator) {
	dots, commas := strings.Count(number, "."), strings.Count(number, ",")
	last := strings.LastIndexAny(number, ".,")
	switch {
	case dots > 0 && commas > 0 && number[last] == '.':
		return decimal, groups
	case dots > 0 && commas > 0:
		return groups, decimal
	}
	one := unknown
	switch before, behind := last, len(number)-last-1; {
	case dots+commas > 1:
		one = groups
	case behind != 3 || before > 3 || strings.HasPrefix(number, "0"):
		one = decimal
	}
	switch {
	case dots > 0:
		return one, unknown
	case commas > 0:
		return unknown, one
	}
	return unknown, unknown
}

var (
	errNoNumber  = errors.New("is not a number")
	errAmbiguous = errors.New("can be read as two numbers")
)

// parseNumber reads a number without its sign: digits in groups, a fraction, an exponent.
func parseNumber(word string, known separators) (float64, error) {
	word, exponent, _ := strings.Cut(strings.ToLower(word), "e")
	word = strings.Map(func(r rune) rune {
		if strings.ContainsRune(groupSpaces, r) {
			return -1
		}
		return r
	}, word)
	dot, comma := separatorsOf(word)
	if dot == unknown {
		dot = known.dot
	}
	if comma == unknown {
		comma = known.comma
	}
	for _, sep := range []struct {
		mark string
		is   separator
	}{{".", dot}, {",", comma}} {
		if !strings.Contains(word, sep.mark) {
			continue
		}
		switch sep.is {
		case groups:
			if !inGroups(word, sep.mark) {
				return 0, errNoNumber
			}
			word = strings.ReplaceAll(word, sep.mark, "")
		case decimal:
			if strings.Count(word, sep.mark) > 1 {
				return 0, errNoNumber
			}
		case unknown:
			return 0, errAmbiguous
		}
	}
	word = strings.Replace(word, ",", ".", 1)
	if exponent != "" {
		word += "e" + exponent
	}
	v, ok := finiteNumber(word)
	if !ok {
		return 0, errNoNumber
	}
	return v, nil
}

// inGroups reports whether a mark stands before groups of three digits alone.
func inGroups(number, mark string) bool {
	whole, _, _ := strings.Cut(strings.ReplaceAll(number, mark, "\x00"), map[string]string{".": ",", ",": "."}[mark])
	parts := strings.Split(whole, "\x00")
	for _, p := range parts[1:] {
		if len(p) != 3 {
			return false
		}
	}
	return len(parts[0]) >= 1 && len(parts[0]) <= 3
}

// groupSpaces are the characters besides "." and "," that stand between groups of digits.
const groupSpaces = " \u00a0\u2009\u202f'’_"

// oneNumber is a number as it is written, and numberPattern with what multiplies it.
const (
	oneNumber     = `(?:\d{1,3}(?:[ \x{a0}\x{2009}\x{202f}'’_]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*|[.,]\d+)(?:[eE][-+]?\d{1,3})?`
	numberPattern = `(` + oneNumber + `)(?:\s?(k|K|M|B|bn|(?i:thousand|million|billion|trillion|mio|mrd))\b\.?)?`
)

// quantityPattern matches a number, two that bound a range, or one with a tolerance, and
// a unit, such as "12 weeks", "6-8 weeks", "100 ± 10 ms", "1,200 €" or "$1.2M".
var quantityPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:~|about |approx\.? |ca\.? |≈|[<>≤≥]=?|over |under |` +
		`up to |at least |at most |more than |less than )?` +
		`\s*([-+−]?)([$€£]?)\s*` + numberPattern + `(?:\s*(-|–|—|to|±|\+/?-)\s*[$€£]?` + numberPattern +
		`)?\s*([^\d\s.,+/–—-][^\d–—]*)?$`)
})

var multipliers = map[string]float64{
	"": 1, "k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "mio": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "mrd": 1e9,
	"trillion": 1e12,
}

// parseQuantity reads a number with an optional unit. A range becomes its middle. Noted is
// true for anything but a plain number.
func parseQuantity(word string, known separators) (e debate.Estimate, noted bool, err error) {
	m := quantityPattern().FindStringSubmatch(strings.TrimSpace(word))
	if m == nil {
		return debate.Estimate{}, false, errNoNumber
	}
	sign, currency, number, scale, between, second, secondScale, unit := m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]
	var unitScale float64
	e.Unit, unitScale = cutScale(strings.Join(strings.Fields(currency+" "+unit), " "))
	first, err := parseNumber(number, known)
	if err != nil {
		return debate.Estimate{}, false, err
	}
	if sign == "-" || sign == "−" {
		first = -first
	}
	if scale == "" && between != "" && between[0] != '+' && between != "±" { // 1-2M is 1M to 2M
		scale = secondScale
	}
	first *= multipliers[strings.ToLower(scale)] * unitScale
	e.Value = first
	if between == "" {
		return e, scale != "" || unitScale != 1, nil
	}
	other, err := parseNumber(second, known)
	if err != nil {
		return debate.Estimate{}, false, err
	}
	other *= multipliers[strings.ToLower(secondScale)] * unitScale
	low, high := first, other
	if between == "±" || between[0] == '+' {
		low, high = first-other, first+other
	}
	if low > high {
		return debate.Estimate{}, false, errNoNumber
	}
	e.Value, e.Low, e.High = (low+high)/2, &low, &high
	return e, true, nil
}

// parseValue reads a number of JSON, in which a full stop is decimal, or a text.
func parseValue(raw json.RawMessage) (e debate.Estimate, noted bool, err error) {
	if raw[0] == '"' {
		return parseQuantity(wordOf(raw), separators{})
	}
	return parseQuantity(wordOf(raw), separators{dot: decimal})
}

// cutScale takes the word that multiplies a number off a unit: "k EUR" is thousands of EUR.
func cutScale(unit string) (rest string, scale float64) {
	word := strings.TrimRight(unit, "$€£")
	sign := unit[len(word):]
	word, rest, _ = strings.Cut(strings.TrimSpace(word), " ")
	switch word {
	case "k", "K", "M", "bn", "thousand", "million", "billion", "trillion", "Mio", "Mio.", "Mrd", "Mrd.":
		return strings.TrimSpace(sign + " " + rest), multipliers[strings.ToLower(strings.TrimSuffix(word, "."))]
	}
	return unit, 1
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
	low, high := members["low"], members["high"]
	var bounds []json.RawMessage
	if json.Unmarshal(members["range"], &bounds) == nil && len(bounds) == 2 && isEmpty(low) && isEmpty(high) {
		low, high = bounds[0], bounds[1]
	} else if !isEmpty(members["range"]) && isEmpty(low) && isEmpty(high) {
		s.AddNote("the range of the estimate could not be read")
	}
	unit := strings.Join(strings.Fields(stringOf(members["unit"])), " ")
	between := isEmpty(members["value"]) && !isEmpty(low) && !isEmpty(high)
	if isEmpty(members["value"]) && !between {
		s.AddNote("estimate has no value")
		return nil
	}
	e, ok := s.readFigure(members["value"], unit)
	if !ok && !between {
		return nil
	}
	if between && unit == "" {
		unit = cmp.Or(unitOf(low), unitOf(high))
	}
	lowest, highest := s.readBound("low", low, cmp.Or(unit, e.Unit)), s.readBound("high", high, cmp.Or(unit, e.Unit))
	if between {
		if lowest == nil || highest == nil || *lowest > *highest {
			return nil
		}
		var scale float64
		e.Unit, scale = cutScale(unit)
		e.Value = (*lowest + *highest) / 2 * scale
		s.AddNote("the estimate has a range alone, and was read as its middle, %s", strconv.FormatFloat(e.Value, 'f', -1, 64))
	}
	if unit := e.Unit; text.Head(unit, maxUnitLength) != unit {
		e.Unit = text.Head(unit, maxUnitLength)
		s.AddNote("the unit of the estimate was cut at %d characters", maxUnitLength)
	}
	if _, scale := cutScale(unit); scale != 1 {
		for _, bound := range []*float64{lowest, highest} {
			if bound != nil {
				*bound *= scale
			}
		}
	}
	if !isEmpty(low) || !isEmpty(high) {
		e.Low, e.High = lowest, highest
	}
	if e.Low != nil && *e.Low > e.Value || e.High != nil && *e.High < e.Value {
		s.AddNote("the range of the estimate was ignored: its value is not within it")
		e.Low, e.High = nil, nil
	}
	return &e
}

// readFigure reads the value of an estimate. A text that can be two numbers is kept as such.
func (s *reader) readFigure(raw json.RawMessage, unit string) (e debate.Estimate, ok bool) {
	if isEmpty(raw) {
		return e, false
	}
	word := wordOf(raw)
	quoted := text.Head(word, maxQuotedLength)
	read, noted, err := parseValue(raw)
	switch {
	case errors.Is(err, errAmbiguous):
		s.Ambiguous = strings.TrimSpace(word + " " + unit)
		s.AddNote("estimate %s can be read as two numbers", quoted)
		return e, false
	case err != nil:
		s.AddNote("estimate %s is not a number", quoted)
		return e, false
	}
	if unit != "" {
		if otherUnit(read.Unit, unit) {
			s.AddNote("estimate %s has the unit %s; nothing was converted", quoted, text.Head(unit, maxUnitLength))
		}
		var scale float64
		read.Unit, scale = cutScale(unit)
		read.Value *= scale
		noted = noted || scale != 1
	}
	if noted {
		s.AddNote("estimate %s was read as %s", quoted, strconv.FormatFloat(read.Value, 'f', -1, 64))
	}
	return read, true
}

// unitOf returns the unit that a figure is written in; "" if it has none.
func unitOf(raw json.RawMessage) string {
	e, _, err := parseQuantity(wordOf(raw), separators{dot: decimal})
	if err != nil {
		return ""
	}
	return e.Unit
}

// otherUnit reports whether a figure is written in a unit of its own.
func otherUnit(own, unit string) bool {
	plain, _ := cutScale(unit)
	return own != "" && unit != "" && UnitKey(own) != UnitKey(plain)
}

// readBound reads an end of a range. One in another unit is left out.
func (s *reader) readBound(name string, raw json.RawMessage, unit string) *float64 {
	if isEmpty(raw) {
		return nil
	}
	bound, _, err := parseValue(raw)
	if err != nil || bound.Low != nil {
		s.AddNote("%s %s of the estimate %v", name, text.Head(wordOf(raw), maxQuotedLength), cmp.Or(err, errNoNumber))
		return nil
	}
	if otherUnit(bound.Unit, unit) {
		s.AddNote("%s %s of the estimate is in another unit and was left out", name, text.Head(wordOf(raw), maxQuotedLength))
		return nil
	}
	return &bound.Value
}

// UnitKey returns what is the same for all spellings of a unit.
func UnitKey(unit string) string {
	key := FoldLabel(unit)
	switch key {
	case "$":
		return "usd"
	case "€":
		return "eur"
	case "£":
		return "gbp"
	}
	if IsPlural(unit) {
		return strings.TrimSuffix(key, "s")
	}
	return key
}

// IsPlural reports whether a unit is a word of Latin letters that ends in s. Shorter ones
// are symbols, such as ms.
func IsPlural(unit string) bool {
	key := FoldLabel(unit)
	foreign := strings.ContainsFunc(key, func(r rune) bool { return !unicode.Is(unicode.Latin, r) })
	return len([]rune(key)) >= 4 && strings.HasSuffix(key, "s") && !foreign
}
