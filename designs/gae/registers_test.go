package gae_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae"
	"etch/designs/gae/model"
	"etch/hw/axi"
	"etch/testbench"
	master "etch/testbench/axi"
)

// Addresses are those that the driver knows by number, within those of the port; a
// system without statistics has no count of steps.
func TestRegisters(t *testing.T) {
	for variant := 1; variant <= 5; variant++ {
		regs := gae.Accelerator{System: model.Paper().Variant(variant)}.Registers()
		require.Len(t, regs, int(model.NumRegisters))
		require.LessOrEqual(t, 4*len(regs), 1<<model.HostBits)
		names := map[string]bool{}
		for i, r := range regs {
			require.False(t, names[r.Name], r.Name)
			names[r.Name] = true
			require.Equal(t, r.Name == "", i == int(model.Count) && variant == 1)
		}
		require.Equal(t, []string{"draining", "done", "fits", "boot_overflow", "out_of_sequence"}, regs[model.Status].Flags)
		require.Equal(t, uint64(0xa0), regs.Address("send"))
	}
}

// What the map says after reset is what the host reads; commands are not read.
func TestRegistersAfterReset(t *testing.T) {
	for _, sys := range systems() {
		a := gae.Accelerator{System: sys}
		s, _ := testbench.New(t, a)
		bus, err := master.NewMaster(s.Sim, "s_axi")
		require.NoError(t, err)
		for i, r := range a.Registers() {
			got, err := bus.Read(4 * uint64(i))
			if r.Name == "" || r.Access == axi.Command {
				require.ErrorContains(t, err, "the slave answers 3", r.Name)
				continue
			}
			require.NoError(t, err, r.Name)
			if r.Access == axi.Setting || r.Access == axi.Counter {
				require.Equal(t, uint32(r.Reset), got, r.Name)
			}
		}
	}
}
