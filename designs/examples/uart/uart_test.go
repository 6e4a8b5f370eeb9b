package uart

import (
	"testing"

	"etch/hw"
	"etch/testbench"
)

func TestTx(t *testing.T) {
	s, p := testbench.New(t, Tx{ClocksPerBit: 4}, testbench.CoSim())
	s.Step(2) // any number
	s.Expect(p.Line, 1)
	testbench.Send(s, p.Bytes, hw.U(0x53))
	for _, bit := range []int{0, 1, 1, 0, 0, 1, 0, 1, 0, 1} { // start, 0x53 lowest bit first, stop
		for range 4 {
			s.Expect(p.Line, bit)
			s.Step(1)
		}
	}
	s.Expect(p.Bytes.Ready, 1)
}

// One byte on the wire, as testdata/tx.wave draws it; go test -update redraws.
func TestWave(t *testing.T) {
	s, p := testbench.New(t, Tx{ClocksPerBit: 2})
	testbench.Golden(s, "tx", p.Bytes.Valid, p.Bytes.Ready, p.Bytes.Data, p.Line).Inside("state")
	testbench.Send(s, p.Bytes, hw.U(0x53))
	s.Step(22)
}
