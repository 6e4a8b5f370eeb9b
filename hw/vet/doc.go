// Package vet finds mistakes in designs that neither the Go compiler nor the
// builder of hw can see, or that are better seen before anything runs. The
// command hw/cmd/hwvet runs it, alone or under go vet:
//
//	go vet -vettool=$(which hwvet) ./...
//	hwvet ./...
//
// Its checks are analyzers of golang.org/x/tools/go/analysis and can be part of
// any other driver:
//
//	[Discard]    the result of an operation is dropped
//	[Assign]     Go's = where Set was meant
//	[Unset]      a register or wire that nothing Sets
//	[Compare]    signals that Go compares or prints
//	[Capture]    a signal of one module in the body of another
//	[Component]  a type that is nearly a component
//	[Const]      a constant that cannot fit
//	[Enum]       an enumeration, or a switch over one, without some constants of its type
//	[Handle]     a handle that nothing made
//
// A check reports only mistakes that are sure, or all but sure. Where a value leaves its sight it
// is silent. A comment //hwvet:ignore, with names of checks and, after --, a reason, silences
// them: on its line; alone on a line, on the next; before the package clause, in the whole file.
//
// Every check works on one package at a time, from its types and from an index
// of its variables and bodies that all share (index.go). The package hw is known
// by its name and the end of its import path, /hw, so that the module can have
// any name. Nothing here imports hw, or anything but the standard library and
// golang.org/x/tools.
package vet
