package openai

// Defaults returns the timeouts and limits of an empty configuration.
func Defaults() (t Timeouts, l Limits) {
	setDefaults(t.all())
	setDefaults(l.all())
	return t, l
}
