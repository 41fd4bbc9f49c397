package theme

// Symbols are the signs of the interface, one cell each in either set, so that a
// layout does not depend on which of them is used.
type Symbols struct {
	Busy        [4]string // the frames of the one spinner
	Done        string    // done, answered
	Failed      string    // failed, refused
	Waits       string    // the debate waits for the user
	Retry       string
	Paused      string
	Interrupted string
	Queued      string
	Warning     string
	Required    string
	Optional    string
	Unavailable string
	Missing     string // not there
	Blocked     string // blocked, stopped by the budget
	Ready       string
	Focus       string // the focus, or an owner before what is theirs
	Changed     string
	Bullet      string
	Cut         string // something is left out here
	BarFull     string
	BarEmpty    string
	BarMark     string
	MatchOpen   string
	MatchClose  string

	Sep                   string // between the items of a list in one line
	Left, Right, Up, Down string // arrows
}

// Border is the set of characters that frames and rules are drawn with.
type Border struct {
	TopLeft, TopRight, BottomLeft, BottomRight, Horizontal, Vertical string
}

var unicodeSymbols = Symbols{
	Busy: [4]string{"▖", "▘", "▝", "▗"},
	Done: "✓", Failed: "✗", Waits: "◷", Retry: "↻", Paused: "‖", Interrupted: "~", Queued: "·", Warning: "!",
	Required: "●", Optional: "○", Unavailable: "∅", Missing: "–", Blocked: "■", Ready: "◆",
	Focus: "▸", Changed: "Δ", Bullet: "•", Cut: "…",
	BarFull: "█", BarEmpty: "░", BarMark: "┊", MatchOpen: "«", MatchClose: "»",
	Sep: "·", Left: "←", Right: "→", Up: "↑", Down: "↓",
}

var asciiSymbols = Symbols{
	Busy: [4]string{"|", "/", "-", `\`},
	Done: "+", Failed: "x", Waits: "?", Retry: "r", Paused: "=", Interrupted: "%", Queued: ".", Warning: "!",
	Required: "*", Optional: "o", Unavailable: "0", Missing: "-", Blocked: "#", Ready: "@",
	Focus: ">", Changed: "^", Bullet: "-", Cut: "~",
	BarFull: "#", BarEmpty: ".", BarMark: ":", MatchOpen: "<", MatchClose: ">",
	Sep: "-", Left: "<", Right: ">", Up: "^", Down: "v",
}

var (
	roundedBorder = Border{TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯", Horizontal: "─", Vertical: "│"}
	asciiBorder   = Border{TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+", Horizontal: "-", Vertical: "|"}
)
