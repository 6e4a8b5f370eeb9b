package replay

import (
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/axi"
	"etch/hw/stream"
)

// Accelerator is a [Buffer] of words behind an AXI4-Lite port: settings, commands and
// counters are registers, see [Accelerator.Registers]; transitions, updates, requests
// and batches are streams beside it, one element a cycle.
type Accelerator struct {
	Config
	Data   int    `help:"bits of a transition" range:"1..65536"`
	Flight int    `help:"inserts whose transitions wait for their operations" range:"1..64"`
	Seed   uint64 `help:"state of the generator after reset" range:"1..2^32"`
}

type AcceleratorPorts struct {
	Host    axi.Lite `hw:"s_axi"`
	Insert  stream.Stream[Insertion[hw.UInt]]
	Update  stream.Stream[Change]
	Request stream.Stream[Draws]
	Batch   stream.Stream[Element[hw.UInt]]
}

func (a Accelerator) buffer() Buffer[hw.UInt] {
	return Buffer[hw.UInt]{Config: a.Config, Elem: hw.Unsigned(a.Data), Flight: a.Flight, Seed: a.Seed}
}

// Registers are the words of the host port. After reset α is 0.6, β 0.4 and ε 0.01,
// and nothing is limited.
func (a Accelerator) Registers() axi.Map {
	count := hw.UpTo(a.Capacity).Width()
	return axi.Map{
		// Settings and commands, then status and counters. Addresses follow from the order, so a
		// new register comes last: drivers of before stay right.
		{Name: "alpha", Access: axi.Setting, Bits: unitBits, Reset: 39322, Doc: "α, 0 to 1 in units of 2^-16"},
		{Name: "beta", Access: axi.Setting, Bits: unitBits, Reset: 26214, Doc: "β, 0 to 1 in units of 2^-16"},
		{Name: "epsilon", Access: axi.Setting, Bits: 32, Reset: 655, Doc: "ε in units of 2^-16"},
		{Name: "least", Access: axi.Setting, Bits: a.Leaf, Doc: "the priority whose weight is 1; 0: the least of each batch"},
		{Name: "min_fill", Access: axi.Setting, Bits: count, Reset: 1, Doc: "slots to be filled before any draw"},
		{Name: "ratio", Access: axi.Setting, Bits: 32, Doc: "draws per insert in units of 2^-16; 0: no limit"},
		{Name: "tolerance", Access: axi.Setting, Bits: 32, Doc: "draws that either side may be ahead, in units of 2^-16; at least ratio and 1.0"},
		{Name: "clear", Access: axi.Command, Doc: "forgets all transitions"},
		{Name: "clear_counters", Access: axi.Command, Doc: "sets the counters to 0"},
		{Name: "seed_high", Access: axi.Setting, Bits: 32, Doc: "high word of the generator's next state"},
		{Name: "seed", Access: axi.Command, Doc: "low word of the generator's state, which is set with it; 0 in both words has no effect"},
		{Name: "count", Access: axi.Status, Bits: count, Doc: "slots that are filled"},
		{Name: "max", Access: axi.Status, Bits: a.Leaf, Doc: "the largest priority since clear, at least 1.0"},
		{Name: "sum", Access: axi.Status, Bits: min(32, a.SumBits()), Doc: "low word of the sum of all priorities"},
		{Name: "sum_high", Access: axi.Status, Bits: max(1, a.SumBits()-32), Doc: "high word of the sum"},
		{Name: "inserted", Access: axi.Counter, Doc: "inserts"},
		{Name: "sampled", Access: axi.Counter, Doc: "draws that their taker has"},
		{Name: "stale", Access: axi.Counter, Doc: "updates dropped, for another transition has the slot"},
		{Name: "unfilled", Access: axi.Counter, Doc: "updates dropped, for the slot is unfilled"},
		{Name: "empty", Access: axi.Counter, Doc: "draws from a sum of 0"},
		{Name: "refused", Access: axi.Counter, Doc: "requests of no draws, too many, or strata that are no power of two"},
	}
}

func (a Accelerator) Ports() AcceleratorPorts {
	b := a.buffer().Ports()
	return AcceleratorPorts{
		Host:   hw.In(axi.LiteOf(a.Registers().AddressBits())),
		Insert: b.Insert, Update: b.Update, Request: b.Request, Batch: b.Batch,
	}
}

func (a Accelerator) Build(m *hw.Module, p AcceleratorPorts) {
	regs := a.Registers()
	address := regs.AddressBits()
	bus := hw.Inst(m, "bus", axi.Bridge{AddressBits: address}, axi.BridgePorts{Host: p.Host})
	b := hw.Inst(m, "buffer", a.buffer(), BufferPorts[hw.UInt]{Insert: p.Insert, Update: p.Update, Request: p.Request, Batch: p.Batch})

	r := regs.Bank(m, bus.Request, bus.Reply)
	hw.Set(b.Settings, Settings{
		Alpha: r.Setting("alpha"), Beta: r.Setting("beta"), Epsilon: r.Setting("epsilon"), Least: r.Setting("least"),
		MinFill: r.Setting("min_fill"), Ratio: r.Setting("ratio"), Tolerance: r.Setting("tolerance"),
	})

	// A write of seed sends both words: the low one is its data, the high one a register.
	clear, x := r.Command("clear")
	hw.Unused(m, x)
	b.Clear.Set(clear)
	seed, low := r.Command("seed")
	b.Seed.Send(seed, hw.Cat(r.Setting("seed_high"), low))
	hw.Unused(m, b.Seed.Ready)

	f := b.Filling
	r.Status("count", f.Count)
	r.Status("max", f.Max)
	sum := arith.Resize(f.Sum, max(33, f.Sum.Width()))
	r.Status("sum", sum.Trunc(min(32, a.SumBits())))
	r.Status("sum_high", sum.Range(sum.Width()-1, 32))

	// Events become counters that one command clears.
	none, _ := r.Command("clear_counters")
	e := b.Events
	r.Counter("inserted", none, e.Inserted)
	r.Counter("sampled", none, e.Sampled)
	r.Counter("stale", none, e.Stale)
	r.Counter("unfilled", none, e.Unfilled)
	r.Counter("empty", none, e.Empty)
	r.Counter("refused", none, e.Refused)

	r.Done()
	stream.Check(m, "batch", p.Batch)
}
