package oracle_test

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// quote writes a text as a string of JSON.
func quote(s string) string { return strconv.Quote(s) }

// ballotSpellings write the entry of a place of a ballot.
var ballotSpellings = []func(place, seat int, name string) string{
	func(_, s int, _ string) string { return quote(fmt.Sprintf("Member %d", s+1)) },
	func(_, s int, _ string) string { return quote(fmt.Sprintf("member %d", s+1)) },
	func(_, s int, _ string) string { return quote(fmt.Sprintf("MEMBER %d", s+1)) },
	func(_, s int, _ string) string { return quote(fmt.Sprintf("Member-%d", s+1)) },
	func(_, s int, _ string) string { return quote(fmt.Sprintf("member-%d", s+1)) },
	func(_, s int, _ string) string { return quote(fmt.Sprintf("  Member %d ", s+1)) },
	func(p, s int, _ string) string { return quote(fmt.Sprintf("%d. Member %d", p, s+1)) },
	func(p, s int, _ string) string { return quote(fmt.Sprintf("%d) Member %d", p, s+1)) },
	func(p, s int, _ string) string { return quote(fmt.Sprintf("%s: Member %d", ordinal(p), s+1)) },
	func(p, s int, _ string) string { return quote(fmt.Sprintf("#%d Member %d", p, s+1)) },
	func(p, s int, _ string) string {
		return quote(fmt.Sprintf("%s place - Member %d", ordinalWord(p), s+1))
	},
	func(p, s int, _ string) string { return quote(fmt.Sprintf("%d. member-%d", p, s+1)) },
	func(_, _ int, n string) string { return quote(n) },
	func(_, _ int, n string) string { return quote(strings.ToLower(n)) },
	func(_, _ int, n string) string { return quote(" " + n + " ") },
	func(p, _ int, n string) string { return quote(fmt.Sprintf("%d. %s", p, n)) },
	func(p, _ int, n string) string { return quote(fmt.Sprintf("%d) %s", p, strings.ToLower(n))) },
	func(p, _ int, n string) string { return quote(fmt.Sprintf("#%d %s", p, n)) },
	func(p, _ int, n string) string { return quote(fmt.Sprintf("%s: %s", ordinal(p), n)) },
	func(_, s int, _ string) string { return quote(fmt.Sprint(s + 1)) },
	func(p, s int, _ string) string { return quote(fmt.Sprintf("%d. %d", p, s+1)) },
}

// objectSpellings write an entry as an object or a number.
var objectSpellings = []func(place, seat int, name string) string{
	func(_, s int, _ string) string { return fmt.Sprintf(`{"member": "Member %d"}`, s+1) },
	func(_, _ int, n string) string { return fmt.Sprintf(`{"name": %q}`, n) },
	func(_, s int, _ string) string { return fmt.Sprintf(`{"label": "member-%d"}`, s+1) },
	func(_, s int, _ string) string { return fmt.Sprint(s + 1) },
}

func ordinal(n int) string {
	return []string{"0th", "1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th"}[n]
}

func ordinalWord(n int) string {
	return []string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"}[n]
}

// wrongEntry returns an entry that names nobody, or more than one member.
func (g *generator) wrongEntry(seat int) string {
	n := len(g.names)
	return g.one([]string{
		"Member 9", "Member 0", "42", "nobody", "Zoe", "the best one", "", "-", "all are equal",
		"Member 1 > Member 2", "Member 2, Member 3", "Member 1 and Member 3",
		g.names[(seat+1)%n] + " and " + g.names[(seat+2)%n], "1. Member 2 > Member 3",
	})
}

// block collects the structured part of a statement and its meaning.
type block struct {
	*generator
	means   *meaning
	members []string
	prose   string
}

func (w *block) add(name, value string) { w.members = append(w.members, quote(name)+": "+value) }

func (w *block) position(seat, round int) {
	if w.percent(93) {
		w.means.position = fmt.Sprintf("What %s holds (%d)", w.names[seat], round)
		w.add("position", quote(w.means.position))
	}
}

// confidence states a confidence in one of many spellings.
func (w *block) confidence() {
	h := w.IntN(21) * 5
	spell := []string{fmt.Sprint(float64(h) / 100), quote(fmt.Sprint(float64(h) / 100)), fmt.Sprintf(`"%d%%"`, h), fmt.Sprintf(`"%d %%"`, h)}
	if h > 10 {
		spell = append(spell, fmt.Sprint(h), quote(fmt.Sprint(h)))
	}
	switch {
	case w.percent(75):
		w.means.confidence = h
		w.add("confidence", w.one(spell))
	case w.percent(50):
		w.add("confidence", w.one([]string{"5", "10", `"high"`, `"very sure"`, "null", `"7"`}))
	}
}

// hold states a side in the words of the kind of question.
func (w *block) hold(opinion string) {
	switch w.kind {
	case "choice":
		w.choose(opinion)
	case "estimate":
		w.estimate(opinion)
	case "open":
		w.label(opinion)
	case "yes-no":
		word := w.yesNo(opinion)
		if word != "" && w.percent(25) {
			w.choice(word)
			return
		}
		w.stance(word)
	default:
		w.stance(w.one([]string{opinion, strings.ToUpper(opinion), " " + opinion}))
	}
}

func (w *block) stance(word string) {
	if word != "" {
		w.means.stance = word
		w.add("stance", quote(word))
	}
}

func (w *block) choice(word string) {
	w.means.choice = word
	w.add("choice", quote(word))
}

// yesNo returns a word for yes, no or neither.
func (w *block) yesNo(opinion string) string {
	switch opinion {
	case "yes":
		return w.one([]string{"yes", "yes", "Yes", "YES", " yes ", "Yes.", "*yes*", w.one(yesWords)})
	case "no":
		return w.one([]string{"no", "no", "No", "NO", " no ", "No!", "*no*", w.one(noWords)})
	default:
		words := []string{"neutral", "neutral", "", w.one(neutralWords)}
		if w.kind == "yes-no" {
			words = append(words, w.one(bothWords))
		}
		return w.one(words)
	}
}

// choose names an option, or none of them.
func (w *block) choose(option string) {
	if option == "" {
		if word := w.one([]string{"none of these", "Zigg", "Posgres", "another one", ""}); word != "" {
			w.choice(word)
		}
		return
	}
	words := []string{option, option, strings.ToLower(option), strings.ToUpper(option), "  " + option + " "}
	if len(option) > 1 && !strings.HasPrefix(option, "C") {
		words = append(words, option+".", `*`+option+`*`, plain.Replace(option))
	}
	w.choice(w.one(words))
}

func (w *block) label(label string) {
	switch label {
	case "":
		if word := w.yesNo(""); word != "" {
			w.choice(word)
		}
	case "yes", "no":
		if w.percent(30) {
			w.stance(w.yesNo(label))
			return
		}
		w.choice(w.yesNo(label))
	default:
		w.choice(w.one([]string{
			label, label, label, label, strings.ToLower(label), strings.ToUpper(label), " " + label + " ", strings.ReplaceAll(label, " ", ""),
			plain.Replace(label), label + ".", "**" + label + "**", "'" + label + "',", "`" + label + "`",
		}))
	}
}

// amounts are figures of money in many spellings.
var amounts = []struct {
	raw string // in JSON
	estimate
}{
	{`"1.200 EUR"`, estimate{value: 1.2, separator: ".", other: 1200, unit: "EUR"}},
	{`"1.200 EUR"`, estimate{value: 1.2, separator: ".", other: 1200, unit: "EUR"}},
	{`{"value": "2,500", "unit": "€"}`, estimate{value: 2.5, separator: ",", other: 2500, unit: "€"}},
	{`"1150 EUR"`, estimate{value: 1150, unit: "EUR"}},
	{`"1 300 EUR"`, estimate{value: 1300, unit: "EUR"}},
	{`"1.250,50 EUR"`, estimate{value: 1250.5, unit: "EUR", shows: ".groups ,decimal"}},
	{`"1,250.50 EUR"`, estimate{value: 1250.5, unit: "EUR", shows: ",groups .decimal"}},
	{`"1.300.000 EUR"`, estimate{value: 1300000, unit: "EUR", shows: ".groups"}},
	{`"950,5 EUR"`, estimate{value: 950.5, unit: "EUR", shows: ",decimal"}},
	{`"1.5k EUR"`, estimate{value: 1500, unit: "EUR", shows: ".decimal"}},
	{`"€2 million"`, estimate{value: 2000000, unit: "€"}},
	{`"1e3 EUR"`, estimate{value: 1000, unit: "EUR"}},
	{`"> 900 EUR"`, estimate{value: 900, unit: "EUR"}},
	{`{"value": 1100.5, "unit": "EUR"}`, estimate{value: 1100.5, unit: "EUR"}},
	{`{"low": 1000, "high": 1400, "unit": "EUR"}`, estimate{value: 1200, ranged: true, low: 1000, high: 1400, unit: "EUR"}},
	{`"1000 ± 50 EUR"`, estimate{value: 1000, ranged: true, low: 950, high: 1050, unit: "EUR"}},
	{`"15 %"`, estimate{value: 15, unit: "%"}},
	{`"1200"`, estimate{value: 1200}},
}

func (w *block) estimate(opinion string) {
	switch {
	case opinion == "" && w.percent(50):
		w.choice(w.one(neutralWords))
		return
	case opinion == "":
		w.add("estimate", w.one([]string{"null", `"a lot"`}))
		return
	case opinion == "money":
		a := amounts[w.IntN(len(amounts))]
		w.means.estimate = &a.estimate
		w.add("estimate", a.raw)
		return
	}
	var e estimate
	value, unit, _ := strings.Cut(opinion, " ")
	e.value, _ = strconv.ParseFloat(value, 64)
	e.unit = unit
	text := fmt.Sprintf(`{"value": %v, "unit": %q}`, e.value, e.unit)
	switch {
	case w.percent(30):
		e.ranged, e.low, e.high = true, e.value-1, e.value+float64(w.IntN(10))
		text = fmt.Sprintf(`{"value": %v, "unit": %q, "low": %v, "high": %v}`, e.value, e.unit, e.low, e.high)
	case w.percent(30):
		text = quote(opinion)
	case w.percent(20):
		e.ranged, e.low, e.high = true, e.value-1, e.value+1
		text = quote(fmt.Sprintf("%v-%v %s", e.low, e.high, e.unit))
	}
	w.means.estimate = &e
	w.add("estimate", text)
}

// account says what changed a vote: a fact, a member, nothing, or what makes no sense.
func (w *block) account(seat, round int) {
	label := map[string]string{"delphi": "Participant"}[w.mode]
	a := account{seat: -1}
	switch w.IntN(8) {
	case 0:
		a.fact = factID(w.IntN(4))
		a.raw = quote(w.one([]string{a.fact, "[" + a.fact + "]", strings.ToLower(a.fact)}))
		a.nonsense = releasedFor(w.panel, a.fact, round) == 0
	case 1, 2:
		a.seat = w.IntN(len(w.names))
		spell := []string{w.names[a.seat], strings.ToLower(w.names[a.seat])}
		if label != "" {
			spell = []string{fmt.Sprintf("%s %d", label, a.seat+1)}
		}
		a.raw = quote(w.one(spell))
	case 3:
		a.raw = w.one([]string{"null", `"null"`, `"nothing"`, `""`})
	case 4:
		a.raw, a.nonsense = quote(w.one([]string{"the second argument", "Zoe", "C9", "F1:3", "web_search", "everybody"})), true
	default:
		return
	}
	w.means.changedBy = &a
	w.add("changed_by", a.raw)
}

// cite cites answers of the user, also some that nobody gave.
func (w *block) cite() {
	var ids []string
	for i := range w.facts {
		if w.percent(30) {
			ids = append(ids, factID(i))
		}
	}
	if w.percent(5) {
		ids = append(ids, "C9")
	}
	if len(ids) == 0 {
		return
	}
	w.means.cites = ids
	switch w.IntN(3) {
	case 0:
		w.add("context_used", `["`+strings.Join(ids, `", "`)+`"]`)
	case 1:
		w.add("citations", `["`+strings.Join(ids, `", "`)+`"]`)
	default:
		w.prose = " It follows from [" + strings.Join(ids, ", ") + "]."
	}
}

// scores scores all options, except for some cells.
func (w *block) scores() {
	var list []string
	for _, o := range w.options {
		for _, c := range w.criteria {
			e := scoreEntry{option: o, criterion: c}
			absent := w.absent[o+"|"+c]
			if !absent && w.scored && w.percent(6) {
				absent = true
			}
			half := int64(w.IntN(21))
			raw := w.one(scoreSpellings(half))
			if absent {
				raw = w.one([]string{"65", "95", "11", `"high"`, `"very good"`, "null", "-3", `"12/10"`})
			} else {
				e.score = big.NewRat(half, 2)
			}
			if absent && w.percent(40) {
				continue
			}
			w.means.scores = append(w.means.scores, e)
			option := w.one([]string{o, o, o, strings.ToLower(o), strings.ToUpper(o), " " + o})
			list = append(list, fmt.Sprintf(`{"option": %q, "criterion": %q, "score": %s, "reason": "so"}`, option, c, raw))
			if w.percent(3) {
				list = append(list, fmt.Sprintf(`{"option": %q, "criterion": %q, "score": 10, "reason": "so"}`, o+"gg", c))
			}
		}
	}
	w.scored = true
	w.add("scores", "["+strings.Join(list, ", ")+"]")
}

func scoreSpellings(half int64) []string {
	n := fmt.Sprint(float64(half) / 2)
	return []string{n, n, quote(n), quote(n + "/10"), quote(fmt.Sprintf("%d%%", half*5)), quote(fmt.Sprintf("%d %%", half*5))}
}

// text returns the statement with its structured part in one of several forms.
func (w *block) text(prose string) string {
	prose += w.prose
	object := "{" + strings.Join(w.members, ", ") + "}"
	fenced := prose + "\n\n```json\n" + object + "\n```"
	if len(w.members) < 2 || w.percent(60) {
		return fenced
	}
	forms := []string{
		fenced + "\n\nI hope that this helps.",
		prose + "\n\n~~~json\n" + object + "\n~~~",
		prose + "\n\n```\n" + object + "\n```",
		prose + "\n\n" + object,
		"```json\n" + object + "\n```\n\n" + prose,
		prose + "\n\n```json\n" + strings.TrimSuffix(object, "}") + ",}\n```",
		prose + "\n\n```json\n" + strings.TrimSuffix(object, "}") + "\n// that is all\n}\n```",
		prose + "\n\n```json\n[" + object + "]\n```",
		prose + "\n\n```json\n{\"response\": " + object + "}\n```",
	}
	if !slices.ContainsFunc(w.members, func(m string) bool { return strings.ContainsAny(m, `'\`) }) {
		forms = append(forms, prose+"\n\n```json\n"+strings.ReplaceAll(object, `"`, `'`)+"\n```")
	}
	return w.one(forms)
}
