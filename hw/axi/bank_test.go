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
		"register done has 1 bits, its value 2", "no register dome in the map", "register clear of the map is not used",
	} {
		require.ErrorContains(t, err, want)
	}
}

func TestMapTexts(t *testing.T) {
	require.Equal(t, 4, counterMap.AddressBits())
	require.Contains(t, counterMap.Table(), "| 0x00 | limit | 12 | read, write | 0x64 | events until done |\n| 0x04 | clear | 32 | write |  | forgets all events |\n")
	require.Contains(t, counterMap.Header("timer"), "#define TIMER_EVENTS 0x08u /* read, counts: events since clear */\n")
}
