package axi_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/axi"
	"etch/hw/stream"
	"etch/testbench"
	master "etch/testbench/axi"
	"etch/testbench/equiv"
)

type wordsPorts struct {
	Host axi.Lite `hw:"s_axi"`
	Slow hw.Bit   // requests wait
}

// words is a slave with 12 words of memory; at other addresses is nothing.
type words struct{}

func (words) Ports() wordsPorts {
	return wordsPorts{Host: hw.In(axi.LiteOf(8)), Slow: hw.In(hw.Bit{})}
}

func (words) Build(m *hw.Module, p wordsPorts) {
	bus := hw.Inst(m, "bus", axi.Bridge{AddressBits: 8}, axi.BridgePorts{Host: p.Host})
	stream.Check(m, "request", bus.Request)
	mem := hw.Mem(m, "words", 12, hw.Unsigned(32), hw.Contents(5))
	asked := bus.Request
	busy := hw.Reg(m, "busy", hw.Bit{}, hw.B(false)) // with a read
	data := hw.Reg(m, "data", axi.ReplyOf())
	asked.Ready.Set(p.Slow.Or(busy).Not())
	m.When(asked.Fire(), func() {
		m.When(asked.Data.Write, func() { mem.Write(asked.Data.Word.Trunc(4), asked.Data.Data) }).
			Else(func() {
				busy.Set(hw.B(true))
				data.Data.Set(mem.Read(asked.Data.Word.Trunc(4)))
				data.Error.Set(asked.Data.Word.Ge(asked.Data.Word.Lit(12)))
			})
	})
	bus.Reply.Send(busy.AndNot(p.Slow), data)
	m.When(bus.Reply.Fire(), func() { busy.Set(hw.B(false)) })
}

// A master writes and reads at random, against a slave that makes it wait: what is
// read is what was written, and what is not there is an error.
func TestBridge(t *testing.T) {
	s, p := testbench.New(t, words{}, testbench.CoSim())
	r := rand.New(rand.NewPCG(1, 1))
	bus, err := master.NewMaster(s.Sim, "s_axi")
	require.NoError(t, err)
	bus.StepBy(func() {
		s.Step(1)
		s.Set(p.Slow, r.IntN(2))
	})
	want := [12]uint32{5}
	for range 300 {
		at, v := r.IntN(16), r.Uint32()
		if r.IntN(2) == 0 {
			require.NoError(t, bus.Write(uint64(4*at), v))
			if at < 12 {
				want[at] = v
			}
			continue
		}
		got, err := bus.Read(uint64(4 * at))
		if at >= 12 {
			require.EqualError(t, err, "read of "+[]string{"0x30", "0x34", "0x38", "0x3c"}[at-12]+": the slave answers 3")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, want[at], got)
	}
	require.ErrorContains(t, bus.Write(2, 1), "write to 0x2: the slave answers 2")
	_, err = bus.Read(6)
	require.ErrorContains(t, err, "read of 0x6: the slave answers 2")
	require.Greater(t, bus.Cycles(), uint64(600))
}

// Parts of a word are refused, and address and data may come apart.
func TestChannels(t *testing.T) {
	s, p := testbench.New(t, words{}, testbench.CoSim())
	s.Set(p.Host.AWValid, 1)
	s.Step(3)
	s.Expect(p.Host.AWReady, 0)
	s.Set(p.Host.WValid, 1)
	s.Set(p.Host.WStrb, 7)
	s.Expect(p.Host.AWReady, 1)
	s.Expect(p.Host.WReady, 1)
	s.Step(1)
	s.Set(p.Host.AWValid, 0)
	s.Set(p.Host.WValid, 0)
	s.Step(2) // the response waits
	s.Expect(p.Host.BValid, 1)
	s.Expect(p.Host.BResp, axi.SlaveError)
	s.Set(p.Host.BReady, 1)
	s.Step(1)
	s.Expect(p.Host.BValid, 0)
	s.Set(p.Host.ARValid, 1)
	s.Step(1)
	s.Set(p.Host.ARValid, 0)
	s.StepUntil(func() bool { return s.High(p.Host.RValid) }, 10)
	s.Expect(p.Host.RData, 5) // nothing was written
}

// A read that waits keeps its turn when a write comes: the stream of requests does
// not take back what it has offered.
func TestReadKeepsItsTurn(t *testing.T) {
	s, p := testbench.New(t, words{}, testbench.CoSim())
	s.Set(p.Slow, 1)
	s.Set(p.Host.ARValid, 1)
	s.Step(2)
	s.Set(p.Host.AWValid, 1)
	s.Set(p.Host.WValid, 1)
	s.Set(p.Host.WStrb, 15)
	s.Set(p.Host.WData, 9)
	s.Step(2)
	s.Set(p.Slow, 0)
	s.Expect(p.Host.AWReady, 0)
	s.Expect(p.Host.ARReady, 1)
	s.Step(1)
	s.Set(p.Host.ARValid, 0)
	s.Set(p.Host.RReady, 1)
	s.StepUntil(func() bool { return s.High(p.Host.RValid) }, 10)
	s.Expect(p.Host.RData, 5) // from before the write
	s.Step(1)
	s.Expect(p.Host.AWReady, 1)
}

// The names are those of the standard.
func TestNames(t *testing.T) {
	d, _, err := hw.Build(words{})
	require.NoError(t, err)
	var names []string
	for _, p := range d.Top.Ports {
		names = append(names, p.Name)
	}
	require.Equal(t, []string{"clk", "rst", "s_axi_awaddr", "s_axi_awprot", "s_axi_awvalid", "s_axi_awready", "s_axi_wdata", "s_axi_wstrb",
		"s_axi_wvalid", "s_axi_wready", "s_axi_bresp", "s_axi_bvalid", "s_axi_bready", "s_axi_araddr", "s_axi_arprot", "s_axi_arvalid",
		"s_axi_arready", "s_axi_rdata", "s_axi_rresp", "s_axi_rvalid", "s_axi_rready", "slow"}, names)
	_, _, err = hw.Build(axi.Bridge{AddressBits: 2})
	require.ErrorContains(t, err, "AddressBits = 2, want 3 to 64")
}

// The bridge keeps the rules of the bus in every run.
func TestBridgeProved(t *testing.T) {
	t.Log(equiv.Prove(t, axi.Bridge{AddressBits: 6}, ""))
}
