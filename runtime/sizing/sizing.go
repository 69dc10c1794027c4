// Package sizing computes how many workers, how long a queue and how many
// requests in flight a service needs, and says why.
package sizing
