package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"roundtable/agents"
	"roundtable/internal/app"
	"roundtable/internal/catalog"
	"roundtable/internal/config"
	"roundtable/internal/crash"
	"roundtable/internal/text"
)

type offeredModels struct {
	Provider string         `json:"provider"`
	Models   []offeredModel `json:"models"`
	Cut      int            `json:"cut,omitempty"`     // models that the server has besides
	Error    string         `json:"error,omitempty"`   // why there is no list
	Unasked  bool           `json:"unasked,omitempty"` // the models are of the table that the program came with
}

type offeredModel struct {
	agents.ModelInfo
	WindowFrom config.Origin `json:"context_window_from,omitempty"`
	PriceFrom  config.Origin `json:"price_from,omitempty"`

	known string // of its figures, and from where; "": it is no model of a server
}

func (o offeredModels) count() string {
	n := text.Count(len(o.Models), "model")
	if o.Cut > 0 {
		n += fmt.Sprintf(", and %d more that are not read", o.Cut)
	}
	return n
}

// lists reports whether a model is on the list; a provider without a whole list has them all.
func (o offeredModels) lists(model string) bool {
	return len(o.Models) == 0 || o.Unasked || o.Cut > 0 || slices.ContainsFunc(o.Models, func(m offeredModel) bool {
		return m.Name == model || m.Name == model+":latest"
	})
}

func modelsCommand(a *app.App) *cobra.Command {
	var asJSON, refresh bool
	c := &cobra.Command{
		Use: "models [PROVIDER]", Short: "Ask providers for their models", Args: argCount(0, 1, "[PROVIDER]"),
		Long: "Ask a provider for its models, or all that are configured. Without a config file, those whose keys or\n" +
			"addresses are in the environment are asked, and a local Ollama. Context windows, and prices per million tokens\n" +
			"of input and output, are what the server says, or else the table that the program came with. A list is\n" +
			"used for a day; --refresh asks again. With ask_lists = false in the config the table is shown.",
		Example: "  roundtable models ollama\n  roundtable models --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, _, err := a.Config()
			if err != nil {
				return err
			}
			names := cfg.Usable(a.Env)
			if len(args) > 0 {
				if known := cfg.ProviderNames(); !slices.Contains(known, args[0]) {
					return app.Usagef("there is no provider %q%s", text.Label(args[0]), text.DidYouMean(args[0], known))
				}
				names = args
			}
			all := askModels(cmd.Context(), cfg, a.OpenClients(cmd.Context(), cfg, 0), names, refresh)
			if asJSON {
				err = printJSON(a, all)
			} else {
				table := catalog.Load().Source
				listed := a.Commands().Hints(formatModels(all))
				err = a.Print("%sThe table is %s (%s %s).\n", listed, table.Age(a.Now()), table.Module, table.Version)
			}
			if err == nil && !slices.ContainsFunc(all, func(o offeredModels) bool { return o.Error == "" }) {
				err = ended(exitFailed)
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&refresh, "refresh", false, "ask again, also for lists of today")
	return c
}

// askModels asks providers side by side; with fresh also those whose lists are of today.
func askModels(ctx context.Context, cfg config.Config, clients *config.Clients, names []string, fresh bool) []offeredModels {
	all := make([]offeredModels, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() {
			o := offeredModels{Provider: name, Models: []offeredModel{}}
			models, err := guarded(func() ([]agents.ModelInfo, error) { return clients.Models(ctx, name, fresh) })
			switch {
			case errors.Is(err, config.ErrListsOff):
				o.Unasked = true
				models = text.Each(cfg.Offered(name), func(p agents.Profile) agents.ModelInfo { return agents.ModelInfo{Name: p.Model} })
			case err != nil:
				o.Error = text.Line(err.Error())
			}
			o.Cut = cfg.Listed(name).Cut
			for _, m := range models {
				one, f := cfg.Describe(name, m)
				if o.Models = append(o.Models, offeredModel{ModelInfo: one}); f != nil {
					last := &o.Models[len(o.Models)-1]
					last.WindowFrom, last.PriceFrom, last.known = f.WindowFrom, f.PriceFrom, f.String()
				}
			}
			all[i] = o
		})
	}
	wait.Wait()
	return all
}

// guarded returns the result of f, or the error that its panic becomes.
func guarded[T any](f func() (T, error)) (v T, err error) {
	defer crash.Catch(&err)
	return f()
}

const maxModelColumn = 48

func formatModels(all []offeredModels) string {
	if len(all) == 0 {
		return "No provider to ask: there is no config file and no key in the environment.\n" +
			"`roundtable config init` writes a config file.\n"
	}
	var b strings.Builder
	for _, o := range all {
		if o.Error != "" {
			fmt.Fprintf(&b, "%s: %s\n", text.Line(o.Provider), o.Error)
			continue
		}
		if len(o.Models) == 0 {
			fmt.Fprintf(&b, "%s: no models to choose from\n", text.Line(o.Provider))
			continue
		}
		from := ""
		if o.Unasked {
			from = " of the table, not checked with the server"
		}
		fmt.Fprintf(&b, "%s: %s%s\n", text.Line(o.Provider), o.count(), from)
		width, figures := 0, 0
		for _, m := range o.Models {
			width = min(max(width, len([]rune(text.Line(m.Name)))), maxModelColumn)
			figures = max(figures, len(m.known))
		}
		for _, m := range o.Models {
			line := fmt.Sprintf("  %-*s  %-*s", width, text.Line(m.Name), figures, m.known)
			b.WriteString(strings.TrimRight(line+"  "+m.Note, " ") + "\n")
		}
	}
	return b.String()
}
