// Package caller finds the user's lines on the stack of a running program: where an operation of the
// language was called, and the calls of the user's own helpers that led there.
//
//	var s caller.Stack
//	caller.Frames(&s)        // the return addresses of the calls under way: a key of a cache
//	pc := caller.PC()        // the user's line
//	calls := caller.Calls()  // that line, and the helpers around it
//
// A file is inside, that is no user's, if it belongs to hw or a package below it, or to a package of
// etch that builds components for its caller. Commands and tests count as users.
//
//	frames_*   the return addresses, by frame pointers in assembly where Go keeps them
//	inside.go  the files that are no user's
//	pc.go      the user's line, cached by return address
//	calls.go   the user's calls up to the component that is being built
//
// The package imports ir and the standard library.
package caller
