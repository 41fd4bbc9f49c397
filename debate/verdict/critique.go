package verdict

import (
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// withoutReply returns the concerns of earlier rounds that have no reply, neither before nor in a
// statement of the author.
func withoutReply(s debate.Session, st debate.Statement) []debate.Concern {
	return slices.DeleteFunc(s.Concerns(), func(c debate.Concern) bool {
		replied := slices.ContainsFunc(st.Replies, func(r debate.Reply) bool { return r.Concern == c.ID })
		return c.Does != debate.NotReplied || replied || c.Round == len(s.History)
	})
}

// TextOf returns the newest text of the author of a critique, and whether it came after concerns.
func TextOf(s debate.Session) (x debate.Response, final bool) {
	for _, r := range s.History {
		for _, y := range responsesInPhase(s, r, "") {
			if s.Mode.Critiques() {
				x, final = y, r.Number%2 == 0
			}
		}
	}
	return x, final
}

// critics returns the seats that speak in the last round of a critique that has concerns, and
// which of them gave a list that can be read.
func critics(s debate.Session) (all, readable []agents.ID) {
	for _, r := range s.History {
		if r.Number%2 == 0 {
			continue
		}
		all, readable = nil, nil
		for _, d := range dueTurns(s, r) {
			if s.Mode.AskedField(d.phase) != debate.AsksConcerns {
				continue
			}
			all = append(all, d.seat)
			if x, ok := d.newest(r); ok && x.HasStatement() && x.Statement.Concerns != nil {
				readable = append(readable, d.seat)
			}
		}
	}
	return all, readable
}

// textResult returns whose text a critique came to, and how many critics it was shown to.
func textResult(s debate.Session) debate.PanelResult {
	all, readable := critics(s)
	out := debate.PanelResult{Kind: debate.KindText, Count: len(readable), Of: len(all)}
	if x, final := TextOf(s); x.HasStatement() {
		out.Seat, out.Draft = x.Turn.Agent, !final
	}
	return out
}

// OfWriter returns the verdict of a critique: its author's text, as it stands.
func OfWriter(s debate.Session) debate.Verdict {
	x, _ := TextOf(s)
	if !x.HasStatement() {
		return WithoutReport(s, nil)
	}
	who := s.SpeakerOf(debate.ForMember, x.Turn)
	return debate.Verdict{
		Chair: who.ID, ChairName: who.Name, ChairModel: who.Model, ChairIsMember: true, Round: len(s.History),
		Text: s.RestoreNames(x.Statement.Body),
	}
}

// addCritique adds lists of critics that are missing or cannot be read, concerns without a reply,
// and turns that the author missed.
func (k *cautions) addCritique() {
	var none, unreadable, silent []debate.CautionItem
	all, readable := critics(k.s)
	for _, r := range k.s.History {
		for _, d := range dueTurns(k.s, r) {
			x, began := d.newest(r)
			item := debate.CautionItem{Seat: d.seat}
			switch {
			case r.Number%2 == 0 || !slices.Contains(all, d.seat) || slices.Contains(readable, d.seat):
				continue
			case x.HasStatement() && !slices.Contains(unreadable, item):
				unreadable = append(unreadable, item)
			case (k.hasEnded() || began && x.Finished()) && !x.HasStatement() && !slices.Contains(none, item):
				none = append(none, item)
			}
			k.missed[seatRound{d.seat, r.Number, d.phase}] = true
		}
	}
	if _, final := TextOf(k.s); final {
		for _, c := range withoutReply(k.s, debate.Statement{}) {
			silent = append(silent, debate.CautionItem{ID: c.ID})
		}
	}
	k.add(CautionNoVote, none...)
	k.add(CautionUnreadableVote, unreadable...)
	k.add(CautionNoReply, silent...)
}
