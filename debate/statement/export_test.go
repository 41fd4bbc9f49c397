package statement

// LookedAt returns how many bytes were looked at to read a text, and for the text in
// pieces of a length.
func LookedAt(text string, piece int) (parsed, streamed int) {
	f := findBlocks(text, statementMembers)
	var p ProseStream
	for i := 0; i < len(text); i += piece {
		p.Write(text[i:min(len(text), i+piece)])
	}
	return workFor(text) - f.work, workFor(text) - p.finder.work
}

// ParseWork is how many bytes reading an answer looks at beyond those that its length pays
// for.
const ParseWork = minWork

// FirstProse returns the prose around the blocks of a text, and whether no object is open
// at its end.
func FirstProse(text string) (prose string, all bool) {
	f := findBlocks(text, statementMembers)
	return string(f.prose), f.open == len(text)
}
