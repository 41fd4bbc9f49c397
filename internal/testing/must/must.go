// Package must ends a test at an error of a step that the test is not about. Only tests import it.
package must

type test interface {
	Helper()
	Fatal(args ...any)
}

// Do ends the test if a step has failed.
func Do(t test, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns the result of a step, as in must.Get(os.ReadFile(path))(t), or ends the test if it has failed.
func Get[T any](result T, err error) func(t test) T {
	return func(t test) T {
		t.Helper()
		Do(t, err)
		return result
	}
}
