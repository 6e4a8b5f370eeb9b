package ignore

import "etch/hw"

func some(m *hw.Module, x hw.UInt) {
	x.Inc() //hwvet:ignore
	x.Inc() // want `the result is dropped`
	//hwvet:ignore hwdiscard hwunset -- shows the mistake
	x.Inc()
	x.Inc() //hwvet:ignore hwunset // want `the result is dropped`
	x.Inc() //hwvet:ignored // want `the result is dropped`
}
