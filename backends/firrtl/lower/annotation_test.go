package lower_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/firrtl/lower"
	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/randcircuit"
)

// TestAnnotated compares circuits that annotations change with firtool's.
func TestAnnotated(t *testing.T) { judgeAll(t, "testdata/annotated/*.fir") }

// annotated puts annotations into a text whose circuit is T.
func annotated(text string, annos ...string) string {
	return strings.Replace("FIRRTL version 4.0.0\n"+text, "circuit T :", "circuit T : %[["+strings.Join(annos, ",\n")+"]]", 1)
}

func source(target, pin string) string {
	return fmt.Sprintf(`{"class":"firrtl.passes.wiring.SourceAnnotation","target":%q,"pin":%q}`, target, pin)
}

func sink(target, pin string) string {
	return fmt.Sprintf(`{"class":"firrtl.passes.wiring.SinkAnnotation","target":%q,"pin":%q}`, target, pin)
}

const (
	fullReset  = `{"class":"circt.FullResetAnnotation","target":"~T|%s","resetType":"async"}`
	memoryFile = `{"class":"firrtl.annotations.MemoryFileInlineAnnotation","filename":"x.hex","hexOrBinary":%s,"target":"~T|T>%s"}`
)

// twoKids is a circuit with a module that is used twice, below one that is used
// once.
const twoKids = `circuit T :
  extmodule X :
    input i : UInt<8>
    output o : UInt<8>
  module Kid :
    input clock : Clock
    input a : UInt<8>
    output o : UInt<8>
    reg r : UInt<8>, clock
    connect r, a
    node n = not(r)
    wire w : UInt<8>
    connect w, n
    connect o, w
  module Mid :
    input clock : Clock
    input a : UInt<8>
    output o : UInt<8>
    output p : UInt<8>
    inst x of Kid
    connect x.clock, clock
    connect x.a, a
    inst y of Kid
    connect y.clock, clock
    connect y.a, not(a)
    connect o, x.o
    connect p, y.o
  public module T :
    input clock : Clock
    input c : UInt<1>
    input rst : AsyncReset
    input a : UInt<8>
    output o : UInt<8>
    output p : UInt<8>
    inst m of Mid
    connect m.clock, clock
    connect m.a, a
    connect o, m.o
    connect p, m.p
    cmem mem : UInt<8>[4]
    wire up : UInt<8>
    connect up, a
`

// Annotations that are wrong, or that etch does not do, are errors that name
// their class, their target and their line.
func TestAnnotationErrors(t *testing.T) {
	for _, c := range []struct {
		annos []string
		want  string
	}{
		{[]string{`{"class":"a.B","target":"~T|T>o"}`}, "t.fir:2: annotation a.B on ~T|T>o: etch does not know whether it changes the circuit; take it out"},
		{[]string{sink("~T|T>up", "x"), source("~T|T>a", "x"), `{"class":"a.B"}`}, "t.fir:4: annotation a.B: etch does not know"},
		{[]string{`{"target":"~T|T>o"}`}, "t.fir:2: annotation  on ~T|T>o: etch does not know"},
		{[]string{`{"class":"sifive.enterprise.grandcentral.MemTapAnnotation"}`}, "it wires signals to the words of a memory, which etch does not do"},
		{[]string{`{"class":"firrtl.stage.RunFirrtlTransformAnnotation","transform":"midas.Big"}`}, "it runs transform midas.Big"},
		{[]string{`{"class":7}`}, "t.fir:2: annotations: json: "},
		{[]string{`{"class" 7}`}, "t.fir:2: annotations: "},
		{[]string{sink("~T|T>up", "x")}, "SinkAnnotation on ~T|T>up: pin x has no source in the design: add the firrtl.passes.wiring.SourceAnnotation"},
		{[]string{sink("~T|T>up", "x"), source("~T|T>a", "x"), source("~T|T>c", "x")}, "t.fir:4: annotation firrtl.passes.wiring.SourceAnnotation on ~T|T>c: a second source of pin x; the first is ~T|T>a"},
		{[]string{sink("~T|T>nix", "x"), source("~T|T>a", "x")}, "SinkAnnotation on ~T|T>nix: module T has no nix"},
		{[]string{sink("~T|Nix>nix", "x"), source("~T|T>a", "x")}, "there is no module Nix"},
		{[]string{sink("~T", "x"), source("~T|T>a", "x")}, "that is no target"},
		{[]string{sink("~T|T", "x"), source("~T|T>a", "x")}, "it cannot be driven"},
		{[]string{sink("~T|T>up.z", "x"), source("~T|T>a", "x")}, "up has no z"},
		{[]string{sink("~T|T>up[2]", "x"), source("~T|T>a", "x")}, "up has no [2]"},
		{[]string{sink("~T|T>a", "x"), source("~T|T>up", "x")}, "an input of the main module cannot be driven"},
		{[]string{sink("~T|T>m.o", "x"), source("~T|T>a", "x")}, "it cannot be driven"},
		{[]string{sink("~T|T>up", "x"), source("~T|T>clock", "x")}, "its type is not that of the source ~T|T>clock"},
		{[]string{sink("~T|T>up", "x"), source("~T|T>mem", "x")}, "a wire, register, node or port is wanted"},
		{[]string{sink("~T|T>up", "x"), source("~T|Kid>r", "x")}, "SourceAnnotation on ~T|Kid>r: module Kid has several instances"},
		{[]string{sink("~T|Mid/x:Kid>w", "x"), source("~T|T>a", "x")}, "one of several instances of module Kid is wanted"},
		{[]string{sink("~T|Mid/z:Kid>w", "x"), source("~T|T>a", "x")}, "module Mid has no instance z"},
		{[]string{fmt.Sprintf(fullReset, "T>a")}, "FullResetAnnotation on ~T|T>a: a reset is wanted, the signal is a UInt"},
		{[]string{fmt.Sprintf(fullReset, "T>c")}, "the annotation is for async resets, the signal is a UInt"},
		{[]string{fmt.Sprintf(fullReset, "Kid>r")}, "a port, wire or node of a reset type is wanted"},
		{[]string{fmt.Sprintf(fullReset, "T")}, "a port, wire or node of a reset type is wanted"},
		{[]string{strings.Replace(fmt.Sprintf(fullReset, "T>rst"), "async", "any", 1)}, `its type is neither "async" nor "sync"`},
		{[]string{fmt.Sprintf(fullReset, "T>rst"), fmt.Sprintf(fullReset, "T>rst")}, "a second full reset of the module"},
		{[]string{fmt.Sprintf(memoryFile, `"h"`, "up")}, "MemoryFileInlineAnnotation on ~T|T>up: that is no memory"},
		{[]string{`{"class":"firrtl.annotations.MemoryArrayInitAnnotation","target":"~T|T>mem","values":[1,2,3]}`}, "the memory has 4 words"},
		{[]string{`{"class":"firrtl.annotations.MemoryScalarInitAnnotation","target":"~T|T>mem","value":256}`}, "256 is no word of 8 bits"},
		{[]string{`{"class":"firrtl.annotations.MemoryScalarInitAnnotation","target":"~T|T>mem"}`}, "neither words nor the name of a file"},
	} {
		text := twoKids + "    infer mport rd = mem[bits(a, 1, 0)], clock\n    node used = rd\n"
		d, _, err := lowered(annotated(text, c.annos...))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\n  %v\n  want %s", c.annos, err, c.want)
		}
		_ = d
	}
}

// A memory's file must say how its words are written.
func TestMemoryFormat(t *testing.T) {
	text := annotated(twoKids+"    infer mport rd = mem[bits(a, 1, 0)], clock\n    node used = rd\n", fmt.Sprintf(memoryFile, `"x"`, "mem"))
	c, err := syntax.Parse("t.fir", text)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = lower.Lower(c, lower.Options{File: os.ReadFile})
	if err == nil || !strings.Contains(err.Error(), `the file is neither "h" nor "b", but x`) {
		t.Error(err)
	}
}

// Words in the annotation, for all of a memory or one for each.
func TestMemoryWords(t *testing.T) {
	text := twoKids + "    infer mport rd = mem[bits(a, 1, 0)], clock\n    node used = rd\n"
	for anno, want := range map[string][4]uint64{
		`{"class":"firrtl.annotations.MemoryArrayInitAnnotation","target":"T.T.mem","values":[1,2,"3",255]}`: {1, 2, 3, 255},
		`{"class":"firrtl.annotations.MemoryScalarInitAnnotation","target":"~T|T>mem","value":9}`:            {9, 9, 9, 9},
	} {
		d, _ := design(t, "t.fir", annotated(text, anno))
		for i, v := range d.Top.Mems[0].Init {
			if !v.Equal(bits.New(8, want[i])) {
				t.Errorf("%s: word %d is %v", anno, i, v)
			}
		}
		if len(d.Top.Mems[0].Init) != 4 {
			t.Errorf("%s: no words", anno)
		}
	}
}

// Classes that change nothing are told in one note; others may be ignored by name.
func TestAnnotationsLeftOut(t *testing.T) {
	text := annotated(twoKids, `{"class":"firrtl.transforms.DontTouchAnnotation","target":"~T|T>up"}`, `{"class":"a.B"}`,
		`{"class":"firrtl.transforms.DontTouchAnnotation","target":"~T|T>a"}`, `{"class":"firrtl.stage.OutputFileAnnotation"}`)
	c, err := syntax.Parse("t.fir", text)
	if err != nil {
		t.Fatal(err)
	}
	_, notes, err := lower.Lower(c, lower.Options{Ignore: []string{"a.B"}})
	want := "t.fir:2: 4 annotations that do not change the circuit are left out: firrtl.transforms.DontTouchAnnotation (2), a.B (1), firrtl.stage.OutputFileAnnotation (1)"
	if err != nil || len(notes) != 1 || notes[0].String() != want {
		t.Error(err, notes)
	}
}

// Annotations of a file beside the circuit's count as those inside it.
func TestAnnotationFile(t *testing.T) {
	c, err := syntax.Parse("t.fir", "FIRRTL version 4.0.0\n"+twoKids)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = lower.Lower(c, lower.Options{Annotations: "[\n" + sink("~T|T>up", "x") + "]", AnnotationsName: "t.anno.json"})
	if err == nil || !strings.HasPrefix(err.Error(), "t.anno.json:2: annotation firrtl.passes.wiring.SinkAnnotation on ~T|T>up: pin x has no source") {
		t.Error(err)
	}
}

// What firtool 1.155 refuses of wiring is the circuit that is written by hand:
// sinks in modules with several instances, nodes, inputs; one of several sources
// by its path; an output of a black box.
func TestWiringByHand(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(twoKids) }
	boxed := func(more string) string {
		return twoKids + "    inst box of X\n    connect box.i, a\n" + more
	}
	for _, c := range []struct {
		name, text, hand string
		annos            []string
	}{
		{"several sinks", twoKids, replace("connect w, n", "connect w, a", "connect x.a, a", "connect x.a, a", "connect y.a, not(a)", "connect y.a, a"),
			[]string{source("~T|T>up", "x"), sink("~T|Kid>w", "x"), sink("~T|Kid>n", "x")}},
		{"a node", twoKids, replace("node n = not(r)", "node n = a", "y.a, not(a)", "y.a, a"), []string{source("~T|T>a", "x"), sink("~T|Kid>n", "x")}},
		{"an input", twoKids, replace("connect y.a, not(a)", "connect y.a, a"), []string{source("~T|T>up", "x"), sink("~T|Kid>a", "x")}},
		{"one of several", twoKids, twoKids + "    connect p, not(m.p)\n",
			[]string{source("~T|Mid/y:Kid>r", "x"), sink("~T|T>p", "x")}},
		{"a black box", boxed(""), boxed("    connect p, box.o\n"), []string{source("~T|X>o", "x"), sink("~T|T>p", "x")}},
		{"a register", twoKids, replace("connect r, a", "connect r, UInt<8>(3)"), []string{source("~T|T>k", "x"), sink("~T|Kid>r", "x")}},
	} {
		if c.name == "a register" {
			c.text += "    node k = UInt<8>(3)\n"
		}
		got, _ := design(t, "t.fir", annotated(c.text, c.annos...))
		hand, _ := design(t, "t.fir", "FIRRTL version 4.0.0\n"+c.hand)
		t.Run(c.name, func(t *testing.T) { sameOutputs(t, got, hand) })
	}
}

// sameOutputs runs two designs on the same inputs. Their black boxes are inverters.
func sameOutputs(t *testing.T, a, b *ir.Design) {
	t.Helper()
	open := func(d *ir.Design) *sim.Sim {
		for _, m := range d.Modules {
			if m.Extern != nil {
				m.Extern = nil
				m.Ports[1].Node = m.Add(ir.Node{Op: ir.Not, Width: 8, Type: ir.TypeID(ir.UInt)}, m.Ports[0].Node)
			}
		}
		s, err := sim.New(d, sim.WithEngine(sim.Interpreter))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	x, y := open(a), open(b)
	rng := rand.New(rand.NewPCG(1, 2))
	for cycle := range 100 {
		for i, p := range a.Top.Ports {
			if p.Dir == ir.In && p.Type != ir.TypeID(ir.Clock) {
				v := randcircuit.Value(rng, p.Width)
				x.SetBits(x.Top()[i], v)
				y.SetBits(y.Top()[i], v)
			}
		}
		for i, p := range a.Top.Ports {
			if p.Dir == ir.Out && !x.GetBits(x.Top()[i]).Equal(y.GetBits(y.Top()[i])) {
				t.Fatalf("cycle %d: %s is %v, want %v", cycle, p.Name, x.GetBits(x.Top()[i]), y.GetBits(y.Top()[i]))
			}
		}
		x.Step(1)
		y.Step(1)
	}
}

// A memory that becomes registers starts at 0, whatever its file; one with too many words,
// or with ports on two clocks, is refused.
func TestFullResetMemory(t *testing.T) {
	memory := func(depth int, clk string) string {
		return fmt.Sprintf(`circuit M: %%[[
{"class":"circt.FullResetAnnotation","target":"~M|M>rst"},
{"class":"firrtl.annotations.MemoryScalarInitAnnotation","target":"~M|M>mem","value":3}]]
  public module M:
    input clock: Clock
    input two: Clock
    input rst: AsyncReset
    input a: UInt<4>
    output o: UInt<8>
    cmem mem: UInt<8>[%d]
    infer mport r = mem[a], clock
    connect o, r
    write mport w = mem[a], clock
    connect w, a
    write mport v = mem[not(a)], %s
    connect v, a
`, depth, clk)
	}
	read := func(depth int, clk string) ([]lower.Note, error) {
		c, err := syntax.Parse("m.fir", "FIRRTL version 4.0.0\n"+memory(depth, clk))
		require.NoError(t, err)
		_, notes, err := lower.Lower(c, lower.Options{})
		return notes, err
	}

	notes, err := read(16, "clock")
	require.NoError(t, err)
	require.Equal(t, "m.fir:4: memory ~M|M>mem, which would start with contents, is not in the design, or is registers that a full reset clears", notes[len(notes)-1].String())
	_, err = read(16, "two")
	require.ErrorContains(t, err, "m.fir:11: memory mem of module M becomes registers by the full reset, but its ports have different clocks")
	_, err = read(1<<15, "clock")
	require.ErrorContains(t, err, "m.fir:3: annotation circt.FullResetAnnotation on ~M|M>rst: memory mem of module M would be 32768 registers, which the reset clears; 16384 at most")
}
