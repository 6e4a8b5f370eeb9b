package axi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/axi"
	"etch/sim"
	master "etch/testbench/axi"
)

// TestUnanswered: an offer must not be withdrawn or changed, so that after an access without an
// answer the next ones fail at once.
func TestUnanswered(t *testing.T) {
	d, _, err := hw.Build(axi.Bridge{AddressBits: 8}) // nobody takes its requests
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	defer s.Close()
	s.Reset()
	bus, err := master.NewMaster(s, "s_axi")
	require.NoError(t, err)
	bus.StepBy(func() {}) // the clock stands still

	_, err = bus.Read(8)
	require.EqualError(t, err, "read of 0x8: no answer in 1048576 cycles")
	require.EqualError(t, bus.Write(4, 1), "write to 0x4: the read of 0x8 was not answered: the bus is stuck")
	_, err = bus.Read(12)
	require.EqualError(t, err, "read of 0xc: the read of 0x8 was not answered: the bus is stuck")
	require.EqualValues(t, master.Limit, bus.Cycles())
	for name, want := range map[string]uint64{"s_axi_arvalid": 1, "s_axi_araddr": 8, "s_axi_awvalid": 0, "s_axi_awaddr": 0} {
		x, err := s.Signal(name)
		require.NoError(t, err)
		require.Equal(t, want, s.Get(x), name)
	}
}
