package openai

// Defaults returns the timeouts and limits of an empty configuration.
func Defaults() (Timeouts, Limits) { return Timeouts{}.orDefault(), Limits{}.orDefault() }
