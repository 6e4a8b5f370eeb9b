// Package stream is the ready/valid handshake: a bundle and the parts that
// pipelines are made of.
//
// An element moves in every cycle in which Valid and Ready are both high.
// The rules, which [Check] watches in simulation: a producer that has raised
// Valid keeps it, and Data, until the element has moved; Valid must not wait for
// Ready. Ready may come and go.
//
//	type ScalePorts struct {
//		In  stream.Stream[hw.UInt]
//		Out stream.Stream[hw.UInt]
//	}
//
//	func (s Scale) Build(m *hw.Module, p ScalePorts) {
//		in := stream.Buffer(m, "in_queue", p.In, 4)
//		hw.Set(p.Out, stream.Map(in, func(x hw.UInt) hw.UInt { return x.Shl(1) }))
//	}
//
// Components: [Queue], [RegisterSlice], [Fork], [Arbiter], [Widen], [Narrow], [AsyncQueue]. [Buffer]
// and [Pipe] put a queue or a register slice behind a stream, [Map], [Filter] and [Join] need no
// state, and [Check] asserts the rules.
//
// The package imports hw only.
package stream
