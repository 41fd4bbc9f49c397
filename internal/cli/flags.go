package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
	"roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/evidence"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

type outputFlags struct {
	json, quiet, estimate, requirePerson, goOn bool

	apart    bool            // the result is written to another stream
	findings bool            // it is a list of findings
	allow    [][]string      // beginnings of commands that agents may run
	require  string          // the side
	severity debate.Severity // of the findings that --require does not let pass

	allowUnread     []string // patterns of files whose lines need not be shown to a seat
	allowUnanswered bool     // required questions may have been given up
}

func (o *outputFlags) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print events as JSON lines")
	f.BoolVar(&o.quiet, "quiet", false, "print only the verdict and what is missing from it")
	f.Func("allow-command", "let seats run commands that begin with these words, such as \"go test\"; repeatable, all others are denied",
		func(value string) error {
			words, err := text.ParseCommand(value)
			o.allow = append(o.allow, words)
			return err
		})
	f.BoolVar(&o.goOn, "go-on", false, "go on after a round that only one seat answered")
	f.BoolVar(&o.estimate, "estimate", false, "print what the debate is likely to need, and who receives it; send nothing")
	f.Func("require", "exit with code 6 unless the verdict is this side, such as yes, of a review clean or no-agreed, "+
		"of a critique answered, and all lines of files and diffs were shown to a seat", func(value string) error {
		if o.require = strings.TrimSpace(value); o.require == "" {
			return errors.New("it is empty; give a side, such as yes")
		}
		return app.CheckUTF8("the side", value)
	})
	f.Func("severity", "with --require of a review: low, medium (the default) or high; graver findings count too",
		func(value string) error {
			o.severity = debate.Severity(strings.TrimSpace(value))
			if !slices.Contains([]debate.Severity{debate.SeverityLow, debate.SeverityMedium, debate.SeverityHigh}, o.severity) {
				return errors.New("it is low, medium or high")
			}
			return nil
		})
	addPatternFlag(f, "allow-unread", "let --require pass although lines of files that match were shown to no seat; may be repeated",
		&o.allowUnread)
	f.BoolVar(&o.allowUnanswered, "allow-unanswered", false, "let --require pass although a required question was given up")
	f.BoolVar(&o.requirePerson, "require-person", false,
		"exit with code 6 if anybody but a person gave a required answer that the seats have")
}

func addPatternFlag(f *pflag.FlagSet, name, usage string, patterns *[]string) {
	f.Func(name, usage, func(pattern string) error {
		*patterns = append(*patterns, pattern)
		return config.CheckPattern(pattern)
	})
}

func reporter(a *app.App, o outputFlags) (headless.Reporter, error) {
	switch {
	case o.json && o.quiet:
		return nil, app.Usagef("--json and --quiet cannot be used together")
	case o.json && o.estimate:
		return nil, app.Usagef("--estimate and --json cannot be used together")
	case o.json:
		return &headless.JSONReporter{Out: a.Stdout, Now: a.Now}, nil
	default:
		return &headless.TextReporter{Out: a.Stdout, Quiet: o.quiet, Commands: a.Commands()}, nil
	}
}

func finish(a *app.App, out headless.Reporter, e headless.Result) error {
	a.Log.Info("ended", "session", e.Session.ID, "as", string(e.Kind), "code", exitCodeOf(e))
	out.End(e)
	switch {
	case out.Err() != nil:
		return out.Err()
	case e.Kind == headless.Failed:
		return &exitError{exitFailed, e.Err}
	}
	if told := requirements(e); told != "" {
		a.Warn(told)
	}
	if code := exitCodeOf(e); code != exitOK {
		return ended(code)
	}
	return nil
}

// setCommands sets which commands seats may run, and warns if they can run none.
func (o *outputFlags) setCommands(a *app.App, cfg config.Config, s debate.Session) {
	a.NoCommands, a.AllowCommands = len(o.allow) == 0, o.allow
	switch {
	case len(o.allow) > 0 && !s.Workspace.Commands:
		a.Warn("--allow-command has no effect: seats can run commands only in a workspace of mode clone or container, " +
			"with commands = true in [tools]")
	case cfg.Tools.Commands && s.Workspace.Mode == debate.WorkspaceLocal:
		a.Warn("seats can run no commands, since the workspace has the mode local; --workspace-mode clone allows them in a new debate")
	}
}

func (o outputFlags) checkRequired(s debate.Session) error {
	if o.findings && !s.Mode.Reviews() {
		return app.Usagef("--format: a debate in mode %s has no findings; give json, md or html", s.Mode.Name)
	}
	if o.severity != "" && (o.require == "" || !s.Mode.Reviews()) {
		return app.Usagef("--severity needs --require clean or --require no-agreed, in a review")
	}
	if o.require == "" {
		return nil
	}
	if err := verdict.CheckDemand(s, o.require); err != nil {
		return app.Usagef("--require: %v", err)
	}
	return nil
}

func (o outputFlags) judge(e headless.Result) headless.Result {
	if label := o.require; label != "" {
		e.Required = &headless.Requirement{Label: label, Finding: verdict.Meets(e.Session, verdict.Demand{
			Label: label, Severity: o.severity, AllowUnread: o.allowUnread, AllowUnanswered: o.allowUnanswered,
		})}
	}
	if o.requirePerson {
		e.Person = &headless.PersonRequirement{}
		for _, r := range verdict.NotByPerson(e.Session) {
			a, sent := r.Sent()
			e.Person.Others = append(e.Person.Others, headless.AnsweredBy{Request: r.ID, By: a.Author, Open: !sent})
		}
		e.Person.Met = len(e.Person.Others) == 0
	}
	return e
}

// requirements says whether --require is met, and which answers --require-person misses, whatever the exit code.
func requirements(e headless.Result) string {
	var lines []string
	switch r := e.Required; {
	case r == nil:
	case r.Met:
		lines = append(lines, "--require "+text.Join("; ", text.Label(r.Label)+" is met", text.List(r.Notes))+".")
	default:
		lines = append(lines, fmt.Sprintf("--require %s is not met, since %s: %s.", text.Label(r.Label), text.List(r.Reasons),
			report.Line(e.Session)))
	}
	if p := e.Person; p != nil && !p.Met {
		var who []string
		for _, o := range p.Others {
			switch {
			case o.Open:
				who = append(who, o.Request+" has no answer")
			case o.By.Kind == "":
				who = append(who, "who answered "+o.Request+" was not stored")
			default:
				who = append(who, o.Request+" was answered by "+text.Line(o.By.String()))
			}
		}
		lines = append(lines, "--require-person is not met: "+strings.Join(who, "; ")+
			". A person answers in the interface, at a terminal, or in a form of a client of `roundtable mcp`.")
	}
	if exitCodeOf(e) == exitRequired {
		lines = append(lines, "`roundtable show "+e.Session.ID+"` prints the debate.")
	}
	return strings.Join(lines, "\n")
}

func addBudgetFlags(f *pflag.FlagSet, usd *float64, tokens *int, what string) {
	addAmountFlag(f, usd, budget.ParseUSD, "budget", "stop before the "+what+" costs more than this, such as 0.50")
	addAmountFlag(f, tokens, budget.ParseTokens, "tokens", "stop before the "+what+" uses more tokens than this, such as 50k")
}

// addAmountFlag adds a flag with an amount, read like the amounts of the interface.
func addAmountFlag[T float64 | int](f *pflag.FlagSet, at *T, parse func(string) (T, error), name, usage string) {
	f.Func(name, usage, func(value string) (err error) {
		*at, err = parse(value)
		return err
	})
}

func addFileFlag(c *cobra.Command, files *[]string, usage string) {
	addPathFlag(c.Flags(), "file", usage, func(path string) { *files = append(*files, path) })
}

// addPathFlag adds a flag that names a file. An empty path is refused: it is a variable that
// is not set, and would mean the current folder, or the default.
func addPathFlag(f *pflag.FlagSet, name, usage string, set func(path string)) {
	f.Func(name, usage, func(path string) error {
		if path == "" {
			return errors.New("it is empty; give a path")
		}
		set(path)
		return nil
	})
}

// checkStdin refuses to read standard input more than once; others also read it, by argument.
func checkStdin(files []string, others map[string]string) error {
	times := 0
	for _, f := range files {
		if evidence.IsStdin(f) {
			times++
		}
	}
	if times > 1 {
		return app.Usagef("--file - is given %d times; standard input can be read once", times)
	}
	for name, path := range others {
		if path == "-" && times > 0 {
			return app.Usagef("%s and --file - cannot both read standard input", name)
		}
	}
	return nil
}

// readInput reads a text file of at most limit bytes; "-" is standard input.
func readInput(path string, stdin io.Reader, limit int64) ([]byte, error) {
	var raw []byte
	var err error
	if path == "-" {
		path = "standard input"
		raw, err = text.ReadAll(path, stdin, limit)
	} else {
		raw, err = text.ReadFile(path, limit)
	}
	var unreadable *fs.PathError
	if errors.As(err, &unreadable) {
		err = fmt.Errorf("%s: %w. Check the path", text.Label(path), unreadable.Err)
	}
	if err != nil {
		return nil, err
	}
	if raw, err = text.DecodeText(raw); err != nil {
		return nil, fmt.Errorf("%s %w", text.Label(path), err)
	}
	return raw, app.CheckUTF8(path, string(raw))
}

func readTopic(a *app.App, arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	a.WarnOfStdin("the topic")
	raw, err := readInput("-", a.Stdin, 4*debate.MaxTopic)
	if err != nil {
		return "", app.Usagef("read the topic from standard input: %v", err)
	}
	return string(raw), nil
}

type runExtras struct {
	files   []string // evidence
	brought []debate.Evidence
	answers string // path of a file of answers
	focus   string
}

func (e *runExtras) addFlags(c *cobra.Command, answers, focus, files string) {
	addPathFlag(c.Flags(), "answers", answers, func(path string) { e.answers = path })
	c.Flags().StringVar(&e.focus, "focus", "", focus)
	addFileFlag(c, &e.files, files)
}

func (e runExtras) check(o debate.Plan) (focus string, err error) {
	if o.NoQuestions && e.answers != "" {
		return "", app.Usagef("--answers: with --no-questions nothing is asked; give one of them")
	}
	return app.CheckText("focus", e.focus, debate.MaxFocus)
}

func (e runExtras) load(ctx context.Context, a *app.App) (*preparedAnswers, []debate.Evidence, error) {
	given, err := loadAnswers(a, e.answers)
	if err != nil {
		return nil, nil, err
	}
	files, err := a.ReadFiles(ctx, e.files)
	return given, append(e.brought, files...), err
}
