package debate

// What a debate can be given at most, wherever it is asked for.
const (
	MaxSeats  = 8     // seats of any panel
	MaxRounds = 50    // at once
	MaxTopic  = 65536 // characters of a question
	MaxFocus  = 4000  // characters of what a round is to look at
)
