// Package rtstat publishes the statistics of pools, bulkheads and queues: as
// expvar variables, as a page of plain text, and as a list to build other
// exporters on.
//
//	remove := rtstat.Register("billing", billing) // anything with a method Stats
//	defer remove()
//
//	mux.Handle("/debug/concvet", rtstat.Handler())
//	rtstat.Publish("concvet")                     // all of them under one expvar
//
// Nothing is pushed: a source is asked for its Stats when somebody looks. What
// looks is the only one that pays.
//
// # When not to use it
//
//   - Where Stats of one value is all that is wanted, call it.
//   - It is no metrics system: it keeps no history and has no labels but the
//     name. An exporter for one goes over [Registry.Snapshot].
//   - The primitives do not import it. Importing it imports net/http and expvar,
//     and expvar adds /debug/vars to http.DefaultServeMux.
package rtstat
