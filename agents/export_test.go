package agents

// LookedAt returns how many bytes the separation of reasoning looks at in a text that comes
// in pieces of a length.
func LookedAt(text string, piece int) int {
	var s reasoningSplitter
	for i := 0; i < len(text); i += piece {
		s.write(text[i:min(len(text), i+piece)])
	}
	s.end()
	return s.looked
}

// LookedAtForCalls returns how many bytes the search for written calls looks at.
func LookedAtForCalls(text string, offered []ToolSpec) int {
	work := writtenWork*len(text) + minWrittenWork
	r := &callReader{text: text, offered: offered, work: work}
	r.read()
	return work - r.work
}

// WrittenWork is how many bytes that search looks at beyond those that a text pays for.
const WrittenWork = minWrittenWork
