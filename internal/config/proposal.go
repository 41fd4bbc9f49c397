package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/internal/catalog"
	"roundtable/internal/file"
	"roundtable/internal/text"
)

// Proposed is a seat of the panel that was proposed last to people without a configuration.
type Proposed struct {
	Provider string   `json:"provider"`
	Model    string   `json:"model"`
	Step     string   `json:"step"`                // that chose the model
	PriceOut *float64 `json:"price_out,omitempty"` // of a million tokens in USD, on that day; nil: not known
}

const (
	proposalFile    = "found.json" // beside the lists, whose names are sums
	maxProposalFile = 64 << 10     // bytes
)

// ErrProposal is the error for a stored proposal that cannot be read.
var ErrProposal = errors.New("what was stored of it cannot be read")

// KeepProposal stores the panel that is proposed, if there is a cache folder. One seat is no panel.
func (c Config) KeepProposal(panel []Candidate) error {
	if c.lists == nil || c.lists.dir == "" || len(panel) < 2 {
		return nil
	}
	var seats []Proposed
	for _, s := range panel {
		seats = append(seats, Proposed{s.Profile.Provider, s.Profile.Model, s.Step, s.Profile.PriceOut})
	}
	raw, err := json.Marshal(seats)
	if err != nil {
		return fmt.Errorf("encode the proposal: %w", err)
	}
	if err := os.MkdirAll(c.lists.dir, 0o700); err != nil {
		return err
	}
	return file.Replace(filepath.Join(c.lists.dir, proposalFile), raw)
}

// Proposal returns the panel that was proposed last. The error is fs.ErrNotExist if there was
// none, and ErrProposal if what is stored cannot have been one.
func (c Config) Proposal() ([]Proposed, error) {
	if c.lists == nil || c.lists.dir == "" {
		return nil, fs.ErrNotExist
	}
	raw, err := text.ReadFile(filepath.Join(c.lists.dir, proposalFile), maxProposalFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fs.ErrNotExist
	}
	var seats []Proposed
	if err != nil || json.Unmarshal(raw, &seats) != nil || len(seats) == 0 || len(seats) > debate.MaxSeats {
		return nil, ErrProposal
	}
	for i, s := range seats {
		if !isModelName(s.Provider) || !isModelName(s.Model) {
			return nil, ErrProposal
		}
		seats[i].Step = text.Clip(text.Line(s.Step), maxModelName)
		if p := s.PriceOut; p != nil && (math.IsNaN(*p) || *p < 0 || *p > catalog.MaxProposed) {
			seats[i].PriceOut = nil
		}
	}
	return seats, nil
}

// Recall returns the seats of a panel that was proposed before. Gone names each model that
// cannot be had any more, and why; the next one of those found that costs no more has its seat,
// if there is one.
func (d Discovery) Recall(found Found, panel []Proposed) (again []Candidate, gone []string) {
	var lost []Proposed
	for _, p := range panel {
		one, why := d.again(found, p)
		if why != "" {
			if line := fmt.Sprintf("%s of %s: %s", p.Model, p.Provider, text.Line(why)); !slices.Contains(gone, line) {
				gone = append(gone, line)
			}
			lost = append(lost, p)
			continue
		}
		one.Step = p.Step
		again = append(again, one)
	}
	for _, p := range lost {
		rest := slices.DeleteFunc(seats(found.offers, len(found.offers)), func(c Candidate) bool {
			return c.Spare || d.OnlyLocal && !c.Local || !d.costsNoMore(c, p) ||
				slices.ContainsFunc(again, func(s Candidate) bool { return sameModel(s, c) })
		})
		if len(rest) == 0 && len(again) > 0 && d.costsNoMore(again[0], p) &&
			!slices.ContainsFunc(again, func(s Candidate) bool { return !sameModel(s, again[0]) }) {
			rest = again[:1] // a model that is alone has several seats
		}
		if len(rest) > 0 {
			one := rest[0]
			one.Step = "in place of " + p.Model
			again = append(again, one)
		}
	}
	return again, gone
}

func sameModel(a, b Candidate) bool {
	return a.Profile.Provider == b.Profile.Provider && a.Profile.Model == b.Profile.Model
}

// again returns the seat of a model that was proposed before, or why it cannot be had.
func (d Discovery) again(found Found, p Proposed) (c Candidate, why string) {
	if i := slices.IndexFunc(found.offers, func(o offer) bool { return o.Provider == p.Provider && o.ID == p.Model }); i >= 0 {
		c = found.offers[i].seat
	} else if c, why = d.unoffered(p); why != "" {
		return c, why
	}
	limit := float64(catalog.MaxProposed)
	if p.PriceOut != nil {
		limit = *p.PriceOut
	}
	switch price := c.Profile.PriceOut; {
	case d.OnlyLocal && !c.Local:
		return c, "not on this machine"
	case price != nil && isDearer(*price, limit):
		return c, fmt.Sprintf("it costs %s per million tokens of answer now", text.Price(price))
	}
	return c, c.Problem
}

// isDearer compares prices, which servers state per token: a fraction of a cent is no difference.
func isDearer(price, limit float64) bool { return price > limit*(1+1e-6) }

// unoffered returns a seat that would not be proposed today, or why it cannot be had.
func (d Discovery) unoffered(p Proposed) (c Candidate, why string) {
	preset, ok := openai.PresetNamed(p.Provider)
	server := openai.Config{Preset: p.Provider}.WithEnvironment(d.Env)
	switch {
	case !ok:
		return c, "it was not found again"
	case preset.KeyEnv == "", server.BaseURLVariable != "" && !isSet(d.Env, preset.KeyEnv):
		return c, "its server does not list it"
	case !isSet(d.Env, preset.KeyEnv):
		return c, preset.KeyEnv + " is not set"
	}
	s := d.stockOf(p.Provider)
	if s.gone(p.Model) {
		return c, s.retires(p.Model)
	}
	if _, listed := s.list.Find(p.Model); len(s.list.Models) > 0 && !listed || !catalog.Debates(p.Model) {
		return c, "its server does not list it"
	}
	return d.offerOf(s, p.Provider, p.Model).seat, ""
}

// costsNoMore reports whether an answer of a model costs no more than one of a model that was
// proposed, whose price is the lower one of then and now. What is not known is no reason to pay.
func (d Discovery) costsNoMore(c Candidate, p Proposed) bool {
	limit := p.PriceOut
	if _, ok := openai.PresetNamed(p.Provider); ok {
		if now := d.stockOf(p.Provider).figures(p.Model).PriceOut; now != nil && (limit == nil || *now < *limit) {
			limit = now
		}
	}
	if price := c.Profile.PriceOut; price != nil && limit != nil {
		return !isDearer(*price, *limit)
	}
	return c.Profile.PriceOut == nil && limit == nil && c.Profile.Provider == p.Provider
}

func stepOf(o catalog.Offer, seated map[string]bool) string {
	maker := cmp.Or(o.Maker, catalog.MakerOf(o.ID))
	defer func() { seated[maker] = true }()
	switch {
	case o.Size > 0:
		return "fits into memory with the others"
	case seated[maker]:
		return "another line of " + maker
	}
	return "the best of " + maker
}
