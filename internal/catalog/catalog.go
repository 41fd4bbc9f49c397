// Package catalog knows the models of the providers that the program has presets for: their
// windows and prices, which of a family is the newest, and which are offered no longer.
//
// It imports nothing of this module and asks nobody. Its table is written by refresh, which
// is run by hand.
package catalog

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pelletier/go-toml/v2"
)

//go:generate go run ./refresh

//go:embed models.tsv
var modelsFile string

//go:embed hand.toml
var handFile string

// Model is what the table says of a model. Prices are in USD per million tokens.
type Model struct {
	Provider string // name of the preset
	ID       string
	Window   int      // tokens of prompt and answer together
	In       float64  // of what is read
	Cached   *float64 // of what the server took from its cache; nil: not known
	Out      float64
}

// Source says where a table comes from.
type Source struct {
	Module, Version string
	Date            time.Time // of that version
}

// Age says in words how old the table is.
func (s Source) Age(now time.Time) string {
	days := int(now.Sub(s.Date).Hours() / 24)
	switch {
	case days < 1:
		return "of today"
	case days == 1:
		return "1 day old"
	}
	return fmt.Sprintf("%d days old", days)
}

// Table is the catalogue.
type Table struct {
	Source  Source
	Models  []Model // by provider, in the order of the source
	retired []Retirement
	prices  []Price // that are kept by hand, oldest first
}

// Price is what a model costs from a day on.
type Price struct {
	Provider, Model string
	From            toml.LocalDate // in UTC; zero: at once
	In, Out         float64
	Cached          *float64
	Source          string // address of the provider's page, or "secondary: ..."
	Seen            toml.LocalDate
	Reason          string // why it is lower than that of the table
}

// Begins returns when the price begins to hold, in UTC; zero: at once.
func (p Price) Begins() time.Time {
	if p.From.Year == 0 {
		return time.Time{}
	}
	return p.From.AsTime(time.UTC)
}

func isSecondary(source string) bool { return strings.HasPrefix(source, "secondary: ") }

// Retirement says until when a model is offered.
type Retirement struct {
	Provider string
	Model    string
	Date     time.Time // the last day, in UTC
	Source   string    // address of the page that says so, or "secondary: ..."
	Seen     toml.LocalDate
}

// Load returns the table that the program came with.
var Load = sync.OnceValue(func() Table {
	t, err := parse(modelsFile, handFile)
	if err != nil {
		panic(err) // a test reads both files
	}
	return t
})

func parse(models, hand string) (Table, error) {
	head, rows, _ := strings.Cut(models, "\n")
	fields := strings.Fields(head)
	if len(fields) != 4 || fields[0] != "#" {
		return Table{}, fmt.Errorf("the table begins with %q, not with its source", head)
	}
	date, err := time.Parse(time.DateOnly, fields[3])
	if err != nil {
		return Table{}, err
	}
	t := Table{Source: Source{Module: fields[1], Version: fields[2], Date: date}}
	for n, row := range strings.Split(strings.Trim(rows, "\n"), "\n") {
		m, err := parseRow(row)
		if err != nil {
			return Table{}, fmt.Errorf("row %d of the table: %w", n+1, err)
		}
		t.Models = append(t.Models, m)
	}
	var kept struct {
		Retired []Retirement
		Price   []Price
	}
	if err := toml.Unmarshal([]byte(hand), &kept); err != nil {
		return Table{}, err
	}
	t.retired, t.prices = kept.Retired, kept.Price
	slices.SortStableFunc(t.prices, func(a, b Price) int { return a.Begins().Compare(b.Begins()) })
	return t, nil
}

// columns are preset, id, window, prices of input, cached input and output.
const columns = 6

func parseRow(row string) (m Model, err error) {
	cells := strings.Split(row, "\t")
	if len(cells) != columns {
		return m, fmt.Errorf("it has %d columns, not %d", len(cells), columns)
	}
	m = Model{Provider: cells[0], ID: cells[1]}
	number := func(cell string) (v float64) {
		if err == nil && cell != "" {
			v, err = strconv.ParseFloat(cell, 64)
		}
		return v
	}
	m.Window, m.In, m.Out = int(number(cells[2])), number(cells[3]), number(cells[5])
	if cells[4] != "" {
		cached := number(cells[4])
		m.Cached = &cached
	}
	return m, err
}

// Find returns a model of a provider. A snapshot of it, with a date behind its name, is the
// same model.
func (t Table) Find(provider, id string) (Model, bool) {
	for _, name := range []string{id, snapshotOf(id)} {
		for _, m := range t.Models {
			if m.Provider == provider && m.ID == name {
				return m, true
			}
		}
	}
	return Model{}, false
}

// makersOfRouter are the presets of the makers whose models OpenRouter offers.
var makersOfRouter = map[string]string{
	"openai": "openai", "anthropic": "anthropic", "google": "gemini", "x-ai": "xai", "deepseek": "deepseek",
}

// On returns a model of a provider with its prices on a day. Those that are kept by hand hold from
// their day on, secondary ones where they are higher; a model of another maker costs no less
// than at that maker.
func (t Table) On(provider, id string, now time.Time) (Model, bool) {
	m, ok := t.Find(provider, id)
	for _, p := range t.prices {
		if p.Provider != provider || p.Model != id && p.Model != snapshotOf(id) || now.Before(p.Begins()) {
			continue
		}
		if isSecondary(p.Source) && ok {
			p.In, p.Out = max(p.In, m.In), max(p.Out, m.Out)
			p.Cached = higher(p.Cached, m.Cached)
		}
		if !ok {
			m = Model{Provider: provider, ID: id}
		}
		m.In, m.Out, m.Cached, ok = p.In, p.Out, p.Cached, true
	}
	vendor, name, isRouted := strings.Cut(id, "/")
	if maker := makersOfRouter[vendor]; ok && provider == "openrouter" && isRouted && maker != "" {
		for _, same := range []string{name, strings.ReplaceAll(name, ".", "-")} {
			if own, known := t.On(maker, same, now); known {
				m.In, m.Out, m.Cached = max(m.In, own.In), max(m.Out, own.Out), higher(m.Cached, own.Cached)
			}
		}
	}
	return m, ok
}

// Later returns each other price that a model has after now, oldest first.
func (t Table) Later(provider, id string, now time.Time) (all []Price) {
	before, _ := t.On(provider, id, now)
	for _, p := range t.prices {
		m, ok := t.On(provider, id, p.Begins())
		if ok && p.Begins().After(now) && (m.In != before.In || m.Out != before.Out) {
			all, before = append(all, Price{From: p.From, In: m.In, Cached: m.Cached, Out: m.Out}), m
		}
	}
	return all
}

func higher(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	highest := max(*a, *b)
	return &highest
}

// Retires returns when a model is offered for the last time, zero if that is not known. A date
// that is not sure hides no model. A snapshot of it, with a date behind its name, goes with it.
func (t Table) Retires(provider, id string) (r Retirement, isSure bool) {
	for _, r := range t.retired {
		if r.Provider == provider && (r.Model == id || snapshotOf(id) == r.Model) {
			return r, !isSecondary(r.Source)
		}
	}
	return Retirement{}, false
}

func numbers(version string) []int {
	var out []int
	for part := range strings.FieldsFuncSeq(version, func(r rune) bool { return r == '.' || r == '-' }) {
		n, _ := strconv.Atoi(part) // it is of digits
		out = append(out, n)
	}
	return out
}

func snapshotOf(id string) string {
	if i := strings.LastIndexByte(id, '-'); i > 0 && len(id)-i-1 == len("20060102") {
		if _, err := strconv.Atoi(id[i+1:]); err == nil {
			return id[:i]
		}
	}
	return id
}
