package axi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/axi"
	"etch/testbench"
	master "etch/testbench/axi"
)

var counterMap = axi.Map{
	{Name: "limit", Access: axi.Setting, Bits: 12, Reset: 100, Doc: "events until done"},
	{Name: "clear", Access: axi.Command, Doc: "forgets all events"},
	{Name: "events", Access: axi.Counter, Doc: "events since clear"},
	{Name: "done", Access: axi.Status, Bits: 1, Doc: "limit events have come"},
}

type counted struct {
	Host  axi.Lite `hw:"s_axi"`
	Event hw.Bit   `dir:"in"`
}

func counting(regs axi.Map, use func(m *hw.Module, b *axi.Bank, p counted)) hw.Component[counted] {
	return hw.Func("counting", counted{Host: hw.In(axi.LiteOf(8))}, func(m *hw.Module, p counted) {
		bus := hw.Inst(m, "bus", axi.Bridge{AddressBits: 8}, axi.BridgePorts{Host: p.Host})
		b := regs.Bank(m, bus.Request, bus.Reply)
		use(m, b, p)
		b.Done()
	})
}

func TestBank(t *testing.T) {
	s, p := testbench.New(t, counting(counterMap, func(m *hw.Module, b *axi.Bank, p counted) {
		limit := b.Setting("limit")
		clear, _ := b.Command("clear")
		events := hw.Reg(m, "seen", hw.Unsigned(12), hw.U(0))
		events.SetIf(p.Event, events.Inc())
		events.SetIf(clear, events.Lit(0))
		b.Counter("events", clear, p.Event)
		b.Status("done", events.Ge(limit).UInt())
	}))
	host, err := master.NewMaster(s.Sim, "s_axi")
	require.NoError(t, err)
	read := func(name string) uint32 {
		v, err := host.Read(counterMap.Address(name))
		require.NoError(t, err)
		return v
	}
	write := func(name string, v uint32) { require.NoError(t, host.Write(counterMap.Address(name), v)) }

	require.Equal(t, uint32(100), read("limit"))
	write("limit", 0xFFFF_F005)
	require.Equal(t, uint32(5), read("limit"))
	event, err := s.Sim.Signal("event")
	require.NoError(t, err)
	require.NoError(t, s.Sim.Set(event, 1))
	s.Sim.Step(5)
	require.NoError(t, s.Sim.Set(event, 0))
	s.Sim.Step(1) // events count a cycle late
	require.Equal(t, uint32(5), read("events"))
	require.Equal(t, uint32(1), read("done"))
	write("clear", 0)
	require.Equal(t, uint32(0), read("events"))
	require.Equal(t, uint32(0), read("done"))
	_, err = host.Read(counterMap.Address("clear"))
	require.ErrorContains(t, err, "the slave answers 3")
	_, err = host.Read(0x80)
	require.ErrorContains(t, err, "the slave answers 3")
	_ = p
}

func TestBankMistakes(t *testing.T) {
	_, _, err := hw.Build(counting(counterMap, func(m *hw.Module, b *axi.Bank, p counted) {
		b.Setting("limit")
		b.Setting("limit")
		b.Status("events", hw.Zeros(32))
		b.Status("done", hw.Zeros(2))
		b.Status("dome", hw.Zeros(1))
	}))
	for _, want := range []string{
		"register limit is used twice", "register events is used as one for read, and is for read, counts",
		"register done has 1 bits, its value 2", `no register "dome" in the map`, "register clear of the map is not used",
	} {
		require.ErrorContains(t, err, want)
	}
}

func TestMapTexts(t *testing.T) {
	require.Equal(t, 4, counterMap.AddressBits())
	require.Contains(t, counterMap.Table(), "| 0x00 | limit | 12 | read, write | 0x64 | events until done |\n| 0x04 | clear | 32 | write |  | forgets all events |\n")
	require.Contains(t, counterMap.Header("timer"), "/* read, counts, 32 bits: events since clear */\n#define TIMER_EVENTS 0x08u\n")
}

var signedMap = axi.Map{
	1: {Name: "offset", Access: axi.Setting, Bits: 9, Signed: true, Fraction: 4, Reset: -3, Doc: "what is added"},
	3: {Name: "state", Access: axi.Status, Bits: 5, Signed: true, Flags: []string{"odd", "big"}, Doc: "the low bits of twice the offset"},
}

// Signed registers are read with their sign; holes of the map are errors.
func TestSigned(t *testing.T) {
	s, _ := testbench.New(t, counting(signedMap, func(m *hw.Module, b *axi.Bank, p counted) {
		offset := b.SignedSetting("offset")
		b.SignedStatus("state", offset.Shl(1).Trunc(5))
		hw.Unused(m, p.Event)
	}))
	host, err := master.NewMaster(s.Sim, "s_axi")
	require.NoError(t, err)
	for _, x := range []struct{ written, offset, state uint32 }{
		{0xFFFF_FFFD, 0xFFFF_FFFD, 0xFFFF_FFFA}, {5, 5, 10}, {8, 8, 0xFFFF_FFF0}, {0x100, 0xFFFF_FF00, 0},
	} {
		if x.written != 0xFFFF_FFFD { // else the reset
			require.NoError(t, host.Write(4, x.written))
		}
		for at, want := range map[uint64]uint32{4: x.offset, 12: x.state} {
			got, err := host.Read(at)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
	for _, at := range []uint64{0, 8, 16} {
		_, err := host.Read(at)
		require.ErrorContains(t, err, "the slave answers 3")
	}

	require.Equal(t, `| address | register | bits | access | reset | meaning |
|---|---|---|---|---|---|
| 0x04 | offset | s5.4 | read, write | 0xfffffffd | what is added |
| 0x0c | state | s5 | read |  | the low bits of twice the offset |
| | state.odd | bit 0 | | | |
| | state.big | bit 1 | | | |
`, signedMap.Table())
	require.Equal(t, `/* Written by etch. Do not edit. Byte addresses of 32-bit registers. */
#ifndef ADDER_REGISTERS_H
#define ADDER_REGISTERS_H

/* read, write, s5.4 bits: what is added */
#define ADDER_OFFSET 0x04u
#define ADDER_OFFSET_RESET 0xfffffffdu

/* read, s5 bits: the low bits of twice the offset */
#define ADDER_STATE 0x0cu
#define ADDER_STATE_ODD 0x1u
#define ADDER_STATE_BIG 0x2u

#endif
`, signedMap.Header("adder"))
}

func TestSignMistakes(t *testing.T) {
	_, _, err := hw.Build(counting(signedMap, func(m *hw.Module, b *axi.Bank, p counted) {
		b.Setting("offset")
		b.SignedStatus("state", hw.Zeros(4).AsSigned())
	}))
	require.ErrorContains(t, err, "register offset is used with sign = false, and is declared with true")
	require.ErrorContains(t, err, "register state has 5 bits, its value 4")
}
