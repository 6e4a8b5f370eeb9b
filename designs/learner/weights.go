package learner

import (
	"etch/hw"
	"etch/hw/arith"
)

// Host is the way to weights, a word at a time, while Busy is low; it is ignored during a
// step and in the cycle of Start or Act. A write of the online network leaves the target
// alone; a read beside a write is ignored.
type Host struct {
	Write  hw.Bit
	Read   hw.Bit
	Target hw.Bit  // of the target network, else the online one
	Bias   hw.Bit  // of biases, else weights
	Layer  hw.UInt // of weights, from 0; a critic's layers follow the actor's
	Word   hw.UInt // output tile · input tiles + input tile; of biases output tile
	// Data is the word, value (input i, output o) of a tile at o·In + i; a value past the
	// end of a layer is ignored. Targets have more fraction bits if they are soft.
	Data word
}

// hostOf is the way to the layers of some networks, one after the other.
func hostOf(nets ...tiling) Host {
	layers, words, elements := 0, 0, 0
	for _, t := range nets {
		layers, words, elements = layers+t.layers(), max(words, t.mostWords()), max(elements, t.mostElements())
	}
	return Host{Layer: hw.AddressOf(layers), Word: hw.AddressOf(words), Data: nets[0].codes(nets[0].targetKind(), elements)}
}

// network is the memories of a network, layer by layer.
type network []layer

// layer is the memories of a layer: a word of weight is a tile of weights, a word of
// bias the biases of a tile's outputs.
type layer struct{ weights, bias bank }

// bank is a memory of weights or biases. Forward passes, updates and the host take turns
// at its read port, updates and the host at its write port.
type bank struct {
	m    *hw.Module
	kind Kind
	mem  *hw.Memory[word]
	read *hw.ReadPort[word]

	host        Host
	chosen      hw.Bit // by the host
	depth, size int
}

// newLayer makes the memories; chosen says that the host means this layer.
func (t tiling) newLayer(m *hw.Module, l int, kind Kind, h Host, chosen hw.Bit) layer {
	x := t.tile(l)
	newBank := func(name string, depth, size int, chosen hw.Bit) bank {
		mem := hw.Mem(m, name, depth, t.codes(kind, size))
		read := mem.ReadPort(m, "forward", hw.Undefined)
		return bank{m, kind, mem, read, h, chosen, depth, size}
	}
	return layer{
		newBank("weights", t.words(l), x.In*x.Out, chosen.AndNot(h.Bias)),
		newBank("bias", t.outputTiles(l), x.Out, chosen.And(h.Bias)),
	}
}

// address reads a word, which is there a cycle later.
func (b bank) address(valid hw.Bit, at hw.UInt) { b.m.When(valid, func() { b.read.Read(at) }) }

// store writes a word, where valid, or at the host's turn. Data comes out of a register that
// between steps has the host's word, see [bank.given]: no table stands before the memory.
func (b bank) store(valid hw.Bit, at hw.UInt, data word) {
	b.m.When(valid, func() { b.mem.Write(at, data) }).
		ElseWhen(b.host.Write.And(b.chosen), func() { b.mem.Write(b.place(), data) })
}

// given is a value of the host's word, a cycle before the host's turn.
func (b bank) given(i int) hw.UInt {
	return arith.Resize(b.host.Data[i], b.read.Data[i].Width())
}

// place is the word that the host means.
func (b bank) place() hw.UInt { return arith.Resize(b.host.Word, hw.AddressOf(b.depth).Width()) }

// hostRead lets the host read a network. What it asks for is there two cycles after its turn, and
// zero if it asks for nothing here.
func (n network) hostRead(out word) word {
	for _, l := range n {
		for i, b := range []bank{l.weights, l.bias} {
			b.address(b.host.Read.And(b.chosen), b.place())
			asked := hw.Delay(b.m, hw.Name("asked", i), b.host.Read.And(b.chosen), 1, hw.Low)
			for i, x := range b.read.Data {
				out[i] = out[i].Or(hw.Gate(asked, arith.Resize(x, out[i].Width())))
			}
		}
	}
	return out
}
