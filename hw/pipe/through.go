package pipe

import "etch/hw"

// Timed is a component that an element passes through in a fixed number of cycles,
// of those that its clock enable lets through; Build checks the number.
type Timed[P any] interface {
	hw.Component[P]
	hw.Timed
}

// Through is what an instance of a component makes of an element: its inputs, given
// in conn, are values at a stage, and what out picks from its ports is there as many
// stages later as the component takes. The registers that are made behind it belong
// to m's clock and clock enable, which the component must share: one with an enable
// among its ports is given m's.
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
