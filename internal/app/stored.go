package app

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

// ReceiptQuery selects one request. A zero field selects the last.
type ReceiptQuery struct {
	Agent   string
	Round   string
	Attempt int
	Call    int
}

// find returns the last request that the query selects.
func (q ReceiptQuery) find(s debate.Session, all []debate.Receipt) (debate.Receipt, error) {
	var none debate.Receipt
	who, err := q.speaker(s)
	if err != nil {
		return none, err
	}
	round := 0
	if q.Round != "" && q.Round != verdictRound {
		if round, err = strconv.Atoi(q.Round); err != nil || round < 1 {
			return none, Usagef("%q is not a round; give a number, or %s for the chair", text.Label(q.Round), verdictRound)
		}
	}
	found := slices.DeleteFunc(slices.Clone(all), func(r debate.Receipt) bool {
		return r.Turn.Agent != who || (r.Turn.Step == debate.VerdictStep) != (q.Round == verdictRound) ||
			r.Purpose == debate.ForLight || r.Purpose == debate.ForFollowUp ||
			round > 0 && r.Turn.Round != round || q.Attempt > 0 && r.Turn.Attempt != q.Attempt || q.Call > 0 && r.N != q.Call
	})
	if len(found) == 0 {
		return none, Usagef("nothing was sent to %s%s", who, q.where())
	}
	return slices.MaxFunc(found, func(a, b debate.Receipt) int {
		return cmp.Or(a.Turn.Round-b.Turn.Round, a.Turn.Step-b.Turn.Step, a.Turn.Attempt-b.Turn.Attempt, a.N-b.N)
	}), nil
}

// speaker finds an agent by its id or name.
func (q ReceiptQuery) speaker(s debate.Session) (agents.ID, error) {
	var known []string
	for _, p := range s.Speakers() {
		if strings.EqualFold(string(p.ID), q.Agent) || strings.EqualFold(p.Name, q.Agent) {
			return p.ID, nil
		}
		known = append(known, string(p.ID))
	}
	return "", Usagef("there is no seat %q in this debate%s", text.Label(q.Agent), text.DidYouMean(q.Agent, known))
}

func (q ReceiptQuery) where() string {
	var parts []string
	switch q.Round {
	case "":
	case verdictRound:
		parts = append(parts, "for the verdict")
	default:
		parts = append(parts, "in round "+q.Round)
	}
	if q.Attempt > 0 {
		parts = append(parts, fmt.Sprintf("as attempt %d", q.Attempt))
	}
	if q.Call > 0 {
		parts = append(parts, fmt.Sprintf("as request %d", q.Call))
	}
	if len(parts) == 0 {
		return ""
	}
	return " " + strings.Join(parts, ", ")
}

// FindReceipt returns the last request of a session that the query selects.
func FindReceipt(ctx context.Context, st *store.Store, id string, q ReceiptQuery) (report.Receipt, error) {
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
