package demo

import "strings"

var concernLine = lazyRegexp(`(?m)^[0-9a-f]{12} concern (H\d+), by .*\n(.*)$`)

// scriptedConcerns are the sections of what critics object to, one for each seat in turn.
var scriptedConcerns = [...]string{"concern figure", "concern owner", "concern end"}

// concern is what a critic says of the text. Once the author has answered it has none.
func (p prompt) concern() statement {
	s := p.scripted("critic")
	list := entries{}
	if p.round == 1 {
		name := scriptedConcerns[max(p.seat-2, 0)%len(scriptedConcerns)]
		list = append(list, p.entry(name, "title", "where", "why", "settles"))
	}
	s.ballot = list.member("concerns")
	return s
}

// revised is the text of an author who has read the concerns.
func (p prompt) revised() statement {
	said := p.key("revised", "no fact")
	s := p.scripted("revised")
	if f, ok := p.answeredFact(); ok {
		said, s.cites = fill(p.key("revised", "fact"), "id", f.id, "answer", f.answer), f.id
	}
	s.text = fill(s.text, "fact", said, "topic", p.topic)
	list := entries{}
	for _, m := range concernLine().FindAllStringSubmatch(p.user, -1) {
		does := "accept"
		if strings.HasPrefix(m[2], p.key("concern end", "title")) {
			does = "reject"
		}
		list = append(list, map[string]string{"concern": m[1], "does": does, "reason": p.key("revised", does)})
	}
	s.ballot = list.member("replies")
	return s
}
