package demo

import (
	"encoding/json"
	"fmt"
	"strings"
)

var concernLine = lazyRegexp(`(?m)^[0-9a-f]{12} concern (H\d+), by .*\n(.*)$`)

// scriptedConcerns are the sections of what critics object to, one for each seat in turn.
var scriptedConcerns = [...]string{"concern figure", "concern owner", "concern end"}

// critiques reports whether a seat is asked for concerns about a text.
func (p prompt) critiques() bool { return strings.Contains(p.form, `"concerns":`) }

type scriptedConcern struct {
	Title   string `json:"title"`
	Where   string `json:"where,omitempty"`
	Why     string `json:"why"`
	Settles string `json:"settles"`
}

// concern is what a critic says of the text. Once the author has answered it has none.
func (p prompt) concern() statement {
	s := p.scripted("critic")
	list := []scriptedConcern{}
	if name := scriptedConcerns[max(p.seat-2, 0)%len(scriptedConcerns)]; p.round == 1 {
		list = append(list, scriptedConcern{p.key(name, "title"), p.key(name, "where"), p.key(name, "why"), p.key(name, "settles")})
	}
	raw, _ := json.Marshal(list)
	s.ballot = fmt.Sprintf(`, "concerns": %s`, raw)
	return s
}

type scriptedReply struct {
	Concern string `json:"concern"`
	Does    string `json:"does"`
	Reason  string `json:"reason"`
}

// revised is the text of an author who has read the concerns.
func (p prompt) revised() statement {
	said := p.key("revised", "no fact")
	s := p.scripted("revised")
	for _, f := range p.facts() {
		if f.answered {
			said, s.cites = fill(p.key("revised", "fact"), "id", f.id, "answer", f.answer), f.id
			break
		}
	}
	s.text = fill(s.text, "fact", said, "topic", p.topic)
	list := []scriptedReply{}
	for _, m := range concernLine().FindAllStringSubmatch(p.user, -1) {
		r := scriptedReply{m[1], "accept", key("revised", "accept")}
		if strings.HasPrefix(m[2], p.key("concern end", "title")) {
			r = scriptedReply{m[1], "reject", p.key("revised", "reject")}
		}
		list = append(list, r)
	}
	raw, _ := json.Marshal(list)
	s.ballot = fmt.Sprintf(`, "replies": %s`, raw)
	return s
}
