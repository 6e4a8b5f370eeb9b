// Package view shows a design or a recorded run in a browser: hierarchy, source, schematic of
// named things and waves, with one selection and one cycle in all of them. It is the verb etch view
// as a library:
//
//	v, err := view.Live(design)           // or view.Recorded(run)
//	l, err := view.Listen("localhost:0")
//	fmt.Println(view.Address(l, v))
//	err = v.Serve(ctx, l)
//
// Nothing is dumped: the value of a signal at a cycle is computed when the page asks for it, by
// package replay for a recorded run, and by the same way of checkpoints and repetition for a live
// one. A live run is its list of inputs set at cycles; setting one at an earlier cycle drops the
// later ones, which forks the run there. A recorded run is forked at a cycle first: what was
// recorded before it is replayed, and it is a live run from there on.
//
// Two subjects have no such run. Dumped shows a file of waves (.fst, .vcd) of any simulator, with times
// for cycles and without source, schematic and causes. Watched shows a design that Replace exchanges
// when its source has changed; the pages that are open hear of it by server-sent events.
//
// The page is served to this machine only: on a loopback address, under a random token in the
// path, to requests whose Host (and Origin, if there is one) is the server's own. A strict
// Content-Security-Policy keeps the page from loading anything else. Source files are served only
// if the design has a position in them.
//
// The page is in assets, made from the TypeScript in client by a tool that is a module of its own
// (client/bundle.go). The package imports ir, ir/bits, ir/input and, of sim, the simulator, replay,
// why, cover and the readers of waves.
package view
