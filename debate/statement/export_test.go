package statement

// LookedAt returns how many bytes were looked at to read a text, and for the text in
// pieces of a length.
func LookedAt(text string, piece int) (parsed, streamed int) {
	_, prose := splitBlocks(text)
	var p ProseStream
	for i := 0; i < len(text); i += piece {
		p.Write(text[i:min(len(text), i+piece)])
	}
	return workFor(text) - prose.work, p.work + workFactor*len(text)
}

// StreamWork is how many bytes a stream looks at beyond those that its text pays for.
const StreamWork = streamWork

// ParseWork is how many bytes reading an answer looks at beyond those that its length pays
// for.
const ParseWork = minWork
