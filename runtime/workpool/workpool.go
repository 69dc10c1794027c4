// Package workpool runs tasks on a fixed number of workers, with a bounded
// queue before them.
package workpool
