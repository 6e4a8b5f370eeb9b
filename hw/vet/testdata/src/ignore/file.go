//hwvet:ignore hwdiscard -- a file of mistakes

package ignore

import "etch/hw"

func all(x hw.UInt) {
	x.Inc()
	x.Inc()
}
