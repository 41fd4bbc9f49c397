package form

// Saved tells the form that the draft of a request is on disk.
func (f *Screen) Saved(request string) {
	f.Receive(message{f.id(), savedDrafts{drafts: []Draft{{Request: request}}}})
}

// Recorded tells the form that a request is stored, as if it had sent it.
func (f *Screen) Recorded(request string) {
	f.Receive(message{f.id(), recorded{requests: []string{request}}})
}
