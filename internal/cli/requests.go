package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/app"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

type answerFlags struct {
	text, unavailable, source string
	files                     []string // evidence that is the answer
	correct, json             bool
}

func answerCommand(a *app.App) *cobra.Command {
	var r answerFlags
	c := &cobra.Command{
		Use: "answer ID REQUEST", Short: "Answer a question", Args: argCount(2, 2, "ID REQUEST"),
		Example: "  roundtable answer k7m2 C1 --text \"42 writes/s at month end\" \\\n      --source \"dashboard billing-writes\"\n" +
			"  roundtable answer k7m2 C2 --unavailable \"Finance has not decided.\"\n" +
			"  roundtable answer k7m2 C1 --file budget.csv",
		RunE: func(cmd *cobra.Command, args []string) error {
			return answer(cmd.Context(), a, args[0], args[1], r, cmd.Flags().Changed)
		},
	}
	f := c.Flags()
	f.StringVar(&r.text, "text", "", "the answer")
	addFileFlag(c, &r.files, "a file or folder that is the answer, or - for standard input; it becomes evidence")
	f.StringVar(&r.unavailable, "unavailable", "", "reason why there is no answer; the seats read it")
	f.StringVar(&r.source, "source", "", "source of the answer")
	f.BoolVar(&r.json, "json", false, "print the answered question as JSON, as in roundtable requests --json")
	f.BoolVar(&r.correct, "correct", false, "change an answer that was already sent")
	return c
}

// submission returns the answer of the flags without its author; evidence has no text yet.
func (r answerFlags) submission(request string, given func(flag string) bool) (ledger.Submission, error) {
	if strings.TrimSpace(request) == "" {
		return ledger.Submission{}, app.Usagef("REQUEST is empty; give its id, such as C1")
	}
	n := 0
	for _, flag := range []string{"text", "file", "unavailable"} {
		if given(flag) {
			n++
		}
	}
	if n != 1 {
		return ledger.Submission{}, app.Usagef("give one of --text, --file and --unavailable")
	}
	if r.text == "-" {
		return ledger.Submission{}, app.Usagef("--text - would answer with a dash; --file - reads the answer from standard input")
	}
	if err := checkStdin(r.files, nil); err != nil {
		return ledger.Submission{}, err
	}
	outcome, content := ledger.Answered, r.text
	if given("unavailable") {
		outcome, content = ledger.Unavailable, r.unavailable
	}
	if err := cmp.Or(app.CheckUTF8("the answer", content), app.CheckUTF8("the source", r.source)); err != nil {
		return ledger.Submission{}, err
	}
	sub := submission(ledger.Author{}, strings.ToUpper(strings.TrimSpace(request)), outcome, content, r.source)
	sub.Correct = r.correct
	return sub, nil
}

func answer(ctx context.Context, a *app.App, id, request string, r answerFlags, given func(string) bool) error {
	started := a.Now()
	sub, err := r.submission(request, given)
	if err != nil {
		return err
	}
	read, err := a.ReadFiles(ctx, r.files)
	if err != nil {
		return err
	}
	st, s, err := a.LockToPlay(ctx, id)
	if err != nil {
		return err
	}
	asked, _ := s.Request(sub.Request) // the ledger refuses one that there is not
	sub.By = a.AnswererOf(asked, "command", started)
	if len(read) > 0 {
		s, sub.Content, err = a.AnswerWithEvidence(ctx, st, s, sub, read)
	}
	c := control.New(s, control.Options{Writer: st})
	var told control.Told
	if err == nil {
		told, err = c.Act(ctx, control.Answer, control.Values{Answers: []ledger.Submission{sub}})
	}
	if errors.Is(err, ledger.ErrFrozen) {
		return app.Usagef("%v\nAdd --correct to change it.", err)
	}
	if errors.Is(err, ledger.ErrUnknown) {
		return app.Usagef("%v\n`roundtable requests %s` lists the questions.", err, s.ID)
	}
	if err != nil {
		return err
	}
	s = c.Session()
	a.Log.Info("answered", "session", s.ID, "request", sub.Request, "outcome", string(sub.Outcome))
	if q, _ := s.Request(sub.Request); r.json {
		return printJSON(a, report.RequestOf(q))
	}
	next := headless.WhatNext(s, a.Now())
	if s.LacksRound() {
		next = fmt.Sprintf("`roundtable continue %s --rounds 1` adds one.", s.ID)
	}
	return a.Print("%s %s\n", told.Text, a.Commands().Hints(next))
}

func requestsCommand(a *app.App) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "requests ID", Short: "List questions and their answers", Args: argCount(1, 1, "ID"),
		Example: "  roundtable requests k7m2\n  roundtable requests k7m2 --json",
		RunE:    func(cmd *cobra.Command, args []string) error { return requests(cmd.Context(), a, args[0], asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func requests(ctx context.Context, a *app.App, id string, asJSON bool) error {
	_, s, err := a.ReadSession(ctx, id)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(a, append([]report.Request{}, text.Each(s.Requests, report.RequestOf)...))
	}
	if len(s.Requests) == 0 {
		return a.Print("No questions yet.\n")
	}
	l := &headless.TextReporter{Out: a.Stdout, Commands: a.Commands(), Session: s}
	for _, r := range s.OpenRequests() {
		l.Request(r)
	}
	for _, r := range s.Requests {
		if !r.Open() {
			l.ClosedRequest(r)
		}
	}
	return l.Err()
}
