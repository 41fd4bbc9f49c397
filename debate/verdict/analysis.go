package verdict

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// UnreadError says why a text is not an analysis.
type UnreadError struct{ text string }

// Error returns the reason.
func (e *UnreadError) Error() string { return e.text }

func unreadf(format string, args ...any) error { return &UnreadError{fmt.Sprintf(format, args...)} }

// analysis is the answer of a light model. Less important members may have any type.
type analysis struct {
	Level    json.RawMessage `json:"level"`
	Clusters []struct {
		Theme   string            `json:"theme"`
		Seats   []json.RawMessage `json:"seats"`
		Summary string            `json:"summary"`
	} `json:"clusters"`
	CommonGround  phraseList `json:"common_ground"`
	Disagreements phraseList `json:"disagreements"`
	Partial       phraseList `json:"partial_agreements"`
	Conditions    phraseList `json:"conditions"`
	Uncertainties phraseList `json:"uncertainties"`
	Groups        labelLists `json:"groups"`
}

var analysisMembers = []string{
	"level", "clusters", "common_ground", "disagreements", "partial_agreements", "conditions", "uncertainties", "groups",
}

// ReadAnalysis reads the JSON object in a light model's answer, which may be among
// other text. It skips seats without a statement.
func ReadAnalysis(s debate.Session, text string) (debate.Consensus, error) {
	members, ok := statement.LastObject(text, analysisMembers...)
	switch {
	case !ok && strings.Contains(text, "{"):
		return debate.Consensus{}, unreadf("its JSON is broken")
	case !ok:
		return debate.Consensus{}, unreadf("it holds no JSON object")
	}
	raw, err := json.Marshal(members)
	var a analysis
	if err != nil || json.Unmarshal(raw, &a) != nil {
		return debate.Consensus{}, unreadf("its JSON is broken")
	}
	level, err := levelOf(a.Level)
	if err != nil {
		return debate.Consensus{}, err
	}
	c := debate.Consensus{
		Level: &level, CommonGround: a.CommonGround, Disagreements: a.Disagreements, Partial: a.Partial,
		Conditions: a.Conditions, Uncertainties: a.Uncertainties,
	}
	for _, list := range [][]string{c.CommonGround, c.Disagreements, c.Partial, c.Conditions, c.Uncertainties} {
		for i := range list {
			list[i] = s.RestoreNames(list[i])
		}
	}
	if s.Light != nil {
		if c.Labels, err = readLabels(s, a.Groups, s.Light.Name); err != nil {
			c.Cause = "its grouping of the labels was ignored: " + err.Error()
		}
	}
	placed := map[agents.ID]bool{}
	said := s.History[len(s.History)-1].Statements()
	for _, group := range a.Clusters {
		var who []agents.ID
		for _, raw := range group.Seats {
			id, ok := clusterSeat(s, raw)
			spoke := slices.ContainsFunc(said, func(x debate.Response) bool { return x.Turn.Agent == id })
			if ok && spoke && !placed[id] {
				placed[id] = true
				who = append(who, id)
			}
		}
		if len(who) > 0 {
			c.Clusters = append(c.Clusters, debate.Cluster{
				Theme: s.RestoreNames(clip(group.Theme)), Agents: who,
				Summary: s.RestoreNames(clip(group.Summary)),
			})
		}
	}
	return c, nil
}

// readLabels returns the grouping of the labels that an agent wrote, nil if there is none.
// The error says why it cannot be used: then the labels stay apart.
func readLabels(s debate.Session, groups labelLists, by string) (*debate.Grouping, error) {
	if s.Question != debate.QuestionOpen || len(groups) == 0 {
		return nil, nil
	}
	for _, group := range groups {
		for i := range group {
			group[i] = s.RestoreNames(group[i])
		}
	}
	return ReadGroups(s, groups, by)
}

// levelOf reads a level of 0 to 1, also as a string or in percent. It rejects values out
// of range: 85 may mean anything.
func levelOf(raw json.RawMessage) (float64, error) {
	word := strings.TrimSpace(strings.Trim(string(raw), `"`))
	if word == "" || word == "null" {
		return 0, unreadf("it states no level")
	}
	percent := strings.HasSuffix(word, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(word, "%")), 64)
	if err != nil || math.IsNaN(v) {
		return 0, unreadf("its level is not a number")
	}
	if percent {
		v /= 100
	}
	if v < 0 || v > 1 {
		return 0, unreadf("its level is not within 0 and 1")
	}
	return v, nil
}

// clusterSeat returns the member with a number, also as in "seat 2", or a name.
func clusterSeat(s debate.Session, raw json.RawMessage) (agents.ID, bool) {
	word := strings.TrimSpace(strings.Trim(string(raw), `"`))
	for _, p := range s.Seats {
		if strings.EqualFold(word, p.Name) || strings.EqualFold(word, string(p.ID)) {
			return p.ID, true
		}
	}
	n, err := strconv.Atoi(word[strings.LastIndexByte(word, ' ')+1:])
	if err != nil || n < 1 || n > len(s.Seats) {
		return "", false
	}
	return s.Seats[n-1].ID, true
}

const (
	maxItems      = 8
	maxItemLength = 400 // of one item
)

type phraseList []string

// UnmarshalJSON reads a list or a single phrase, up to maxItems.
func (l *phraseList) UnmarshalJSON(raw []byte) error {
	var list []phrase
	if json.Unmarshal(raw, &list) != nil {
		list = make([]phrase, 1)
		if err := json.Unmarshal(raw, &list[0]); err != nil {
			return err
		}
	}
	for _, text := range list {
		if text != "" && len(*l) < maxItems {
			*l = append(*l, string(text))
		}
	}
	return nil
}

type labelLists [][]string

// UnmarshalJSON reads the lists of labels. A label by itself is a list of one.
func (l *labelLists) UnmarshalJSON(raw []byte) error {
	var lists []json.RawMessage
	if json.Unmarshal(raw, &lists) != nil {
		return nil
	}
	for _, one := range lists {
		var labels []string
		if json.Unmarshal(one, &labels) != nil {
			labels = make([]string, 1)
			if json.Unmarshal(one, &labels[0]) != nil {
				continue
			}
		}
		*l = append(*l, labels)
	}
	return nil
}

type phrase string

// UnmarshalJSON reads a text and shortens it.
func (p *phrase) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*p = phrase(clip(s))
	}
	return nil
}

func clip(text string) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > maxItemLength {
		return string(r[:maxItemLength-1]) + "…"
	}
	return string(r)
}

// Agreement measures the agreement after the last round without a model: the share of
// voters on a side that nobody opposes.
func Agreement(s debate.Session) debate.Consensus {
	r := s.History[len(s.History)-1]
	c := debate.Consensus{Method: debate.ConsensusComputed, Answered: len(r.Statements()), Seats: len(s.Seats)}
	if c.Answered == 0 {
		c.Method, c.Cause = debate.ConsensusUnavailable, "nothing to analyse"
		return c
	}
	q := SidesOf(s)
	c.Labels = q.Grouping()
	switch {
	case !CountsSides(s):
		c.Cause = "this mode counts no sides"
		return c
	case s.Question == debate.QuestionEstimate:
		c.Cause = "estimates are compared by their median"
		return c
	case !votesHeld(s, r):
		c.Cause = "no vote was held in this round"
		return c
	}
	box := votesIn(s, q, r, s.Mode.Votes)
	votes, t := box.votes, box.count(s, q)
	for _, side := range t.Sides {
		var who []agents.ID
		for _, v := range votes {
			if v.side == side {
				who = append(who, v.Turn.Agent)
			}
		}
		c.Clusters = append(c.Clusters, debate.Cluster{Theme: string(side), Agents: who})
	}
	c.Opposed = len(t.Sides) > 1
	switch {
	case t.Voters == 0:
		c.Cause = "the roles prescribe every side"
	case t.None:
		c.Cause = "nobody takes a side"
	case c.Opposed:
		c.Cause = VoteCounts(t)
	case Stated(t) < 2:
		c.Cause = "only one seat takes a side"
	default:
		level := float64(leading(t)) / float64(t.Voters)
		c.Level, c.Side = &level, t.Sides[0]
		if !c.AllAnswered() {
			c.Cause = fmt.Sprintf("only %d of %s answered", c.Answered, text.Count(c.Seats, "seat"))
		}
	}
	return c
}

// CheckLevel compares a model's level of agreement after the last round with the count
// and notes what it contradicts.
func CheckLevel(s debate.Session, c *debate.Consensus) {
	r := s.History[len(s.History)-1]
	if c.Level == nil || !CountsSides(s) || s.Question == debate.QuestionEstimate || !votesHeld(s, r) || len(voters(s)) == 0 {
		return
	}
	q := sidesWith(s, cmp.Or(c.Labels, groupingOf(s)))
	t := votesIn(s, q, r, s.Mode.Votes).count(s, q)
	c.Opposed = len(t.Sides) > 1
	if len(t.Sides) == 1 && Stated(t) > 1 {
		c.Side = t.Sides[0]
	}
	tooHigh := *c.Level > float64(leading(t))/float64(max(t.Voters, 1))+1e-9
	if tooHigh || c.Opposed && *c.Level > 0.5 {
		c.Contradicts = VoteCounts(t)
		if t.None {
			c.Contradicts = "nobody takes a side"
		}
	}
}

const maxQuotedLength = 40

// CheckStatement validates a statement against its role and the field it was asked for.
// It only adds notes and never changes what was said.
func CheckStatement(s debate.Session, x *debate.Response) {
	st := &x.Statement
	x.Side = SidesOf(s).Of(*st)
	st.AskedField = s.Mode.AskedField(x.Phase)
	if IsVote(s, *x) && x.Side == debate.Undecided {
		noteUncountedChoice(s, st)
	}
	noteAccount(s, x)
	_, seat := s.Seat(x.Turn.Agent)
	role, _ := s.Mode.RoleOf(seat, len(s.Seats))
	st.RoleBreach = roleBreach(role, st.Stance)
	switch st.AskedField {
	case debate.AsksRanking:
		var answers []agents.ID
		if r := s.Current(); r != nil {
			for _, y := range responsesInPhase(s, *r, "") {
				answers = append(answers, y.Turn.Agent)
			}
		}
		_, notes := ReadBallot(s, *x, answers)
		st.Notes = append(st.Notes, notes...)
	case debate.AsksFindings:
		noteUnknownFindings(s, x)
	case debate.AsksVote, debate.AsksStance:
	}
}

// noteUnknownFindings notes judgements of what is no finding of another seat.
func noteUnknownFindings(s debate.Session, x *debate.Response) {
	found := FirstFindings(s)
	for _, j := range x.Statement.Judgements {
		if !slices.ContainsFunc(found, func(f debate.ReviewFinding) bool {
			return f.ID == j.Finding && !slices.Contains(f.FoundBy, x.Turn.Agent)
		}) {
			x.Statement.AddNote("the judgement of %s is of no finding of another seat", j.Finding)
		}
	}
}

func noteUncountedChoice(s debate.Session, st *debate.Statement) {
	choice := text.Head(st.Choice, maxQuotedLength)
	switch {
	case choice == "" || statement.IsNeutral(choice):
	case s.Question == debate.QuestionYesNo && statement.IsNeutralAnswer(choice):
	case s.Question == debate.QuestionChoice:
		st.AddNote("choice %q is none of the options", choice)
	case s.Question == debate.QuestionYesNo && st.Stance == "":
		st.AddNote("choice %q is not yes or no", choice)
	}
}

// roleBreach says how a stance breaks the role, "" if it does not. A stance that is not
// stated breaks nothing.
func roleBreach(r debate.Role, stated debate.Stance) string {
	switch {
	case stated == "":
		return ""
	case r.Stance == debate.NoStance:
		return fmt.Sprintf("as %s it takes no side, and states %s", r.Name, stated)
	case r.Fixed && stated != r.Stance:
		return fmt.Sprintf("as %s it argues %s, and states %s", r.Name, r.Stance, stated)
	default:
		return ""
	}
}
