package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"roundtable/agents"
	"roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/crash"
	"roundtable/internal/text"
)

// offeredModels is what a provider says that it offers.
type offeredModels struct {
	Provider string             `json:"provider"`
	Models   []agents.ModelInfo `json:"models"`
	Error    string             `json:"error,omitempty"` // why there is no list
}

// lists reports whether a model is on the list; a provider without a list has them all.
func (o offeredModels) lists(model string) bool {
	return len(o.Models) == 0 || slices.ContainsFunc(o.Models, func(m agents.ModelInfo) bool {
		return m.Name == model || m.Name == model+":latest"
	})
}

func modelsCommand(a *app.App) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "models [PROVIDER]", Short: "Ask providers for their models", Args: argCount(0, 1, "[PROVIDER]"),
		Long: "Ask a provider for its models, or all that are configured. Without a config file, those whose keys\n" +
			"are in the environment are asked, and a local Ollama. Context windows, and prices per million tokens\n" +
			"of input and output, are shown where the server tells them.",
		Example: "  roundtable models ollama\n  roundtable models --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, _, err := a.Config()
			if err != nil {
				return err
			}
			names := cfg.Usable(a.Env)
			if len(args) > 0 {
				if !cfg.HasProvider(args[0]) {
					return app.Usagef("there is no provider %q%s", text.Label(args[0]), text.DidYouMean(args[0], cfg.ProviderNames()))
				}
				names = args
			}
			all := askModels(cmd.Context(), a.OpenClients(cmd.Context(), cfg, 0), names)
			if asJSON {
				err = printJSON(a, all)
			} else {
				err = a.Print("%s", formatModels(all, cfg))
			}
			if err == nil && !slices.ContainsFunc(all, func(o offeredModels) bool { return o.Error == "" }) {
				err = codeError(exitFailed)
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// askModels asks providers for their models, side by side.
func askModels(ctx context.Context, clients *config.Clients, names []string) []offeredModels {
	all := make([]offeredModels, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() {
			all[i] = offeredModels{Provider: name, Models: []agents.ModelInfo{}}
			models, err := guarded(func() ([]agents.ModelInfo, error) { return clients.Models(ctx, name) })
			if err != nil {
				all[i].Error = text.Line(err.Error())
				return
			}
			all[i].Models = append(all[i].Models, models...)
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

// maxModelColumn is the widest that the column of models' names becomes.
const maxModelColumn = 48

func formatModels(all []offeredModels, cfg config.Config) string {
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
		fmt.Fprintf(&b, "%s: %s\n", text.Line(o.Provider), text.Count(len(o.Models), "model"))
		width := 0
		for _, m := range o.Models {
			width = min(max(width, len([]rune(text.Line(m.Name)))), maxModelColumn)
		}
		for _, m := range o.Models {
			line := fmt.Sprintf("  %-*s  %-10s  %s", width, text.Line(m.Name), windowText(m.Window), priceText(m))
			if users := usersOf(cfg, o.Provider, m.Name); users != "" {
				line = fmt.Sprintf("%-*s  %s", width+32, line, users)
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return b.String()
}

// windowText returns a context window; "" if it is not known.
func windowText(tokens int) string {
	if tokens == 0 {
		return ""
	}
	return text.Tokens(tokens)
}

// priceText returns the prices per million tokens; "" if they are not known.
func priceText(m agents.ModelInfo) string {
	if m.PriceIn == nil || m.PriceOut == nil {
		return ""
	}
	return text.Price(m.PriceIn) + " / " + text.Price(m.PriceOut)
}

func usersOf(cfg config.Config, provider, model string) string {
	var ids []string
	for _, a := range cfg.Agents {
		if a.Provider == provider && a.Model == model {
			ids = append(ids, string(a.ID))
		}
	}
	return strings.Join(ids, ", ")
}
