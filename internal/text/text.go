// Package text is the one place that makes foreign text safe to show, folds text for
// comparison, and formats counts, tokens, money and time.
//
// # Safe text
//
// Whatever a model, a tool, a file, a server or a clipboard sends may hold
// terminal commands, characters that move, hide or reorder others, and bytes
// that are no text at all. All of it passes [Sanitize], [Line] or a [Stream] before
// anything else of the program keeps it for the screen.
//
// What comes out is valid UTF-8 in normal form C whose only control character
// is the line feed, and whose width in cells does not depend on the terminal as
// far as a character's properties can tell:
//
//   - CR, CRLF and the Unicode line separators are line feeds, tabs are spaces
//     up to the next of the 4-column stops;
//   - all other controls (C0, DEL, C1) and every escape sequence, in its 7-bit
//     and 8-bit form, are dropped; an unterminated one ends with its line;
//   - bytes that are not UTF-8 are shown as U+FFFD;
//   - characters without a shape of their own are dropped: bidirectional
//     controls, joiners, zero-width spaces, variation selectors, tags, fillers,
//     skin tones; a flag becomes its two letters;
//   - a character carries at most 8 combining marks, and a mark that has no
//     character to stand on stands on a dotted circle.
//
// [SanitizeInput] keeps more of what the user wrote, for agents and not for a screen.
//
// [ReadFile] reads a file of text that the user named, whatever that is.
//
// It imports the standard library, golang.org/x/text and x/ansi, and must not know who
// sent a text, what a figure is about or where either will be shown.
package text
