package mcpserver

import (
	"fmt"
	"slices"
	"time"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

type update struct {
	at     time.Time
	text   string
	begins bool // a round
}

// updatesOf lists what has happened, oldest first. It only grows: its length is a cursor.
func updatesOf(s debate.Session) []update {
	var all []update
	add := func(at time.Time, format string, args ...any) {
		if !at.IsZero() {
			all = append(all, update{at: at, text: fmt.Sprintf(format, args...)})
		}
	}
	for _, r := range s.History {
		all = append(all, update{r.Began, fmt.Sprintf("Round %d began", r.Number), true})
		for _, x := range r.Responses {
			add(x.Ended, "%s", turnText(s, x))
		}
		add(r.Ended, "Round %d ended", r.Number)
	}
	for _, q := range s.Requests {
		for _, ask := range q.Asks {
			add(ask.At, "%s asked %s: %s", s.NameOf(ask.Turn.Agent), q.ID, text.Label(ask.Query))
		}
		for _, a := range q.Answers {
			add(a.At, "%s %s", q.ID, answeredText(a))
		}
	}
	for _, f := range s.FollowUps {
		add(f.Response.Ended, "%s answered a follow-up question", s.NameOf(f.Response.Turn.Agent))
	}
	slices.SortStableFunc(all, func(a, b update) int { return a.at.Compare(b.at) })
	if s.Verdict != nil {
		all = append(all, update{text: "The verdict is written"})
	}
	return all
}

func answeredText(a ledger.Answer) string {
	words := "has an answer"
	if a.Outcome == ledger.Unavailable {
		words = "is unavailable"
	}
	if from := a.From(); from != "" {
		words += " (" + text.Line(from) + ")"
	}
	return words
}

// since returns what is new after a cursor; one that is too large has nothing new.
func since(all []update, cursor int) []string {
	out := []string{}
	for _, u := range all[min(cursor, len(all)):] {
		out = append(out, u.text)
	}
	return out
}
