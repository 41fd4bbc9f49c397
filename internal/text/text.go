// Package text compares, shortens and formats text: folding for comparison, suggestions
// for misspelt words, and the one set of formatters for counts, tokens, money and time.
//
// It must not know what the text or the figures are about.
package text
