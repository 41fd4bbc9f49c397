// Package text compares and cuts text.
//
// It imports nothing of the module.
package text
