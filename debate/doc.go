// Package debate holds the values and rules of a debate: sessions, rounds and
// responses, modes, the gate that blocks a round, how a debate ends, budgets, and
// the events that announce what happens.
//
// It imports agents, debate/ledger and internal/text. It knows no prompt, no SQL
// and no screen, and starts no goroutine: debate/engine runs debates.
package debate
