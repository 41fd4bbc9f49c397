package engine

import "errors"

// joinErrors joins errors like errors.Join, without those whose cause another has: a
// store that fails says the same of everything that was to be saved.
func joinErrors(errs ...error) error {
	var kept []error
	known := map[string]bool{}
	for _, err := range errs {
		added := false
		for _, cause := range causesOf(err) {
			added = added || !known[cause]
			known[cause] = true
		}
		if added {
			kept = append(kept, err)
		}
	}
	if len(kept) == 1 {
		return kept[0]
	}
	return errors.Join(kept...)
}

// causesOf returns the messages of the errors that wrap no other.
func causesOf(err error) []string {
	switch wrapper := err.(type) { //nolint:errorlint // every level is looked at
	case nil:
		return nil
	case interface{ Unwrap() error }:
		if inner := wrapper.Unwrap(); inner != nil {
			return causesOf(inner)
		}
	case interface{ Unwrap() []error }:
		var all []string
		for _, inner := range wrapper.Unwrap() {
			all = append(all, causesOf(inner)...)
		}
		return all
	}
	return []string{err.Error()}
}
