package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"roundtable/debate"
	"roundtable/internal/catalog"
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
	return c.lists.write(proposalFile, text.Each(panel, func(s Candidate) Proposed {
		return Proposed{s.Profile.Provider, s.Profile.Model, s.Step, s.Profile.PriceOut}
	}))
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

// Recall returns the seats of a panel that was proposed before. Gone names each model that cannot
// be had any more at its price, and why; the next one that costs no more has its seat, if there is one.
func (d Discovery) Recall(found Found, panel []Proposed) (again []Candidate, gone []string) {
	rest := slices.DeleteFunc(seats(found.offers, len(found.offers)), func(c Candidate) bool {
		return c.Spare || c.Problem != "" || slices.ContainsFunc(panel, func(p Proposed) bool { return p.names(c) })
	})
	for _, p := range panel {
		i := slices.IndexFunc(found.offers, func(o offer) bool { return p.names(o.seat) })
		why := "it is not found any more"
		if i >= 0 {
			one := found.offers[i].seat
			one.Step = p.Step
			if why = cmp.Or(one.Problem, p.dearer(one.Profile.PriceOut)); why == "" {
				again = append(again, one)
				continue
			}
		}
		if line := fmt.Sprintf("%s of %s: %s", p.Model, p.Provider, text.Line(why)); !slices.Contains(gone, line) {
			gone = append(gone, line)
		}
		if i = slices.IndexFunc(rest, p.costsNoLess); i >= 0 {
			rest[i].Step = "in place of " + p.Model
			again, rest = append(again, rest[i]), slices.Delete(rest, i, i+1)
		}
	}
	if len(again) == 1 && !slices.ContainsFunc(panel, func(p Proposed) bool { return p.Model != panel[0].Model }) {
		again = slices.Repeat(again, len(panel)) // all seats had one model
	}
	return again, gone
}

func (p Proposed) names(c Candidate) bool {
	return c.Profile.Provider == p.Provider && c.Profile.Model == p.Model
}

// costsNoLess reports whether an answer of a model that was proposed costs at least as much as one
// of another. Where a price is not known, the provider has to be the same.
func (p Proposed) costsNoLess(c Candidate) bool {
	now := c.Profile.PriceOut
	if now == nil || p.PriceOut == nil {
		return now == p.PriceOut && c.Profile.Provider == p.Provider
	}
	return p.dearer(now) == ""
}

// dearer says what an answer costs if that is more than it was. Servers state prices per token:
// a fraction of a cent is no difference.
func (p Proposed) dearer(now *float64) string {
	limit := float64(catalog.MaxProposed)
	if p.PriceOut != nil {
		limit = *p.PriceOut
	}
	if now == nil || *now <= limit*(1+1e-6) {
		return ""
	}
	return fmt.Sprintf("it costs %s per million tokens of answer now", text.Price(now))
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
