package debate

// Limits of a debate, whatever its mode.
const (
	MaxSeats  = 8     // seats of any panel
	MaxRounds = 50    // rounds planned at once
	MaxTopic  = 65536 // characters of a topic
	MaxFocus  = 4000  // characters of a round's focus question
)
