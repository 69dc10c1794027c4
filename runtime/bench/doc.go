// Package bench compares the primitives of runtime/ with the libraries that
// people would use instead: it measures both in one process, and shows where
// the others hang, lose a worker or hide a panic. It is a module of its own so
// that those libraries are no requirement of the primitives.
package bench
