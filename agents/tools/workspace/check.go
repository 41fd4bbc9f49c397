package workspace

import "context"

// Check reports as an error why the mode of the options does not work here: a folder that
// cannot be read, one that is no git repository, a program that is missing or that the
// system does not let run. The error says what to install or to configure.
func Check(ctx context.Context, o Options) error {
	return o.validate()
}
