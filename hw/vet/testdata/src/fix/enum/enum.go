package enum

import "etch/hw"

type phase string

const (
	idle phase = "idle"
	busy phase = "busy"
	done phase = "done"
)

func build(m *hw.Module) {
	hw.Reg(m, "state", hw.EnumOf(busy)).Goto(busy) // want `EnumOf: phase has idle and done too`
}
