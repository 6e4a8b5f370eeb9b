package catalog

import (
	"testing"

	"etch/hw"
	"etch/ir"
)

func TestWarn(t *testing.T) {
	each(t, func(t *testing.T, d *ir.Design) {
		for _, w := range hw.Warnings(d) {
			t.Log(w.Pos, w.Msg)
		}
	})
}
