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
