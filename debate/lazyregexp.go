package debate

import (
	"regexp"
	"sync"
)

// lazyRegexp compiles an expression when it is first used, since every start of the
// program would wait for it.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
