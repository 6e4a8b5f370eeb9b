package dwc

import (
	"fmt"

	"etch/hw"
	"etch/ir/bits"
)

// ROM says which cells an action ROM uses.
type ROM string

// The styles. A block ROM is read through a register, so it needs
// Pipeline.Output.
const (
	Logic ROM = "logic"
	Block ROM = "block"
)

// ActionROM turns the popcount of one action into its action word. Every address
// that the count's width can form has an entry: past G the last one repeats.
type ActionROM struct {
	Net        *Net
	Action     int
	Style      ROM `values:"|logic|block"` // "" is Logic
	Registered bool
}

type ActionROMPorts struct {
	Count hw.UInt // 0..G
	Act   hw.SInt // DAC code, a cycle later if Registered
}

// ModuleName is dwc_rom_0 for the first action.
func (r ActionROM) ModuleName() string { return fmt.Sprintf("dwc_rom_%d", r.Action) }

func (r ActionROM) Ports() ActionROMPorts {
	m := r.Net.net.Model
	return ActionROMPorts{Count: hw.In(hw.UpTo(m.GroupSize())), Act: hw.Out(hw.Signed(m.DACBits))}
}

func (r ActionROM) Build(m *hw.Module, p ActionROMPorts) {
	// A ROM is as large as its address allows; counts that cannot occur repeat the last action.
	mod := r.Net.net.Model
	words := make([]bits.Value, 1<<p.Count.Width())
	codes := mod.ROM(r.Action)
	for i := range words {
		words[i] = bits.FromInt(mod.DACBits, int64(codes[min(i, len(codes)-1)]))
	}

	style := Logic
	if r.Style == Block {
		style = Block
	}
	table := hw.Mem(m, "table", len(words), hw.Signed(mod.DACBits), hw.ContentsBits(words...), hw.Style(string(style)))

	// A block RAM reads synchronously, so it has the register built in.
	switch {
	case style == Block:
		p.Act.Set(table.SyncRead("word", p.Count, hw.Old))
	case r.Registered:
		p.Act.Set(hw.Delay(m, "act", table.Read(p.Count), 1))
	default:
		p.Act.Set(table.Read(p.Count))
	}
}
