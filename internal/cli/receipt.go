package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/store"
)

// verdictRound names the turn of a chair in place of a round.
const verdictRound = "verdict"

// receiptQuery selects one request. A zero field selects the last.
type receiptQuery struct {
	agent   string
	round   string
	attempt int
	call    int
}

// receipt prints a request that was sent to an agent, and what is known about it.
func (a *app) receipt(ctx context.Context, id string, q receiptQuery, asJSON bool) error {
	st, err := a.existingStore(ctx)
	if err != nil {
		return err
	}
	doc, err := findReceipt(ctx, st, id, q)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(doc)
	}
	return a.print("%s", doc.Text())
}

// findReceipt returns the last request of a session that the query selects.
func findReceipt(ctx context.Context, st *store.Store, id string, q receiptQuery) (report.Receipt, error) {
	s, err := st.Session(ctx, id)
	if err != nil {
		return report.Receipt{}, err
	}
	all, err := st.Receipts(ctx, s.ID)
	if err != nil {
		return report.Receipt{}, err
	}
	r, err := q.find(s, all)
	if err != nil {
		return report.Receipt{}, err
	}
	req, r, err := st.Prompt(ctx, s.ID, r.Turn, r.N)
	if err != nil {
		return report.Receipt{}, err
	}
	return report.ReceiptOf(s, req, r)
}

// find returns the last request that the query selects.
func (q receiptQuery) find(s debate.Session, all []debate.Receipt) (debate.Receipt, error) {
	var none debate.Receipt
	who, err := q.speaker(s)
	if err != nil {
		return none, err
	}
	round := 0
	if q.round != "" && q.round != verdictRound {
		if round, err = strconv.Atoi(q.round); err != nil || round < 1 {
			return none, usagef("%q is not a round; give a number, or %s for the chair", text.Label(q.round), verdictRound)
		}
	}
	found := slices.DeleteFunc(slices.Clone(all), func(r debate.Receipt) bool {
		return r.Turn.Agent != who || (r.Turn.Step == debate.VerdictStep) != (q.round == verdictRound) ||
			r.Purpose == debate.ForLight || r.Purpose == debate.ForFollowUp ||
			round > 0 && r.Turn.Round != round || q.attempt > 0 && r.Turn.Attempt != q.attempt || q.call > 0 && r.N != q.call
	})
	if len(found) == 0 {
		return none, usagef("nothing was sent to %s%s", who, q.where())
	}
	return slices.MaxFunc(found, func(a, b debate.Receipt) int {
		return cmp.Or(a.Turn.Round-b.Turn.Round, a.Turn.Step-b.Turn.Step, a.Turn.Attempt-b.Turn.Attempt, a.N-b.N)
	}), nil
}

// speaker finds an agent by its id or name.
func (q receiptQuery) speaker(s debate.Session) (agents.ID, error) {
	var known []string
	for _, p := range s.Speakers() {
		if strings.EqualFold(string(p.ID), q.agent) || strings.EqualFold(p.Name, q.agent) {
			return p.ID, nil
		}
		known = append(known, string(p.ID))
	}
	return "", usagef("there is no agent %q in this session%s", text.Label(q.agent), text.DidYouMean(q.agent, known))
}

func (q receiptQuery) where() string {
	var parts []string
	switch q.round {
	case "":
	case verdictRound:
		parts = append(parts, "for the verdict")
	default:
		parts = append(parts, "in round "+q.round)
	}
	if q.attempt > 0 {
		parts = append(parts, fmt.Sprintf("as attempt %d", q.attempt))
	}
	if q.call > 0 {
		parts = append(parts, fmt.Sprintf("as request %d", q.call))
	}
	if len(parts) == 0 {
		return ""
	}
	return " " + strings.Join(parts, ", ")
}
