package cli

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/eval"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
	"roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/text"
	"roundtable/store"
)

// maxOffered is the largest number of debates that a shell offers.
const maxOffered = 100

type typing struct {
	app   *app.App
	ctx   context.Context
	args  []string // before the word that is completed
	typed string   // the beginning of that word
}

type values func(typing) []cobra.Completion

// flagValue is what a flag takes: how the help names it, and what shells offer for it.
type flagValue struct {
	name  string
	offer values // nil: nothing
	list  bool   // several, with commas between them
	paths bool   // shells offer paths
}

// flagValues lists what flags take, by name; after a command and a slash that of this command.
func flagValues() map[string]flagValue {
	path := flagValue{name: "PATH", paths: true}
	out := map[string]flagValue{
		"agent": {name: "SEAT=MODEL", offer: typing.seatOrModel}, "ask/agent": {name: "SEAT", offer: typing.seatsOfDebate},
		"allow-command": {name: "COMMAND"},
		"allow-unread":  {name: "GLOB"}, "answer": {name: "C1=TEXT", offer: typing.requestsWithValue}, "answers": path,
		"attempt": {name: "N"}, "baseline": {name: "SEAT", offer: typing.configuredSeats},
		"call": {name: "N"}, "config": path,
		"db": path, "eval": {name: "NAME"}, "evidence": {name: "F1:10-20", offer: typing.evidence},
		"exclude": {name: "GLOB"}, "include": path, "facts": {name: "C1,C2", offer: typing.requests, list: true}, "file": path,
		"eval/facts": {name: "asked|none", offer: fixed(eval.FactsAsked, eval.FactsNone), list: true},
		"name":       {name: "NAME"}, "focus": {name: "TEXT"},
		"format": {name: "FORMAT", offer: formats}, "limit": {name: "N"},
		"review/format": {name: "FORMAT", offer: fixed(slices.Sorted(maps.Keys(reviewFormats()))...)},
		"note":          {name: "TEXT"}, "output": path,
		"copy":       path,
		"print":      {name: "CLIENT", offer: fixed(printedNames()...)},
		"prompt":     {name: "SEAT", offer: typing.seatsOfDebate},
		"require":    {name: "SIDE", offer: fixed("yes", "no", verdict.ReviewClean, verdict.ReviewNoneAgreed)},
		"retry-seat": {name: "SEAT", offer: typing.seatsOfDebate},
		"round":      {name: "N", offer: typing.rounds}, "search": {name: "WORDS"}, "since": {name: "2w"},
		"severity": {name: "LEVEL", offer: fixed("low", "medium", "high")}, "source": {name: "TEXT"},
		"status": {name: "STATE", offer: fixed(debate.StateNames()...)},
		"tell":   {name: `"[SEAT] TEXT"`}, "text": {name: "TEXT"},
		"unavailable": {name: "REASON"}, "fork/unavailable": {name: "C1=REASON", offer: typing.requestsWithValue},
		"was": {name: "LABEL"},
	}
	offers := map[string]values{"agents": typing.configuredSeats, "mode": typing.modes, "panel": typing.panels, "question": typing.kinds}
	for _, f := range new(debate.Plan).Fields() {
		offer := offers[f.Name]
		if offer == nil && f.Words != nil {
			offer = fixed(f.Words...)
		}
		_, list := f.At.(*[]string)
		if f.Takes != "" {
			out[f.Name] = flagValue{name: f.Takes, offer: offer, list: list && offer != nil, paths: f.Takes == path.name}
		}
	}
	return out
}

// argumentValues lists what the arguments of a command complete to; nil: shells offer paths.
func argumentValues(command string) []values {
	switch command {
	case "resume", "continue", "requests", "rename", "delete", "ask", "export", "fork":
		return []values{typing.debates}
	case "show":
		return []values{typing.debates, typing.rounds}
	case "answer":
		return []values{typing.debates, typing.requests}
	case "outcome":
		return []values{typing.debates, fixed("right", "wrong", "mixed", "open")}
	case "modes":
		return []values{typing.modes}
	case "models":
		return []values{typing.providers}
	case "tools approve":
		return []values{typing.servers}
	case "undelete":
		return []values{typing.deleted}
	case "eval":
		return nil
	}
	return []values{}
}

// namedValue is the value of a flag with the name that the help shows.
type namedValue struct {
	pflag.Value
	name string
}

// Type returns the name.
func (v namedValue) Type() string { return v.name }

// describeValues names and completes the values of flags and arguments.
func describeValues(a *app.App, c *cobra.Command) {
	name := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), c.Root().Name()), " ")
	known := flagValues()
	describe := func(f *pflag.Flag) {
		v, ok := known[name+"/"+f.Name]
		if !ok {
			v, ok = known[f.Name]
		}
		switch {
		case !ok && !strings.HasPrefix(f.Value.Type(), "bool"):
			panic("the value of --" + f.Name + " is not described")
		case !ok:
			return
		}
		f.Value = namedValue{f.Value, v.name}
		if v.paths {
			return
		}
		if err := c.RegisterFlagCompletionFunc(f.Name, completes(a, v.list, v.offer)); err != nil {
			panic(err) // a flag is described twice
		}
	}
	c.Flags().VisitAll(describe)
	c.PersistentFlags().VisitAll(describe)
	if args := argumentValues(name); args != nil {
		c.ValidArgsFunction = func(cmd *cobra.Command, given []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var offer values
			if len(given) < len(args) {
				offer = args[len(given)]
			}
			return completes(a, false, offer)(cmd, given, typed)
		}
	}
	for _, child := range c.Commands() {
		if child.Name() != "completion" && child.Name() != "help" {
			describeValues(a, child)
		}
	}
}

// completes returns a function that completes a word, or the last one of a list.
func completes(a *app.App, list bool, offer values) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) (out []cobra.Completion, d cobra.ShellCompDirective) {
		d = cobra.ShellCompDirectiveNoFileComp
		if offer == nil {
			return nil, d
		}
		before := ""
		if i := strings.LastIndex(typed, ","); list && i >= 0 {
			before = typed[:i+1]
		}
		for _, v := range offer(typing{a, cmd.Context(), args, typed}) {
			value, _, _ := strings.Cut(v, "\t")
			if strings.HasPrefix(before+value, typed) && !slices.Contains(strings.Split(before, ","), value) {
				out = append(out, before+v)
			}
			if strings.HasSuffix(v, "=") {
				d |= cobra.ShellCompDirectiveNoSpace
			}
		}
		if list {
			d |= cobra.ShellCompDirectiveNoSpace
		}
		return out, d | cobra.ShellCompDirectiveKeepOrder
	}
}

// offered returns a value with a description in one line. What they come from may be foreign.
func offered(value, description string) cobra.Completion {
	return cobra.CompletionWithDesc(text.Label(value), text.Clip(text.Line(description), 60))
}

func formats(typing) []cobra.Completion { return text.Strings(report.AllFormats()) }

func fixed(all ...string) values { return func(typing) []cobra.Completion { return all } }

// store returns the database if there is one. Shells show no error.
func (t typing) store() (*store.Store, bool) {
	if t.app.DatabaseExists() != nil {
		return nil, false
	}
	st, err := t.app.OpenUnchanged(t.ctx)
	return st, err == nil
}

func (t typing) debates() []cobra.Completion { return t.sessions(store.Query{Limit: maxOffered}) }

func (t typing) deleted() []cobra.Completion {
	return t.sessions(store.Query{Limit: maxOffered, Deleted: true})
}

func (t typing) sessions(q store.Query) []cobra.Completion {
	st, ok := t.store()
	if !ok {
		return nil
	}
	all, err := st.Sessions(t.ctx, q)
	if err != nil {
		return nil
	}
	return text.Each(all, func(s debate.SessionSummary) cobra.Completion { return offered(s.ID, s.Name()) })
}

// debate returns the debate that the first argument names, or an empty one.
func (t typing) debate() (s debate.Session) {
	if st, ok := t.store(); ok && len(t.args) > 0 {
		s, _ = st.Session(t.ctx, t.args[0]) // nothing is offered then
	}
	return s
}

func (t typing) requests() []cobra.Completion {
	return text.Each(t.debate().Requests, func(r ledger.Request) cobra.Completion { return offered(r.ID, r.Query) })
}

func (t typing) requestsWithValue() []cobra.Completion {
	return text.Each(t.debate().Requests, func(r ledger.Request) cobra.Completion { return offered(r.ID+"=", r.Query) })
}

func (t typing) evidence() []cobra.Completion {
	return text.Each(t.debate().Evidence, func(e debate.Evidence) cobra.Completion { return offered(e.ID, e.Name) })
}

func (t typing) rounds() []cobra.Completion {
	return text.Each(t.debate().History, func(r debate.Round) cobra.Completion { return strconv.Itoa(r.Number) })
}

func (t typing) seatsOfDebate() []cobra.Completion {
	return text.Each(t.debate().Seats, func(p agents.Profile) cobra.Completion { return offered(string(p.ID), p.Model) })
}

func (t typing) seatOrModel() []cobra.Completion {
	if seat, _, ok := strings.Cut(t.typed, "="); ok {
		return text.Each(t.configuredSeats(), func(model string) cobra.Completion { return seat + "=" + model })
	}
	return text.Each(t.debate().Seats, func(p agents.Profile) cobra.Completion { return offered(string(p.ID)+"=", p.Model) })
}

// config returns the config; the zero value if it cannot be read.
func (t typing) config() config.Config {
	cfg, _, err := t.app.Config()
	if err != nil {
		return config.Config{}
	}
	return cfg
}

func (t typing) configuredSeats() []cobra.Completion {
	return text.Each(t.config().Agents, func(a config.Agent) cobra.Completion { return offered(string(a.ID), a.Model) })
}

func (t typing) panels() (out []cobra.Completion) {
	cfg := t.config()
	for _, name := range slices.Sorted(maps.Keys(cfg.Panels)) {
		out = append(out, offered(name, strings.Join(text.Strings(cfg.Panels[name].Agents), ", ")))
	}
	return append(out, offered(app.DemoPanel, "scripted, without a model"))
}

func (t typing) modes() []cobra.Completion {
	path, _, err := t.app.ConfigPath()
	if err != nil {
		return nil
	}
	known, _ := modes.Load(config.ModesBeside(path))
	return text.Each(known, func(m debate.Mode) cobra.Completion { return offered(m.Name, m.Summary) })
}

func (t typing) kinds() []cobra.Completion {
	return text.Each(debate.QuestionKinds(), func(k debate.QuestionKind) cobra.Completion { return offered(string(k), k.Description()) })
}

func (t typing) providers() []cobra.Completion { return slices.Sorted(maps.Keys(t.config().Providers)) }

func (t typing) servers() []cobra.Completion { return slices.Sorted(maps.Keys(t.config().Tools.MCP)) }
