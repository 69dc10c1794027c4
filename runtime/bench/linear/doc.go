// Package linear checks that queues and bulkheads are linearizable: that the
// results of calls that overlap can be explained by some order in which they
// happened one at a time. Random histories are recorded and given to
// github.com/anishathalye/porcupine with a model of a few lines.
package linear
