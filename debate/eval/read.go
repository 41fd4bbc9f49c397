package eval

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// Set holds the questions of a data set, and the rows that could not be read.
type Set struct {
	Items []Item   `json:"items"`
	Bad   []BadRow `json:"unreadable"`
}

// BadRow is a row that could not be read.
type BadRow struct {
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// maxBad is how many rows are named one by one.
const maxBad = 10

// BadLines says which rows could not be read, and why.
func BadLines(all []BadRow) []string {
	var lines []string
	for _, b := range all[:min(len(all), maxBad)] {
		lines = append(lines, fmt.Sprintf("Line %d was not read: %s.", b.Line, b.Why))
	}
	if more := len(all) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("And %d more.", more))
	}
	return lines
}

// Columns names the fields of a row, where they are not those of a known format. A name with
// dots goes into objects, such as vars.question.
type Columns map[string]string

// ParseColumns reads the value of --map, such as "question=prompt,target=answer".
func ParseColumns(value string) (Columns, error) {
	known := []string{"question", "target", "choices", "facts", "tolerance"}
	c := Columns{}
	for part := range strings.SplitSeq(value, ",") {
		name, column, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || column == "" || !slices.Contains(known, name) {
			return nil, fmt.Errorf("%q is no FIELD=COLUMN; the fields are %s", text.Label(part), strings.Join(known, ", "))
		}
		c[name] = column
	}
	if c["question"] == "" || c["target"] == "" {
		return nil, errors.New("it needs question=COLUMN and target=COLUMN")
	}
	return c, nil
}

// row is a row of a data set: the fields of a JSON object, or the columns of a CSV file.
type row map[string]any

// Read reads a data set: an object for each line of JSONL, or CSV with a line of names. Rows
// that cannot be read are listed with their lines. The error is about the whole file.
func Read(raw []byte, columns Columns) (Set, error) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	s := Set{Items: []Item{}, Bad: []BadRow{}}
	first := map[string]int{} // lines by question
	add := func(line int, r row, err error) {
		var item Item
		if err == nil {
			item, err = readItem(r, columns)
		}
		key := item.identity()
		if twin, again := first[key]; err == nil && again {
			err = fmt.Errorf("it is the same as line %d", twin)
		}
		if err != nil {
			s.Bad = append(s.Bad, BadRow{line, text.Line(err.Error())})
			return
		}
		first[key], item.Line = line, line
		s.Items = append(s.Items, item)
	}
	if !utf8.Valid(raw) {
		return s, errors.New("it is not UTF-8")
	}
	if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && trimmed[0] == '[' {
		return s, errors.New("it is a JSON list; write one object on each line (JSONL)")
	} else if len(trimmed) > 0 && trimmed[0] == '{' {
		readLines(raw, add)
	} else if err := readCSV(raw, add); err != nil {
		return s, err
	}
	if len(s.Items)+len(s.Bad) == 0 {
		return s, errors.New("it has no rows")
	}
	return s, nil
}

func readLines(raw []byte, add func(int, row, error)) {
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var r row
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		err := d.Decode(&r)
		if err == nil {
			if _, more := d.Token(); !errors.Is(more, io.EOF) {
				err = errors.New("there is more than one object on the line")
			}
		} else {
			err = errors.New("it is no JSON object")
		}
		add(n, r, err)
	}
}

func readCSV(raw []byte, add func(int, row, error)) error {
	c := csv.NewReader(bytes.NewReader(raw))
	c.FieldsPerRecord = -1
	names, err := c.Read()
	if err != nil {
		return errors.New("its first line does not name the columns of a CSV file")
	}
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	for {
		fields, err := c.Read()
		var broken *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &broken):
			add(broken.StartLine, nil, broken.Err)
			continue
		case err != nil:
			return err
		}
		line, _ := c.FieldPos(0)
		if len(fields) != len(names) {
			add(line, nil, fmt.Errorf("it has %s, and the first line has %d", text.Count(len(fields), "column"), len(names)))
			continue
		}
		r := row{}
		for i, name := range names {
			if fields[i] != "" {
				r[name] = fields[i]
			}
		}
		add(line, r, nil)
	}
}

// at returns the field of a path with dots.
func (r row) at(path string) any {
	if v, ok := r[path]; ok {
		return v
	}
	head, rest, ok := strings.Cut(path, ".")
	inner, isObject := r[head].(map[string]any)
	if !ok || !isObject {
		return nil
	}
	return row(inner).at(rest)
}

func readItem(r row, columns Columns) (Item, error) {
	var it Item
	question, choices, facts, tolerance := any(nil), r["choices"], r["facts"], r["tolerance"]
	var err error
	switch expected := r.expected(); {
	case columns != nil:
		question, choices = r.at(columns["question"]), r.at(columns["choices"])
		facts, tolerance = r.at(columns["facts"]), r.at(columns["tolerance"])
		err = it.expect(answerTest, r.at(columns["target"]))
	case r["input"] != nil && len(expected) == 0 && r["assert"] == nil:
		target := r["target"]
		if target == nil {
			target = r["ideal"]
		}
		question, err = r["input"], it.expect(answerTest, target)
	case r["vars"] != nil || r["assert"] != nil || len(expected) > 0:
		if question, err = r.promptfooQuestion(); err == nil {
			err = it.readAsserts(r, expected)
		}
	default:
		err = errors.New("it has neither input with target or ideal, nor vars with assert; name the columns with --map")
	}
	if err == nil {
		it.Question, err = readQuestion(question)
	}
	if err == nil {
		it.Facts, err = readFacts(facts)
	}
	if err == nil {
		err = it.readTolerance(tolerance)
	}
	if err == nil {
		err = it.setKind(readChoices(choices))
	}
	return it, err
}

// expected returns the columns of promptfoo with what is expected, in their order.
func (r row) expected() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(r)) {
		if strings.HasPrefix(name, "__expected") {
			out = append(out, name)
		}
	}
	return out
}

// notVariables are columns of promptfoo beside its variables.
var notVariables = []string{"choices", "facts", "tolerance", "assert", "description"}

// promptfooQuestion returns the only variable of a row of promptfoo.
func (r row) promptfooQuestion() (any, error) {
	vars, isObject := r["vars"].(map[string]any)
	if !isObject {
		vars = map[string]any{}
		for name, v := range r {
			if !strings.HasPrefix(name, "__") && !slices.Contains(notVariables, name) {
				vars[name] = v
			}
		}
	}
	if len(vars) != 1 {
		return nil, fmt.Errorf("it has %s (%s), and one is the question; name it with --map", text.Count(len(vars), "variable"),
			strings.Join(slices.Sorted(maps.Keys(vars)), ", "))
	}
	for _, v := range vars {
		return v, nil
	}
	return nil, nil
}

// readAsserts reads what promptfoo expects: a list of objects, or columns such as
// "icontains: text", in which a text without a type is to be equal.
func (it *Item) readAsserts(r row, expected []string) error {
	list, _ := r["assert"].([]any)
	for _, name := range expected {
		value := strings.Join(texts(r[name]), "")
		kind, rest, typed := strings.Cut(value, ":")
		if !typed || strings.ContainsAny(kind, " \t") {
			kind, rest = "equals", value
		}
		list = append(list, map[string]any{"type": kind, "value": rest})
	}
	for _, a := range list {
		object, _ := a.(map[string]any)
		kind, _ := object["type"].(string)
		if err := it.expect(kind, object["value"]); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		return errNoTarget
	}
	return nil
}

var errNoTarget = errors.New("it does not say which answer is right")

// expect adds a test of the answer; all have to hold.
func (it *Item) expect(kind string, value any) error {
	if kind == "equals" {
		kind = answerTest
	}
	values := texts(value)
	switch {
	case !slices.Contains([]string{answerTest, containsTest, foldedTest, regexTest}, kind):
		return fmt.Errorf("assert %q is not read; use equals, contains, icontains or regex", text.Label(kind))
	case len(values) == 0:
		return errNoTarget
	}
	t := Test{Kind: kind, Any: values}
	if err := t.check(); err != nil {
		return err
	}
	it.Tests = append(it.Tests, t)
	return nil
}

// texts returns a value, or the values of a list, as text; true and false are yes and no.
func texts(value any) []string {
	var out []string
	switch v := value.(type) {
	case string:
		if v = strings.TrimSpace(text.SanitizeInput(v)); v != "" {
			out = append(out, v)
		}
	case json.Number:
		out = append(out, v.String())
	case bool:
		out = append(out, map[bool]string{true: "yes", false: "no"}[v])
	case []any:
		for _, one := range v {
			if _, nested := one.([]any); !nested {
				out = append(out, texts(one)...)
			}
		}
	}
	return out
}

// readQuestion reads a question: a text, or a list of messages with one of the user.
func readQuestion(value any) (string, error) {
	if list, ok := value.([]any); ok {
		var asked []any
		for _, m := range list {
			if object, _ := m.(map[string]any); object["role"] == "user" {
				asked = append(asked, object["content"])
			}
		}
		if len(asked) != 1 || len(list) != 1 {
			return "", errors.New("its input has several messages; one of the role user is read")
		}
		value = asked[0]
	}
	q, _ := value.(string)
	q = strings.TrimSpace(text.SanitizeInput(q))
	switch n := utf8.RuneCountInString(q); {
	case q == "":
		return "", errors.New("it has no question")
	case n > debate.MaxTopic:
		return "", fmt.Errorf("the question has %d characters; the limit is %d", n, debate.MaxTopic)
	}
	return q, nil
}

// readFacts reads what the user would answer, by words of the question; a text answers all.
func readFacts(value any) (map[string]string, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case string:
		if !strings.HasPrefix(strings.TrimSpace(v), "{") {
			return readFacts(map[string]any{"*": v})
		}
		var object map[string]any
		if json.Unmarshal([]byte(v), &object) != nil {
			return nil, errors.New("its facts are no JSON object")
		}
		return readFacts(object)
	case map[string]any:
		out := map[string]string{}
		for words, fact := range v {
			answer := texts(fact)
			if len(answer) != 1 || strings.TrimSpace(words) == "" {
				return nil, fmt.Errorf("its fact %q is no text", text.Label(words))
			}
			if n := utf8.RuneCountInString(answer[0]); n > ledger.MaxAnswer {
				return nil, fmt.Errorf("its fact %q has %d characters; the limit is %d", text.Label(words), n, ledger.MaxAnswer)
			}
			out[words] = answer[0]
		}
		return out, nil
	}
	return nil, errors.New("its facts are neither a text nor an object")
}

func (it *Item) readTolerance(value any) error {
	list := texts(value)
	if len(list) == 0 {
		return nil
	}
	number, percent := strings.CutSuffix(list[0], "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(v >= 0 && v < 1e300) {
		return fmt.Errorf("its tolerance %q is no number or percentage", text.Label(list[0]))
	}
	it.Tolerance, it.Relative = v, percent
	if percent {
		it.Tolerance /= 100
	}
	return nil
}

func readChoices(value any) []string {
	if s, ok := value.(string); ok {
		var list []any
		if json.Unmarshal([]byte(s), &list) == nil {
			return texts(list)
		}
		var out []string
		for one := range strings.SplitSeq(s, ",") {
			out = append(out, texts(one)...)
		}
		return out
	}
	return texts(value)
}

// setKind sets how the question is answered: by one of the choices, by yes or no, with a
// number, or with a label.
func (it *Item) setKind(choices []string) error {
	it.Kind = debate.QuestionOpen
	answers := []string(nil)
	if len(it.Tests) == 1 && it.Tests[0].Kind == answerTest {
		answers = it.Tests[0].Any
	}
	all := func(is func(string) bool) bool {
		return len(answers) > 0 && !slices.ContainsFunc(answers, func(a string) bool { return !is(a) })
	}
	switch {
	case len(choices) > 0 && answers == nil:
		return errors.New("it has choices, and the right one is not named")
	case len(choices) > 0:
		return it.setChoices(choices, answers)
	case all(func(a string) bool { return statement.EnglishYesOrNo(a) != debate.Undecided }):
		it.Kind = debate.QuestionYesNo
	case all(func(a string) bool { return quantity(a) != nil }):
		it.Kind = debate.QuestionEstimate
	}
	if it.Tolerance != 0 && it.Kind != debate.QuestionEstimate {
		return errors.New("it has a tolerance, and the answer is no number")
	}
	return nil
}

// setChoices makes the options of a question. Choices that are too long for options are
// listed in the question under letters, which are the options then.
func (it *Item) setChoices(choices, answers []string) error {
	if len(choices) < 2 || len(choices) > debate.MaxListItems {
		return fmt.Errorf("it has %s; a question has 2 to %d", text.Count(len(choices), "choice"), debate.MaxListItems)
	}
	it.Kind, it.Options = debate.QuestionChoice, choices
	if _, err := (debate.Mode{}).WithList(debate.OptionsList, choices); err != nil {
		it.Options = nil
		it.Question += "\n"
		for i, c := range choices {
			it.Options = append(it.Options, letter(i))
			it.Question += "\n" + letter(i) + ") " + c
		}
	}
	right := make([]string, len(answers))
	for i, a := range answers {
		at := slices.IndexFunc(choices, func(c string) bool { return statement.FoldLabel(c) == statement.FoldLabel(a) })
		if at < 0 {
			at = slices.IndexFunc(choices, func(c string) bool { return strings.EqualFold(letter(slices.Index(choices, c)), a) })
		}
		if at < 0 {
			return fmt.Errorf("the right answer %q is none of the choices", text.Label(a))
		}
		right[i] = it.Options[at]
	}
	it.Tests[0].Any = right
	return nil
}

func letter(i int) string { return string(rune('A' + i)) }
