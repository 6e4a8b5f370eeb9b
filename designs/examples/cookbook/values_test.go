package cookbook

import (
	"fmt"

	"etch/hw"
	"etch/testbench"
)

// Sums grow by one bit with AddGrow; Extend and Trunc change a width on purpose.
func Example_growingSum() {
	type ports struct {
		A   hw.UInt `dir:"in"`
		B   hw.UInt `dir:"in"`
		Sum hw.UInt `dir:"out"`
		Low hw.UInt `dir:"out"`
	}
	w8 := hw.Unsigned(8)
	s, p := testbench.New(testbench.Example(), hw.Func("adder", ports{w8, w8, hw.Unsigned(9), w8}, func(m *hw.Module, p ports) {
		p.Sum.Set(p.A.AddGrow(p.B))
		p.Low.Set(p.A.Add(p.B))
	}))
	s.Set(p.A, 200)
	s.Set(p.B, 100)
	fmt.Println(s.Get(p.Sum), s.Get(p.Low))
	// Output: 300 44
}

// A balanced tree over any number of operands: Reduce halves the list level by level.
func Example_sumOfMany() {
	type ports struct {
		X     hw.Vec[hw.UInt] `dir:"in"`
		Total hw.UInt         `dir:"out"`
	}
	shape := ports{hw.VecOf(5, hw.Unsigned(4)), hw.Unsigned(7)}
	s, p := testbench.New(testbench.Example(), hw.Func("total", shape, func(m *hw.Module, p ports) {
		wide := make([]hw.UInt, len(p.X))
		for i, x := range p.X {
			wide[i] = x.Extend(7) // 5 · 15 needs seven bits
		}
		p.Total.Set(hw.Reduce(wide, hw.UInt.Add))
	}))
	for i := range p.X {
		s.Set(p.X[i], 11+i)
	}
	fmt.Println(s.Get(p.Total))
	// Output: 65
}

// Signed and unsigned do not mix; a cast names the reading of the bits.
func Example_signedDifference() {
	type ports struct {
		A, B hw.UInt `dir:"in"`
		Diff hw.SInt `dir:"out"`
		Size hw.UInt `dir:"out"`
	}
	shape := ports{hw.Unsigned(8), hw.Unsigned(8), hw.Signed(9), hw.Unsigned(9)}
	s, p := testbench.New(testbench.Example(), hw.Func("difference", shape, func(m *hw.Module, p ports) {
		diff := p.A.SubGrow(p.B) // signed, a bit wider
		p.Diff.Set(diff)
		p.Size.Set(diff.Abs())
	}))
	s.Set(p.A, 3)
	s.Set(p.B, 250)
	fmt.Println(s.Get(p.Diff), s.Get(p.Size))
	// Output: -247 247
}

// A sum that stays at the greatest value in place of wrapping.
func Example_saturatingAdd() {
	type ports struct {
		A, B hw.UInt `dir:"in"`
		Sum  hw.UInt `dir:"out"`
	}
	w8 := hw.Unsigned(8)
	s, p := testbench.New(testbench.Example(), hw.Func("saturate", ports{w8, w8, w8}, func(m *hw.Module, p ports) {
		sum := p.A.AddGrow(p.B)
		p.Sum.Set(hw.Mux(sum.Bit(8), hw.Ones(8), sum.Trunc(8)))
	}))
	for _, b := range []int{5, 100} {
		s.Set(p.A, 200)
		s.Set(p.B, b)
		fmt.Print(s.Get(p.Sum), " ")
	}
	// Output: 205 255
}

// Any bundle becomes one number and back: the first field is at the top.
func Example_packAnyKind() {
	type pixel struct{ R, G, B hw.UInt }
	type ports struct {
		In   pixel   `dir:"in"`
		Word hw.UInt `dir:"out"`
		Out  pixel   `dir:"out"`
	}
	shape := pixel{hw.Unsigned(5), hw.Unsigned(6), hw.Unsigned(5)}
	s, p := testbench.New(testbench.Example(), hw.Func("pack", ports{shape, hw.Unsigned(16), shape}, func(m *hw.Module, p ports) {
		word := hw.Pack(p.In)
		p.Word.Set(word)
		hw.Set(p.Out, hw.Unpack(shape, word))
	}))
	testbench.Put(s, p.In, pixel{hw.U(1), hw.U(2), hw.U(3)})
	fmt.Printf("%016b %d\n", s.Get(p.Word), s.Get(p.Out.G))
	// Output: 0000100001000011 2
}

// A bundle out of a vector of bundles, chosen by a signal; the chosen one can be Set too.
func Example_bundleAtIndex() {
	type entry struct{ Key, Value hw.UInt }
	type ports struct {
		Put, Get hw.UInt `dir:"in"`
		New      entry   `dir:"in"`
		Found    entry   `dir:"out"`
	}
	shape := entry{hw.Unsigned(4), hw.Unsigned(8)}
	at := hw.AddressOf(4)
	s, p := testbench.New(testbench.Example(), hw.Func("table", ports{at, at, shape, shape}, func(m *hw.Module, p ports) {
		table := hw.Reg(m, "table", hw.VecOf(4, shape), hw.Fill(4, entry{hw.U(0), hw.U(0)}))
		hw.Set(table.At(p.Put), p.New)
		hw.Set(p.Found, table.At(p.Get))
	}))
	s.Set(p.Put, 2)
	testbench.Put(s, p.New, entry{hw.U(7), hw.U(70)})
	s.Step(1)
	s.Set(p.Get, 2)
	fmt.Println(s.Get(p.Found.Key), s.Get(p.Found.Value))
	// Output: 7 70
}

// A part of a register is driven by itself; the other bits keep their values.
func Example_partOfRegister() {
	type ports struct {
		Nibble hw.UInt `dir:"in"`
		High   hw.Bit  `dir:"in"`
		Out    hw.UInt `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("nibbles", ports{Nibble: hw.Unsigned(4), Out: hw.Unsigned(8)}, func(m *hw.Module, p ports) {
		word := hw.Reg(m, "word", hw.Unsigned(8), hw.U(0))
		m.When(p.High, func() { word.Range(7, 4).Set(p.Nibble) }).
			Else(func() { word.Range(3, 0).Set(p.Nibble) })
		p.Out.Set(word)
	}))
	s.Set(p.Nibble, 0xa)
	s.Step(1)
	s.Set(p.High, 1)
	s.Set(p.Nibble, 0x5)
	s.Step(1)
	fmt.Printf("%#x\n", s.Get(p.Out))
	// Output: 0x5a
}

// Sparse cases of a number: Choose is one case statement in Verilog.
func Example_sparseTable() {
	type ports struct {
		Op     hw.UInt `dir:"in"`
		Cycles hw.UInt `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("cycles", ports{hw.Unsigned(6), hw.Unsigned(4)}, func(m *hw.Module, p ports) {
		p.Cycles.Set(hw.Choose(p.Op, hw.Unsigned(4).Lit(1), map[int]hw.UInt{3: hw.U(2), 17: hw.U(12), 40: hw.U(9)}))
	}))
	for _, op := range []int{0, 3, 17, 40} {
		s.Set(p.Op, op)
		fmt.Print(s.Get(p.Cycles), " ")
	}
	// Output: 1 2 12 9
}

// The first request that is high wins; FirstOne gives its index, PriorityMux its data.
func Example_firstRequest() {
	type ports struct {
		Request hw.UInt         `dir:"in"`
		Data    hw.Vec[hw.UInt] `dir:"in"`
		Index   hw.UInt         `dir:"out"`
		Chosen  hw.UInt         `dir:"out"`
	}
	shape := ports{hw.Unsigned(4), hw.VecOf(4, hw.Unsigned(8)), hw.UpTo(4), hw.Unsigned(8)}
	s, p := testbench.New(testbench.Example(), hw.Func("first", shape, func(m *hw.Module, p ports) {
		p.Index.Set(p.Request.FirstOne()) // 4 if there is none
		p.Chosen.Set(hw.PriorityMux(p.Request, hw.U(0), p.Data))
	}))
	for i := range p.Data {
		s.Set(p.Data[i], 10*i)
	}
	for _, r := range []int{0b0000, 0b1100, 0b0010} {
		s.Set(p.Request, r)
		fmt.Print(s.Get(p.Index), ":", s.Get(p.Chosen), " ")
	}
	// Output: 4:0 2:20 1:10
}

// Bits as a vector and back: a majority vote is a count.
func Example_majority() {
	type ports struct {
		Votes hw.UInt `dir:"in"`
		Pass  hw.Bit  `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("majority", ports{Votes: hw.Unsigned(5)}, func(m *hw.Module, p ports) {
		p.Pass.Set(p.Votes.PopCount().IsGe(3))
	}))
	for _, v := range []int{0b00110, 0b10110} {
		s.Set(p.Votes, v)
		fmt.Print(s.Get(p.Pass), " ")
	}
	// Output: 0 1
}

// A request and its answer in one bundle: Flip turns the field that travels back.
func Example_twoWayBundle() {
	type lookup struct {
		Key   hw.UInt
		Found hw.UInt // against the rest
	}
	type ports struct {
		Host lookup `dir:"in"`
	}
	shape := ports{lookup{hw.Unsigned(4), hw.Flip(hw.Unsigned(8))}}
	s, p := testbench.New(testbench.Example(), hw.Func("square", shape, func(m *hw.Module, p ports) {
		p.Host.Found.Set(p.Host.Key.Mul(p.Host.Key))
	}))
	s.Set(p.Host.Key, 12)
	fmt.Println(s.Get(p.Host.Found))
	// Output: 144
}
