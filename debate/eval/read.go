package eval

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// BadRow is a row that could not be read.
type BadRow struct {
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// String says which row could not be read, and why.
func (b BadRow) String() string { return fmt.Sprintf("Line %d was not read: %s.", b.Line, b.Why) }

// row is a row of a data set: the fields of a JSON object, or the columns of a CSV file.
type row map[string]any

// Read reads a data set: an object for each line of JSONL, or CSV with a line of names. Rows
// that cannot be read are listed with their lines. The error is about the whole file.
func Read(raw []byte) (items []Item, bad []BadRow, err error) {
	raw, bad = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), []BadRow{}
	first := map[string]int{} // lines by question
	add := func(line int, r row, err error) {
		var item Item
		if err == nil {
			item, err = readItem(r)
		}
		key := fmt.Sprintf("%q %q", item.Question, item.Options)
		if twin, again := first[key]; err == nil && again {
			err = fmt.Errorf("its question is that of line %d", twin)
		}
		if err != nil {
			bad = append(bad, BadRow{line, text.Line(err.Error())})
			return
		}
		first[key], item.Line = line, line
		items = append(items, item)
	}
	switch {
	case !utf8.Valid(raw):
		return nil, bad, errors.New("it is not UTF-8")
	case bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")):
		readLines(raw, add)
	default:
		err = readCSV(raw, add)
	}
	return items, bad, err
}

func readLines(raw []byte, add func(int, row, error)) {
	n := 0
	for line := range bytes.Lines(raw) {
		if n++; len(bytes.TrimSpace(line)) > 0 {
			var r row
			err := json.Unmarshal(line, &r)
			if err != nil {
				err = errors.New("it is not one JSON object")
			}
			add(n, r, err)
		}
	}
}

func readCSV(raw []byte, add func(int, row, error)) error {
	c, names := openCSV(raw)
	if c == nil {
		return errors.New("it is neither JSONL, an object on each line, nor CSV whose first line names input and target")
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
		}
		r := row{}
		for i, name := range names {
			if fields[i] != "" {
				r[name] = fields[i]
			}
		}
		line, _ := c.FieldPos(0)
		add(line, r, nil)
	}
}

// openCSV returns the columns in the first line, and a reader behind it. The separator is the one
// that makes input one of the columns.
func openCSV(raw []byte) (*csv.Reader, []string) {
	for _, comma := range ",;\t" {
		c := csv.NewReader(bytes.NewReader(raw))
		c.Comma = comma
		names, _ := c.Read() // a line that cannot be read has no input
		for i := range names {
			names[i] = strings.ToLower(strings.TrimSpace(names[i]))
		}
		if slices.Contains(names, "input") {
			return c, names
		}
	}
	return nil, nil
}

func readItem(r row) (it Item, err error) {
	input := texts(r["input"])
	it = Item{Question: strings.Join(input, ""), Kind: debate.QuestionOpen, Right: texts(r["target"])}
	switch {
	case len(input) != 1:
		return it, errors.New("it has no input, which is the question")
	case utf8.RuneCountInString(it.Question) > debate.MaxTopic:
		return it, fmt.Errorf("the question has more than %d characters", debate.MaxTopic)
	case len(it.Right) == 0:
		return it, errors.New("it has no target, which is the right answer")
	}
	if it.Facts, err = readFacts(r["facts"]); err != nil {
		return it, err
	}
	choices := texts(r["choices"])
	if list, ok := r["choices"].(string); ok { // a column of CSV
		choices = strings.FieldsFunc(list, func(c rune) bool { return c == ',' })
	}
	switch {
	case len(choices) > 0:
		return it, it.setChoices(choices)
	case !slices.ContainsFunc(it.Right, func(a string) bool { return !verdict.SameLabel(a, "yes") && !verdict.SameLabel(a, "no") }):
		it.Kind = debate.QuestionYesNo
	case !slices.ContainsFunc(it.Right, func(a string) bool { _, _, ok := quantity(a); return !ok }):
		it.Kind = debate.QuestionEstimate
		_, it.Unit, _ = quantity(it.Right[0])
	}
	return it, nil
}

// texts returns a value, or the values of a list, as text; true and false are yes and no.
func texts(value any) []string {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	var out []string
	for _, one := range list {
		said := ""
		switch v := one.(type) {
		case string:
			said = strings.TrimSpace(text.Clean(v))
		case float64:
			said = strconv.FormatFloat(v, 'f', -1, 64)
		case bool:
			said = map[bool]string{true: "yes", false: "no"}[v]
		}
		if said != "" {
			out = append(out, said)
		}
	}
	return out
}

// readFacts reads what the user would answer, by words of the question; a text answers all.
func readFacts(value any) (map[string]string, error) {
	object, isObject := value.(map[string]any)
	if s, ok := value.(string); ok && strings.HasPrefix(strings.TrimSpace(s), "{") {
		isObject = json.Unmarshal([]byte(s), &object) == nil
	} else if ok {
		object, isObject = map[string]any{"*": s}, true
	}
	if !isObject && value != nil {
		return nil, errors.New("its facts are neither a text nor a JSON object")
	}
	out := map[string]string{}
	for words, fact := range object {
		answer := texts(fact)
		if len(answer) != 1 || strings.TrimSpace(words) == "" || utf8.RuneCountInString(answer[0]) > ledger.MaxAnswer {
			return nil, fmt.Errorf("its fact %q is no text of at most %d characters", text.Label(words), ledger.MaxAnswer)
		}
		out[words] = answer[0]
	}
	return out, nil
}

func (it *Item) setChoices(choices []string) error {
	choices = text.Each(choices, strings.TrimSpace)
	if _, err := (debate.Mode{}).WithOptions(choices); err != nil {
		return err
	}
	it.Kind, it.Options = debate.QuestionChoice, choices
	for n, answer := range it.Right {
		at := slices.IndexFunc(choices, func(c string) bool { return verdict.SameLabel(c, answer) })
		if at < 0 {
			return fmt.Errorf("the right answer %q is none of the choices", text.Label(answer))
		}
		it.Right[n] = choices[at]
	}
	return nil
}
