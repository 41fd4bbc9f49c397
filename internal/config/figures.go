package config

import (
	"fmt"
	"net/url"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/internal/catalog"
	"roundtable/internal/text"
)

// Origin says where a figure of a model comes from.
type Origin string

// Figures come from the first of these that has them.
const (
	FromConfig Origin = "config"
	FromServer Origin = "server" // its list of models
	FromTable  Origin = "table"  // the catalogue that the program came with
)

// Figures are what is known of a model. Prices are in USD per million tokens.
type Figures struct {
	Window     int    // 0: unknown
	WindowFrom Origin // "": unknown

	PriceIn, PriceCachedIn, PriceOut *float64
	PriceFrom                        Origin          // "": unknown
	Later                            []agents.Prices // of the table, see agents.Profile
}

// String says the figures and where each comes from.
func (f Figures) String() string {
	window, price := "window ?", "price ?"
	if f.WindowFrom != "" {
		window = fmt.Sprintf("%s (%s)", text.Tokens(f.Window), f.WindowFrom)
	}
	if f.PriceFrom != "" && f.PriceIn != nil && f.PriceOut != nil && *f.PriceIn+*f.PriceOut == 0 {
		price = fmt.Sprintf("free (%s)", f.PriceFrom)
	} else if f.PriceFrom != "" {
		price = fmt.Sprintf("%s / %s (%s)", text.Price(f.PriceIn), text.Price(f.PriceOut), f.PriceFrom)
	}
	return window + ", " + price
}

type stock struct {
	table  catalog.Table
	preset string // whose models the table has; "" for another server
	priced string // whose prices hold; "" for another server
	list   List
	now    time.Time
}

func (c Config) stock(provider string) stock {
	s, _ := c.server(provider)
	return stock{catalog.Load(), s.preset, s.preset, c.Listed(provider), c.now()}
}

// Figures returns what the server of a provider and the catalogue say of a model. Ok is false
// for a provider without a server.
func (c Config) Figures(provider, model string) (f Figures, ok bool) {
	_, ok = c.server(provider)
	return c.stock(provider).figures(model), ok
}

// Describe returns a model of a provider's list with all that is known of it, and where its
// figures come from; nil for a provider without a server.
func (c Config) Describe(provider string, m agents.ModelInfo) (agents.ModelInfo, *Figures) {
	f, ok := c.Figures(provider, m.Name)
	if !ok {
		return m, nil
	}
	m.Window, m.PriceIn, m.PriceCachedIn, m.PriceOut, m.Later = f.Window, f.PriceIn, f.PriceCachedIn, f.PriceOut, f.Later
	m.Note = c.Retires(provider, m.Name)
	return m, &f
}

// Offered returns the models that are offered at a provider, as seats.
func (c Config) Offered(provider string) []agents.Profile {
	return text.Each(c.stock(provider).offered(), func(id string) agents.Profile {
		return c.profile(agents.Profile{Name: id, Provider: provider, Model: id})
	})
}

// FiguresOf returns what is known of the model of an agent. Ok is false if it is no model of
// a server.
func (c Config) FiguresOf(a agents.Profile) (f Figures, ok bool) {
	f, ok = c.Figures(a.Provider, a.Model)
	if a.ContextWindow > 0 {
		f.Window, f.WindowFrom = a.ContextWindow, FromConfig
	}
	if a.PriceIn != nil || a.PriceOut != nil {
		f.PriceIn, f.PriceCachedIn, f.PriceOut, f.PriceFrom = a.PriceIn, a.PriceCachedIn, a.PriceOut, FromConfig
		f.Later = nil
	} else if a.PriceCachedIn != nil {
		f.PriceCachedIn = a.PriceCachedIn
	}
	return f, ok
}

func (s stock) figures(model string) (f Figures) {
	if m, ok := s.list.Find(model); ok {
		if m.Window > 0 {
			f.Window, f.WindowFrom = m.Window, FromServer
		}
		if m.PriceIn != nil && m.PriceOut != nil {
			f.PriceIn, f.PriceCachedIn, f.PriceOut, f.PriceFrom = m.PriceIn, m.PriceCachedIn, m.PriceOut, FromServer
		}
	}
	m, ok := s.table.On(s.priced, model, s.now)
	if ok && f.WindowFrom == "" && m.Window > 0 {
		f.Window, f.WindowFrom = m.Window, FromTable
	}
	if ok && f.PriceFrom == "" {
		f.PriceIn, f.PriceCachedIn, f.PriceOut, f.PriceFrom = &m.In, m.Cached, &m.Out, FromTable
		for _, l := range s.table.Later(s.priced, model, s.now) {
			f.Later = append(f.Later, agents.Prices{From: l.Begins(), In: l.In, CachedIn: l.Cached, Out: l.Out})
		}
	}
	return f
}

// apply gives a seat its figures. A server on this machine is asked for the window itself.
func (f Figures) apply(p *agents.Profile, s server) {
	if u, err := url.Parse(s.address); err == nil && p.ContextWindow == 0 && !agents.IsLoopback(u.Hostname()) {
		p.ContextWindow = f.Window
	}
	if p.PriceIn == nil && p.PriceOut == nil && !p.Included {
		p.PriceIn, p.PriceOut, p.PriceCachedIn, p.Later = f.PriceIn, f.PriceOut, f.PriceCachedIn, f.Later
	}
}

// Retires says in a clause until when a model is offered, such as "retires in 7 days (30
// Nov)", or that it is offered no longer, and which one is instead. It is "" where nothing
// is known.
func (c Config) Retires(provider, model string) string { return c.stock(provider).retires(model) }

// Reprices says in a clause which price the model of an agent has from a day within the next 30
// on. It is "" where none is known, where the server itself states the price, and where a
// subscription pays.
func (c Config) Reprices(a agents.Profile) string {
	const days = 30
	today := c.now().UTC().Truncate(24 * time.Hour)
	f, _ := c.Figures(a.Provider, a.Model)
	if a.Included || len(f.Later) == 0 || f.Later[0].From.After(today.AddDate(0, 0, days)) {
		return ""
	}
	then := f.Later[0]
	return fmt.Sprintf("costs %s / %s from %s", text.Price(&then.In), text.Price(&then.Out), dayOf(then.From, today))
}

func dayOf(day, today time.Time) string {
	if day.Year() != today.Year() {
		return day.Format("2 Jan 2006")
	}
	return day.Format("2 Jan")
}

// Gone says that a model is no longer offered, which its server has said, and which one is
// nearest. It is "" for a model that was never known.
func (c Config) Gone(provider, model string) string {
	s := c.stock(provider)
	if s.gone(model) {
		return s.retires(model)
	}
	if _, known := s.table.Find(s.preset, model); !known {
		return ""
	}
	return "no longer offered" + s.nearest(model)
}

// IsOff reports whether a model's last day is over.
func (c Config) IsOff(provider, model string) bool { return c.stock(provider).gone(model) }

func (s stock) retires(model string) string {
	last, isSure := s.lastDay(model)
	if last.IsZero() {
		if m, _ := s.list.Find(model); m.Deprecated {
			return "deprecated by its server"
		}
		return ""
	}
	day := dayOf(last, s.now)
	switch {
	case !isSure && s.isAfter(last):
		return "was said to retire on " + day
	case !isSure:
		return "is said to retire on " + day
	case s.gone(model):
		return "no longer offered since " + day + s.nearest(model)
	}
	days := int(last.Sub(s.now.UTC().Truncate(24*time.Hour)).Hours() / 24)
	if days == 0 {
		return "retires today (" + day + ")"
	}
	return fmt.Sprintf("retires in %s (%s)", text.Count(days, "day"), day)
}

// lastDay is the last day of a model by its server, else the catalogue; zero if neither says.
func (s stock) lastDay(model string) (last time.Time, isSure bool) {
	if m, _ := s.list.Find(model); !m.Retires.IsZero() {
		return m.Retires, true
	}
	r, isSure := s.table.Retires(s.preset, model)
	return r.Date, isSure
}

func (s stock) gone(model string) bool {
	last, isSure := s.lastDay(model)
	return isSure && s.isAfter(last)
}

func (s stock) isAfter(day time.Time) bool { return !s.now.Before(day.AddDate(0, 0, 1)) }

func (s stock) nearest(model string) string {
	if id := catalog.Nearest(model, s.offered()); id != "" {
		return "; nearest: " + id
	}
	return ""
}

// offered returns the models that can be proposed: of the server's list, else the catalogue.
func (s stock) offered() []string {
	var ids []string
	for _, m := range s.list.Models {
		if catalog.Debates(m.Name) {
			ids = append(ids, m.Name)
		}
	}
	for _, m := range s.table.Models {
		if len(s.list.Models) == 0 && m.Provider == s.preset {
			ids = append(ids, m.ID)
		}
	}
	return slices.DeleteFunc(ids, s.gone)
}
