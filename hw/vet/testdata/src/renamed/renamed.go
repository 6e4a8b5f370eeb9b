package renamed

import (
	hardware "example.org/other/hw"
	rtl "example.org/rtl/hw"
)

func f(x rtl.UInt, y hardware.UInt) {
	x.Inc() // want `the result is dropped`
	y.Inc()
}
