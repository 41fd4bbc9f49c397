package verdict

import (
	"cmp"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

func cautionsOf(p poll, c debate.Counted) []debate.Caution {
	k := cautions{poll: p, counted: c, missed: map[seatRound]bool{}}
	k.addQuestions()
	k.addEnding()
	if p.s.Mode.Critiques() {
		k.addCritique()
	} else {
		k.addVotes()
	}
	k.addPrompts()
	k.add(CautionMissedTurn, k.missedTurns()...)
	k.addModels()
	k.addNarrow()
	k.addPanel()
	return k.all
}

type cautions struct {
	poll
	counted debate.Counted
	all     []debate.Caution
	missed  map[seatRound]bool // turns without a statement that another caution names
}

type seatRound struct {
	seat  agents.ID
	round int
	phase string
}

func (k *cautions) add(id debate.CautionID, items ...debate.CautionItem) {
	if len(items) == 0 {
		return
	}
	missing := cautionForms[id].missing
	c := debate.Caution{ID: id, Missing: missing, Items: items}
	for i := range c.Items {
		c.Items[i].Counted = c.Items[i].Counted || missing
		c.Missing = c.Missing || c.Items[i].Counted
	}
	k.all = append(k.all, c)
}

func (k *cautions) addQuestions() {
	var unanswered, open, unread, others []debate.CautionItem
	for _, q := range k.s.Requests {
		if q.State == ledger.Withdrawn || q.JoinedTo != "" {
			continue
		}
		a, released := answerOf(q)
		switch {
		case q.Open() && k.hasEnded():
			open = append(open, debate.CautionItem{ID: q.ID})
		case q.Priority != ledger.Required:
		case q.State == ledger.Unanswered:
			unanswered = append(unanswered, debate.CautionItem{ID: q.ID})
		case a.Outcome == ledger.Unavailable:
			unanswered = append(unanswered, debate.CautionItem{ID: q.ID, Word: a.Content})
		}
		if late, waits := q.Undelivered(); waits && k.hasEnded() && late.Outcome == ledger.Answered {
			unread = append(unread, debate.CautionItem{ID: q.ID})
		}
		if name := AuthorName(a.Author); released && a.Outcome == ledger.Answered && name != "" {
			others = append(others, debate.CautionItem{ID: q.ID, Word: name})
		}
	}
	if AuthorName(k.s.Author) != "" {
		others = append(others, debate.CautionItem{Word: AuthorName(k.s.Author)})
	}
	requiredFirst := func(a, b debate.CautionItem) int {
		p, _ := k.s.Request(a.ID)
		q, _ := k.s.Request(b.ID)
		return cmp.Compare(q.Priority, p.Priority)
	}
	slices.SortStableFunc(open, requiredFirst)
	slices.SortStableFunc(unread, requiredFirst)
	k.add(CautionUnanswered, unanswered...)
	k.add(CautionOpenQuestion, open...)
	k.add(CautionUnreadAnswer, unread...)
	k.add(CautionOtherAuthor, others...)
}

// answerOf returns the answer that counts: the newest that was released, or else the newest.
func answerOf(q ledger.Request) (a ledger.Answer, released bool) {
	if a, released = q.Sent(); !released {
		a, _ = q.Answer()
	}
	return a, released
}

// AuthorName names who wrote a text in the user's place; "" for the user, a trusted assistant and an unknown author.
func AuthorName(a ledger.Author) string {
	switch {
	case a.Counts:
		return ""
	case a.Kind == ledger.Evaluation:
		return "the data set"
	case a.Kind == ledger.Command && a.Client == "":
		return "a command"
	}
	return a.Assistant()
}

// hasEnded reports whether no round is left to play, or the debate was ended.
func (p poll) hasEnded() bool {
	n := p.s.Ended()
	return p.s.Verdict != nil || p.s.Stopped.Forced() || n > 0 && n == len(p.s.History) && p.s.LacksRound()
}

func (k *cautions) addEnding() {
	n := len(k.s.History)
	if !k.hasEnded() {
		k.add(CautionNotEnded, debate.CautionItem{Round: k.s.Ended(), Of: k.s.Rounds})
		return
	}
	if !k.s.Stopped.Forced() {
		return
	}
	item := debate.CautionItem{Round: n, Of: max(k.s.Rounds, n), Word: string(k.s.Stopped)}
	whole := n > 0 && k.allEnded(k.s.History[n-1])
	if whole && n >= k.s.Rounds {
		return
	}
	item.Within = n > 0 && !whole
	k.add(CautionStopped, item)
}

func (p poll) allEnded(r debate.Round) bool {
	for _, step := range p.s.StepsOf(r) {
		for _, id := range step.Seats {
			x, _ := r.Newest(step.Index, id)
			if f := x.Failure; !x.Finished() || f != nil && (f.Kind == agents.KindBudget || f.Cause == debate.CauseCutOff) {
				return false // the budget or the end of the debate cut it off
			}
		}
	}
	return true
}

func (k *cautions) addVotes() {
	var none, unreadable, stale []debate.CautionItem
	if k.s.Mode.Reviews() {
		all := defectsOf(k.s)
		unreadable = ofSeats(seatsWhere(k.s, func(id agents.ID) bool { return k.listUnread(id, all) }))
	}
	for _, v := range k.voters {
		item := debate.CautionItem{Seat: v.id}
		old := v.at >= 0 && v.at < len(k.rounds)-1
		unread := v.now.state == debate.VoteUnreadable
		if k.ranks {
			unread = v.at >= 0 && !old && len(k.ballotOf(v.now.response)) == 0
		}
		switch {
		case v.at < 0 || old && k.ranks:
			none = append(none, item)
		case unread:
			unreadable = append(unreadable, item)
		case old:
			item.Round = k.rounds[v.at]
			stale = append(stale, item)
		default:
			continue
		}
		for _, r := range k.s.History {
			if (v.at < 0 || r.Number > k.rounds[v.at]) && (!k.ranks || r.Number == k.newest()) {
				k.missed[seatRound{v.id, r.Number, k.phase}] = true
			}
		}
	}
	k.add(CautionNoVote, none...)
	k.add(CautionUnreadableVote, unreadable...)
	k.add(CautionStaleVote, stale...)
}

func ofSeats(ids []agents.ID) []debate.CautionItem {
	return text.Each(ids, func(id agents.ID) debate.CautionItem { return debate.CautionItem{Seat: id} })
}

// listUnread reports whether a list of findings or judgements of a seat could not be read whole.
func (k *cautions) listUnread(id agents.ID, all []*defect) bool {
	others := slices.ContainsFunc(all, func(d *defect) bool { return !slices.Contains(d.findersOf(), id) })
	for _, r := range k.s.History {
		x, ok := saidIn(r, id, "")
		list := x.Statement.Findings != nil
		if r.Number > 1 {
			list = x.Statement.Judgements != nil || !others
		}
		if ok && (!list || x.Statement.ListCut) {
			return true
		}
	}
	return false
}

func (k *cautions) addPrompts() {
	var cut []debate.CautionItem
	suspected := suspectedPrompts(k.s)
	for _, id := range k.s.SeatIDs() {
		for _, r := range k.s.History {
			item := debate.CautionItem{Round: r.Number, Word: Perhaps}
			for _, x := range r.Said() {
				if x.Turn.Agent != id || x.Statement.Cut == nil && !suspected[x.ID()] {
					continue
				}
				if x.Statement.Cut != nil {
					item.Word = ""
				}
				item.Seat, item.Counted = id, item.Counted || k.counts(x)
			}
			if item.Seat != "" {
				cut = append(cut, item)
			}
		}
	}
	k.add(CautionCutPrompts, cut...)
	if v := k.s.Report(); v != nil && v.Cut != nil {
		k.add(CautionReportCut, debate.CautionItem{})
	}
	lines := 0
	for _, c := range coverage(k.s) {
		if c.Blocks() {
			lines += c.Count
		}
	}
	if lines > 0 {
		k.add(CautionUnreadEvidence, debate.CautionItem{Lines: lines})
	}
}

// counts reports whether a seat votes, ranks, finds or judges by a statement, as its newest.
func (k *cautions) counts(x debate.Response) bool {
	votes := IsVote(k.s, x) && (!k.ranks || x.Turn.Round == k.newest())
	if !votes && !k.s.Mode.Reviews() && !k.s.Mode.Critiques() {
		return false
	}
	return !slices.ContainsFunc(k.s.History[x.Turn.Round:], func(r debate.Round) bool {
		_, later := saidIn(r, x.Turn.Agent, x.Phase)
		return later
	})
}

// missedTurns returns the turns without a statement that no other caution names.
func (k *cautions) missedTurns() (out []debate.CautionItem) {
	for _, id := range k.s.SeatIDs() {
		for _, r := range k.s.History {
			item := debate.CautionItem{Seat: id, Round: r.Number, Counted: r.Number == len(k.s.History)}
			if slices.ContainsFunc(k.s.StepsOf(r), func(step debate.Step) bool {
				x, began := r.Newest(step.Index, id)
				running := (!began || !x.Finished()) && !k.hasEnded()
				return slices.Contains(step.Seats, id) && !running && !x.HasStatement() && !k.missed[seatRound{id, r.Number, step.Phase}]
			}) {
				out = append(out, item)
			}
		}
	}
	return out
}

// Perhaps is the word of a prompt that is only suspected to have been cut.
const Perhaps = "perhaps"

func (k *cautions) addModels() {
	var shared []debate.CautionItem
	for _, n := range k.s.Notices {
		if n.Code == "shared_tool" {
			shared = append(shared, debate.CautionItem{Round: n.Round})
		}
	}
	changed := func(id agents.ID) bool {
		return slices.ContainsFunc(k.s.ModelChanges(), func(c debate.SeatChange) bool {
			return c.Agent == id && c.Round <= len(k.s.History)
		})
	}
	k.add(CautionSharedTool, shared...)
	k.add(CautionChangedModel, ofSeats(seatsWhere(k.s, changed))...)
	k.add(CautionOneModel, ofSeats(k.repeats())...)
}

// modelKey is the maker's name of a seat's model. An agent whose model is not known is one of its own.
func modelKey(p agents.Profile) string {
	if p.Loop && (p.Model == "" || p.Model == "default") {
		return string(p.ID)
	}
	return debate.ModelIdentity(p.Model)
}

// repeats returns counting seats of one model: all of them, or such that a majority needs their repeats.
func (k *cautions) repeats() []agents.ID {
	counting := voters(k.s)
	if k.s.Mode.Reviews() || k.s.Mode.Critiques() {
		counting = k.s.SeatIDs()
	}
	groups := map[string][]agents.ID{}
	for _, id := range counting {
		key := modelOf(k.s, id)
		groups[key] = append(groups[key], id)
	}
	var out []agents.ID
	for _, id := range counting {
		if same := groups[modelOf(k.s, id)]; len(same) > 1 && (len(same) == len(counting) || k.needs(same[1:])) {
			out = append(out, id)
		}
	}
	return out
}

func modelOf(s debate.Session, id agents.ID) string {
	p, _ := s.AsOf(1).Seat(id)
	for x := range s.Said() {
		if x.Turn.Agent == id {
			p = s.SpeakerOf(debate.ForMember, x.Turn)
		}
	}
	return modelKey(p)
}

func areOneModel(s debate.Session, seats []agents.ID) bool {
	return len(seats) > 1 && !slices.ContainsFunc(seats, func(id agents.ID) bool { return modelOf(s, id) != modelOf(s, seats[0]) })
}

func (k *cautions) needs(repeats []agents.ID) bool {
	decides := func(r debate.PanelResult) bool {
		return r.Kind == debate.KindSide || r.Kind == debate.KindUndecided || r.Kind == debate.KindEstimate
	}
	return decides(k.counted.Result) && !decides(k.resultOf(k.current(repeats)))
}

func (k *cautions) addNarrow() {
	if len(k.voters) == 1 {
		k.add(CautionOneVoter, debate.CautionItem{Seat: k.voters[0].id})
	}
	r := k.counted.Result
	if r.Kind == debate.KindSide && len(r.Sides)+r.Undecided > 1 && !isMajority(r.Count-1, r.Of) {
		k.add(CautionNarrow, debate.CautionItem{})
	}
}

func (k *cautions) addPanel() {
	var mute []debate.CautionItem
	if k.s.Caps.None {
		mute = append(mute, debate.CautionItem{})
	}
	for _, n := range k.s.Notices {
		item := debate.CautionItem{Seat: n.Agent}
		if n.Code == debate.NoticeToolsUnread && !k.s.Caps.None && !slices.Contains(mute, item) {
			mute = append(mute, item)
		}
	}
	k.add(CautionNoQuestions, mute...)
	unknown := text.Each(unknownCitations(k.s), func(id string) debate.CautionItem { return debate.CautionItem{ID: id} })
	k.add(CautionUnknownCitation, unknown...)
	if k.s.Stopped == debate.EndedByConsensus && len(k.s.History) == 1 {
		k.add(CautionBlind, debate.CautionItem{Round: 1, Of: k.s.Rounds})
	}
}

// unknownCitations returns what is cited and does not exist, or had not been released to that round.
func unknownCitations(s debate.Session) []string {
	var out []string
	look := func(st debate.Statement, round int) {
		requests, _ := cite.Sources(st)
		for _, id := range requests {
			q, _ := s.Request(id)
			if first := q.FirstDelivery(); (first == 0 || first > round) && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	for x := range s.Said() {
		look(x.Statement, x.Turn.Round)
	}
	if v := s.Report(); v != nil {
		look(debate.Statement{Body: v.Text}, cmp.Or(v.Round, len(s.History)))
	}
	for _, c := range cite.All(s) {
		if id := c.Citation.String(); c.Problem != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
