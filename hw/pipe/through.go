package pipe

import "etch/hw"

// Timed is a component that an element passes through in a fixed number of cycles (of the cycles
// that its clock enable lets through). Build checks the number.
type Timed[P any] interface {
	hw.Component[P]
	hw.Timed
}

// Through passes an element through an instance of a component. conn gives the instance's inputs,
// values at stage; out picks the result from its ports, which is available c.Latency() stages
// later. Registers made behind the result belong to m's clock and clock enable, and the component
// must use the same: give its enable port, if it has one, m's enable.
//
//	root := pipe.Through(run, "root", square.Pipelined(2), 3,
//		arith.PipelinedRootPorts{En: p.En, Valid: valid.At(3), In: sum.At(3)},
//		func(r arith.PipelinedRootPorts) hw.UInt { return r.Out.Root })
//	p.Y.Set(root.At(root.Stage()))
func Through[P, T any](m *hw.Module, name string, c Timed[P], stage int, conn P, out func(ports P) T) Value[T] {
	if stage < 0 {
		m.Errorf("range", "Through %s: stage %d; want at least 0", name, stage)
	}
	ports := hw.Inst(m, name, hw.Component[P](c), conn)
	return Of(m, name+"_out", stage+c.Latency(), out(ports))
}
