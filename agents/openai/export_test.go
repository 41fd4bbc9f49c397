package openai

// Defaults returns what counts where a configuration says nothing.
func Defaults() (Timeouts, Limits) { return defaultTimeouts(), defaultLimits() }
