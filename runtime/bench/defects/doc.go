// Package defects documents, as tests, where widely used pools hang, lose a
// worker or hide a panic, and that the primitives of runtime/ do not. Every test
// has a timeout. One that fails because the other library no longer does what it
// says is good news: delete it and correct the docs.
//
// What hangs stays behind when a test ends, so these tests have a package of
// their own.
package defects
