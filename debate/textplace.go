package debate

// TextPlace is the kind of text in which a search over all debates found words.
type TextPlace string

const (
	InTitle     TextPlace = "title"
	InTopic     TextPlace = "topic"
	InStatement TextPlace = "statement"
	InAnswer    TextPlace = "answer"
	InVerdict   TextPlace = "verdict"
	InEvidence  TextPlace = "evidence"
	InFollowUp  TextPlace = "follow-up" // a question after the verdict, or its answer
)
