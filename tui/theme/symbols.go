package theme

// Symbols are the symbols of the interface. Each takes one cell in either set, so
// layouts do not depend on the set.
type Symbols struct {
	Busy        [4]string // the frames of the spinner
	Done        string    // done, answered
	Failed      string    // failed, refused
	Waits       string    // waiting for the user
	Retry       string
	Paused      string
	Interrupted string
	Queued      string
	Warning     string
	Required    string
	Optional    string
	Unavailable string
	Missing     string // absent
	Blocked     string // blocked, or stopped by the budget
	Ready       string
	Focus       string // the focus, or between an owner and what it owns
	Changed     string
	Bullet      string
	Cut         string // marks omitted text
	Quote       string // stands before the lines of a quote
	BarFull     string
	BarEmpty    string
	BarMark     string
	MatchOpen   string
	MatchClose  string

	Sep                   string // separates items in a line
	Left, Right, Up, Down string // arrows
}

// Border is the set of characters that boxes and lines are drawn with.
type Border struct {
	TopLeft, TopRight, BottomLeft, BottomRight, Horizontal, Vertical string
}

var unicodeSymbols = Symbols{
	Busy: [4]string{"▖", "▘", "▝", "▗"},
	Done: "✓", Failed: "✗", Waits: "◷", Retry: "↻", Paused: "‖", Interrupted: "~", Queued: "·", Warning: "!",
	Required: "●", Optional: "○", Unavailable: "∅", Missing: "–", Blocked: "■", Ready: "◆",
	Focus: "▸", Changed: "Δ", Bullet: "•", Cut: "…",
	Quote: "▎", BarFull: "█", BarEmpty: "░", BarMark: "┊", MatchOpen: "«", MatchClose: "»",
	Sep: "·", Left: "←", Right: "→", Up: "↑", Down: "↓",
}

var asciiSymbols = Symbols{
	Busy: [4]string{"|", "/", "-", `\`},
	Done: "+", Failed: "x", Waits: "?", Retry: "r", Paused: "=", Interrupted: "%", Queued: ".", Warning: "!",
	Required: "*", Optional: "o", Unavailable: "0", Missing: "-", Blocked: "#", Ready: "@",
	Focus: ">", Changed: "^", Bullet: "-", Cut: "~",
	Quote: ">", BarFull: "#", BarEmpty: ".", BarMark: ":", MatchOpen: "<", MatchClose: ">",
	Sep: "-", Left: "<", Right: ">", Up: "^", Down: "v",
}

var (
	roundedBorder = Border{TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯", Horizontal: "─", Vertical: "│"}
	asciiBorder   = Border{TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+", Horizontal: "-", Vertical: "|"}
)
