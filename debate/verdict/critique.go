package verdict

import (
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// withoutReply returns the concerns of earlier rounds without a reply, also in a statement of the author.
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

func critics(s debate.Session) (all, silent []agents.ID) {
	writer, _ := s.Writer()
	all = seatsWhere(s, func(id agents.ID) bool { return id != writer.ID })
	return all, slices.DeleteFunc(slices.Clone(all), func(id agents.ID) bool {
		return slices.ContainsFunc(s.History, func(r debate.Round) bool {
			return slices.ContainsFunc(r.Said(), func(x debate.Response) bool {
				return x.Turn.Agent == id && x.Statement.Concerns != nil
			})
		})
	})
}

func textResult(s debate.Session) debate.PanelResult {
	all, silent := critics(s)
	out := debate.PanelResult{Kind: debate.KindText, Count: len(all) - len(silent), Of: len(all)}
	if x, final := TextOf(s); x.HasStatement() {
		out.Seat, out.Draft = x.Turn.Agent, !final
	}
	return out
}

// OfWriter returns the verdict of a critique: its author's newest text, word for word.
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

func (k *cautions) addCritique() {
	var open []debate.CautionItem
	_, silent := critics(k.s)
	for _, id := range silent {
		for _, r := range k.s.History {
			for _, p := range k.s.Mode.Phases {
				k.missed[seatRound{id, r.Number, p.Name}] = true
			}
		}
	}
	for _, c := range k.s.Concerns() {
		if c.Does == debate.NotReplied {
			open = append(open, debate.CautionItem{ID: c.ID})
		}
	}
	k.add(CautionNoConcerns, ofSeats(silent)...)
	k.add(CautionNoReply, open...)
}
