// Package leak holds that the primitives of runtime/ leave no goroutine behind,
// with go.uber.org/goleak, which looks at every goroutine of the process: so
// nothing else runs in these tests.
package leak
