package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/internal/config"
	"roundtable/internal/headless"
	"roundtable/store"
)

func (a *app) runCommand() *cobra.Command {
	var w runOptions
	var out outFlags
	var file, focus string
	c := &cobra.Command{
		Use: "run TOPIC", Short: "Debate without the interface", Args: needs(1, 1, "TOPIC"),
		Long: "Debate a topic without the interface, until the planned rounds are done or you have to answer.\n" +
			"TOPIC is a question, or - to read it from standard input.",
		Example: "  roundtable run \"Should a small team use SQLite in production?\" --panel demo\n  git diff | roundtable run - --mode adversarial --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := w.flags(cmd.Flags().Changed); err != nil {
				return err
			}
			topic, err := readTopic(args[0], a.Stdin)
			if err != nil {
				return err
			}
			w.topic = topic
			return a.run(cmd.Context(), w, out, file, focus)
		},
	}
	wishFlags(c, &w)
	out.add(c)
	c.Flags().StringVar(&file, "answers", "", "answer what is asked from this JSON file")
	c.Flags().StringVar(&focus, "focus", "", "what the first round is to look at")
	return c
}

// run makes a session and plays it.
func (a *app) run(ctx context.Context, w runOptions, flags outFlags, file, focus string) error {
	out, err := a.reporter(flags)
	if err != nil {
		return err
	}
	focus, err = focusOf(focus)
	if err != nil {
		return err
	}
	cfg, found, err := a.config()
	if err != nil {
		if cfg, err = a.without(err, w.panel == demoPanel && len(w.agents) == 0); err != nil {
			return err
		}
	}
	wanted, err := w.session(cfg, found)
	if err != nil {
		return err
	}
	given, err := a.answers(file)
	if err != nil {
		return err
	}
	c := config.NewClients(ctx, cfg, config.ClientOptions{Env: a.Env, Log: a.log})
	if err := c.Ready(wanted.Speakers()); err != nil {
		return usagef("%v", err)
	}
	st, err := a.store(ctx)
	if err != nil {
		return err
	}
	s, err := a.create(ctx, st, wanted, focus)
	if err != nil {
		return err
	}
	a.log.Info("run", "session", s.ID, "debate", chosen(s))
	p := &headless.Player{Store: st, Engine: a.engine(st, c), Out: out, Answers: given, Now: a.now, Log: a.log}
	out.Begin(s, false)
	return a.ended(out, p.Play(ctx, s))
}

// create writes a new session, locked by this process.
func (a *app) create(ctx context.Context, st *store.Store, wanted debate.Session, focus string) (debate.Session, error) {
	s, err := st.Create(ctx, wanted)
	if err != nil {
		return s, err
	}
	if err := a.lock(ctx, st, s.ID); err != nil {
		return s, err
	}
	if focus == "" {
		return s, nil
	}
	return s, st.SetFocus(ctx, s.ID, focus)
}

// focusOf makes what the next round is to look at safe, or says why it cannot be.
func focusOf(text string) (string, error) {
	if err := checkUTF8("the focus", text); err != nil {
		return "", err
	}
	text = strings.TrimSpace(safetext.Text(text))
	if n := utf8.RuneCountInString(text); n > debate.MaxFocus {
		return "", usagef("the focus has %d characters; %d is the most", n, debate.MaxFocus)
	}
	return text, nil
}

// ended logs and reports the ending.
func (a *app) ended(out headless.Reporter, e headless.Ending) error {
	a.log.Info("ended", "session", e.Session.ID, "as", string(e.Kind), "code", exitCodeOf(e))
	return finish(out, e)
}

// answers reads the file of answers, if there is one.
func (a *app) answers(path string) (*answers, error) {
	if path == "" {
		return nil, nil
	}
	return loadAnswers(path, a.Stdin)
}

func (a *app) continueCommand() *cobra.Command {
	var out outFlags
	var file, focus string
	var m more
	c := &cobra.Command{
		Use: "continue ID", Short: "Go on with a saved debate without the interface", Args: needs(1, 1, "ID"),
		Long: "Go on with a saved debate. While a required request is open it is refused: the open requests are printed and the exit code is 3.\n" +
			"A debate that is complete is printed; with --rounds it goes on. One that its budget has stopped needs --budget or --tokens as well.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := m.check(cmd.Flags().Changed); err != nil {
				return err
			}
			return a.goOn(cmd.Context(), args[0], m, out, file, focus)
		},
	}
	out.add(c)
	c.Flags().StringVar(&file, "answers", "", "answer what is open from this JSON file")
	c.Flags().StringVar(&focus, "focus", "", "what the next round is to look at")
	c.Flags().IntVar(&m.rounds, "rounds", 0, "plan this many rounds more")
	c.Flags().Float64Var(&m.usd, "budget", 0, "stop when this many USD are spent, from the beginning on")
	c.Flags().IntVar(&m.tokens, "tokens", 0, "stop when this many tokens are spent, from the beginning on")
	return c
}

// more is what a saved session is given to go on with.
type more struct {
	rounds int
	usd    float64
	tokens int
}

// check refuses what cannot be.
func (m more) check(given func(flag string) bool) error {
	switch {
	case given("rounds") && (m.rounds < 1 || m.rounds > debate.MaxRounds):
		return usagef("%d rounds more are not possible; give 1 to %d", m.rounds, debate.MaxRounds)
	case given("budget") && !(m.usd > 0 && m.usd <= 1e6): // it may be no number
		return usagef("a budget of %v USD is not possible; give more than 0, to 1000000", m.usd)
	case given("tokens") && m.tokens < 1:
		return usagef("a budget of %d tokens is not possible; give 1 or more", m.tokens)
	}
	return nil
}

// budget is a session's budget with the caps that are given.
func (m more) budget(b debate.Budget) debate.Budget {
	b.USD = cmp.Or(m.usd, b.USD)
	b.Tokens = cmp.Or(m.tokens, b.Tokens)
	return b
}

// goOn plays a saved session.
func (a *app) goOn(ctx context.Context, id string, m more, flags outFlags, file, focus string) error {
	out, err := a.reporter(flags)
	if err != nil {
		return err
	}
	focus, err = focusOf(focus)
	if err != nil {
		return err
	}
	cfg, _, misread := a.config()
	given, err := a.answers(file)
	if err != nil {
		return err
	}
	st, s, err := a.locked(ctx, id)
	if err != nil {
		return err
	}
	if misread != nil {
		if cfg, err = a.without(misread, demoOnly(s)); err != nil {
			return err
		}
	}
	c := config.NewClients(ctx, cfg, config.ClientOptions{Env: a.Env, Log: a.log})
	engine := a.engine(st, c)
	if s.Verdict != nil && m.rounds > 0 {
		wanted := s
		wanted.Budget = m.budget(s.Budget)
		if err := engine.Affords(wanted); err != nil { // rounds would cost another verdict and come to nothing
			return poor(s, m, err)
		}
	}
	s, err = a.prepare(ctx, st, s, m, given, focus)
	if err != nil {
		return err
	}
	gone, err := adrift(cfg, ctx, st, &s)
	if err != nil {
		return err
	}
	p := &headless.Player{Store: st, Engine: engine, Out: out, Answers: given, Now: a.now, Log: a.log}
	out.Begin(s, true)
	for _, n := range gone {
		n.At = a.now()
		out.Event(debate.Noticed{Notice: n})
	}
	if s.Verdict != nil {
		out.Event(debate.Concluded{Verdict: *s.Verdict, At: s.Updated})
	}
	begun := len(s.History)
	e := p.Play(ctx, s)
	if err := a.ended(out, e); e.Kind != headless.EndNeedsContext || len(e.Session.History) > begun {
		return err
	}
	return refusal(e.Session)
}

// demoOnly reports whether all speakers of a session are the demo's.
func demoOnly(s debate.Session) bool {
	return !slices.ContainsFunc(s.Speakers(), func(p agents.Profile) bool { return p.Provider != debate.DemoProvider })
}

// refusal names what a session that cannot go on waits for.
func refusal(s debate.Session) error {
	var open []string
	for _, r := range s.Unanswered() {
		var askers []string
		for _, id := range r.Askers() {
			askers = append(askers, string(id))
		}
		open = append(open, fmt.Sprintf("%s (%s)", r.ID, strings.Join(askers, ", ")))
	}
	return &refusedError{fmt.Sprintf("round %d is blocked: %s", len(s.History)+1, strings.Join(open, ", ")), s.ID}
}

// refusedError says that a session cannot go on before something is answered.
type refusedError struct{ text, session string }

func (e *refusedError) Error() string {
	return e.text + " must be answered first.\n`roundtable requests " + e.session + "` lists what is asked, `roundtable answer` answers it."
}

// poor says how a session that its budget has stopped goes on.
func poor(s debate.Session, m more, err error) error {
	var flags []string
	b := m.budget(s.Budget)
	if b.USD > 0 {
		flags = append(flags, fmt.Sprintf("--budget %.2f", max(2*b.USD, 0.01)))
	}
	if b.Tokens > 0 {
		flags = append(flags, fmt.Sprintf("--tokens %d", 2*b.Tokens))
	}
	return &poorError{fmt.Errorf("%w.\nNothing was changed; `roundtable continue %s --rounds %d %s` gives it more", err, s.ID, m.rounds, strings.Join(flags, " "))}
}

// poorError says that a session cannot go on with the budget that it has.
type poorError struct{ err error }

func (e *poorError) Error() string { return e.err.Error() }
func (e *poorError) Unwrap() error { return e.err }

// prepare records what the command line says about a saved session. The answers
// come first: when one of them is refused nothing has been written.
func (a *app) prepare(ctx context.Context, st *store.Store, s debate.Session, m more, given *answers, focus string) (debate.Session, error) {
	subs, err := given.all(s)
	if err != nil {
		return s, err
	}
	if len(subs) > 0 {
		settled, err := st.Answer(ctx, s.ID, subs...)
		if err != nil {
			return s, err
		}
		for _, r := range settled {
			s = s.WithRequest(r)
		}
	}
	if b := m.budget(s.Budget); b != s.Budget {
		if s, err = st.SetBudget(ctx, s.ID, b); err != nil {
			return s, err
		}
	}
	if m.rounds > 0 {
		if s, err = st.AddRounds(ctx, s.ID, m.rounds); err != nil {
			return s, err
		}
	}
	if focus == "" {
		return s, nil
	}
	return s, st.SetFocus(ctx, s.ID, focus)
}
