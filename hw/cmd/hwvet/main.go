// Command hwvet finds mistakes in hardware designs that the Go compiler does not
// see: dropped results, = where Set was meant, registers without a Set and more.
//
//	go install etch/hw/cmd/hwvet
//	go vet -vettool=$(which hwvet) ./...   with go vet's cache, tests included
//	hwvet ./...                            by itself
//	hwvet -fix ./...                       and apply obvious fixes
//	hwvet help                             the checks; hwvet help hwassign, one of them
//
// A comment //hwvet:ignore silences a line; see package etch/hw/vet.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"etch/hw/vet"
)

// The multichecker also speaks the protocol of go vet: given a .cfg file it hands
// over to the unitchecker.
func main() { multichecker.Main(vet.Analyzers()...) }
