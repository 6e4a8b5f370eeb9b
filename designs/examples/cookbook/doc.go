// Package cookbook has one short example for each idiom that designs need again and again: how
// to hold a bundle in a memory, to leave a port out, to take an active-low reset. Each example
// is a test: go test ./designs/examples/cookbook runs them, and go test -list . lists their names.
//
//	values_test.go   widths, signs, bits, bundles, vectors, choices
//	state_test.go    counters, delays, edges, enables, resets, memories
//	parts_test.go    parameters, instances, optional ports, black boxes, attributes, names
//	flow_test.go     streams, pipelines, clocks, fixed point, registers of a host
//	checks_test.go   assertions over time, coverage, prints, warnings, lanes
//
// The package holds nothing but its tests.
package cookbook
