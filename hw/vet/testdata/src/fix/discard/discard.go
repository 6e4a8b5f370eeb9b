package discard

import "etch/hw"

type Pair struct{ X, Y hw.UInt }

func part(m *hw.Module, a hw.UInt) {
	count := hw.Reg(m, "count", hw.Unsigned(8))
	pair := hw.Reg(m, "pair", Pair{hw.Unsigned(8), hw.Unsigned(8)})
	count.Inc()    // want `count.Inc: the result is dropped`
	pair.X.Add(a)  // want `pair.X.Add: the result is dropped`
	count.Trunc(4) // want `count.Trunc: the result is dropped`
	count.Any()    // want `count.Any: the result is dropped`
	a.Inc()        // want `a.Inc: the result is dropped`
}
