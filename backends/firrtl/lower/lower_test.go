package lower_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"etch/backends/firrtl/lower"
	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/ir/bits"
	"etch/ir/text"
	"etch/passes/derived"
	"etch/sim"
)

func lowered(text string) (*ir.Design, []lower.Note, error) {
	c, err := syntax.Parse("t.fir", text)
	if err != nil {
		return nil, nil, err
	}
	return lower.Lower(c, lower.Options{})
}

// body makes a circuit of one module with these lines.
func body(lines ...string) string {
	return "circuit T :\n  module T :\n    input clock : Clock\n    input c : UInt<1>\n    input a : UInt<8>\n    " +
		strings.Join(lines, "\n    ") + "\n"
}

// probed is a circuit with a module L below that has a probe p, with the lines from
// line 16 on in the main module.
func probed(lines ...string) string {
	return "FIRRTL version 4.0.0\ncircuit T :\n  module L :\n    input a : UInt<8>\n    output p : Probe<UInt<8>>\n    define p = probe(a)\n" +
		"  extmodule E :\n    output p : Probe<UInt<8>>\n  public module T :\n    input c : Clock\n    input a : UInt<8>\n    output q : UInt<8>\n    output r : Probe<UInt<8>>\n    inst l of L\n    connect l.a, a\n    " +
		strings.Join(lines, "\n    ") + "\n"
}

// Errors name the line and the construct. Line 6 is the first of the body.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		body("output o : UInt<8>"):                         "t.fir:6: o of module T is not driven",
		body("output o : UInt<8>", "when c :", "  o <= a"): "t.fir:6: o of module T is not driven under all conditions",
		body("a <= c"):                                 "t.fir:6: a cannot be driven here",
		body("output o : UInt<8>", "o <= b"):           "t.fir:7: there is no b",
		body("node n = a", "node n = c"):               "t.fir:7: a second n; the first is in line 6",
		body("when c :", "  node n = a", "node m = n"): "t.fir:8: n is declared inside a block that has ended",
		body("node n = add(a, asSInt(a))"):             "t.fir:6: add of a UInt and an SInt",
		body("node n = add(a, clock)"):                 "t.fir:6: add of a value of type Clock",
		body("node n = bits(a, 8, 0)"):                 "t.fir:6: bit 8 of 8",
		body("node n = bits(a, 1, 2)"):                 "t.fir:6: bits 1 down to 2",
		body("node n = head(a, 9)"):                    "t.fir:6: head takes 9 bits of 8",
		body("node n = a.x"):                           "t.fir:6: there is no field x",
		body("node n = a[3]"):                          "t.fir:6: element 3 of what is no vector",
		body("node n = mux(a, a, a)"):                  "t.fir:6: a condition of 8 bits",
		body("when a : skip"):                          "t.fir:6: a condition of 8 bits",
		body("node n = UInt<3>(9)"):                    "t.fir:6: 9 does not fit 3 bits",
		body("output o : SInt<8>", "o <= a"):           "t.fir:7: a UInt is connected to o, a SInt",
		body("inst i of Other"):                        "t.fir:6: instance i: there is no module Other",
		body("inst i of T"):                            "t.fir:6: module T holds an instance of itself",
		body("read mport r = m[a], clock"):             "t.fir:6: there is no m",
		body("cmem m : UInt<8>[4]", "read mport r = m[bits(a, 1, 0)], clock", "r <= a"): "t.fir:8: r is a read port: it cannot be written",
		body("cmem m : UInt<8>[4]", "node n = m"):                                       "t.fir:7: m is a memory; only its ports can be used",
		body("reg r : UInt<8>, c", "r <= a"):                                            "t.fir:6: a UInt where a Clock is wanted",
		body("reg r : UInt, clock", "r <= add(r, a)"):                                   "t.fir:6: the width of r cannot be inferred: it depends on itself and grows",
		body("reg r : UInt<8>, clock with : (reset => (asAsyncReset(c), a))", "r <= a"): "t.fir:6: register r of module T: the value of an asynchronous reset must be a constant",
		body("wire p : Analog<1>", "attach(p, a)"):                                      "t.fir:7: attach of what is not Analog",
		body("wire p : Analog<1>", "wire q : Analog<2>", "attach(p, q)"):                "t.fir:8: attach of p, 1 bits, and q, 2 bits",
		body("wire p : Analog<1>[2]", "wire q : Analog<1>", "attach(p[c], q)"):          "t.fir:8: attach of an Analog that a mux or an index chooses: which wires are one must be known",
		body("wire p : Analog<1>", "p <= c"):                                            "t.fir:7: a UInt is connected to p, a Analog",
		body("wire p : Analog<1>", "wire q : Analog<1>", "p <= q"):                      "t.fir:8: p is Analog: it can only be attached",
		body("wire p : Analog<8>", "node n = add(p, a)"):                                "t.fir:7: add of a value of type Analog",
		body("wire p : Analog<8>", "node n = asUInt(p)"):                                "t.fir:7: asUInt of a value of type Analog",
		body("wire p : Analog<8>", "node n = p"):                                        "t.fir:7: node n of an Analog: it can only be attached",
		body("wire p : Analog<8>", "node n = mux(c, p, p)"):                             "t.fir:7: node n of an Analog: it can only be attached",
		body("reg p : Analog<8>, clock"):                                                "t.fir:6: a register with a flipped or analog field",
		body("output p : Analog<8>", "output q : Analog<8>", "attach(p, q)"):            "t.fir:7: ports p and q of the main module are attached to each other: a pad has a wire of its own",
		"circuit T :\n  extmodule E :\n    output pad : Analog<4>\n    output value : UInt<5>\n    defname = etch_read\n  module T :\n    inst e of E\n": "t.fir:2: extmodule E has the name of a cell of etch (defname etch_read) and other ports",
		body("node n = dshl(a, pad(a, 30))"):                                                                    "t.fir:6: dshl gives 1048577 bits; 1048576 at most",
		body("wire w : UInt<8>[2000000]"):                                                                       "t.fir:6: a vector of 2000000 elements of 1 signals each; 1048576 signals at most",
		body("wire w : UInt<2000000>"):                                                                          "t.fir:6: a signal of 2000000 bits; 1048576 at most",
		body("printf(clock, c, \"%d %q\", a)"):                                                                  "t.fir:6: the format has a verb that FIRRTL does not have: \"%q\"",
		body("printf(clock, c, \"%d %d\", a)"):                                                                  "t.fir:6: the format \"%d %d\" has more verbs than arguments",
		body("printf(clock, c, \"x\", a)"):                                                                      "t.fir:6: the format \"x\" has fewer verbs than arguments",
		body("wire p : UInt<8>", "wire q : UInt<8>", "p <= not(q)", "q <= p"):                                   "t.fir:2: module T has a combinational loop: ",
		"circuit T :\n  module U :\n    skip\n":                                                                 "t.fir:1: there is no module T, which would be the main one",
		"circuit T :\n  extmodule T :\n    input a : UInt<1>\n":                                                 "t.fir:2: the main module T has no body: it is an extmodule or intmodule; name another as the top",
		"circuit T :\n  module T :\n    skip\n  module T :\n    skip\n":                                         "t.fir:4: a second module T; the first is in line 2",
		"circuit T :\n  extmodule E :\n    input a : UInt\n  module T :\n    inst e of E\n    e.a <= UInt(1)\n": "t.fir:3: port a of an external module has no width",
		"circuit T :\n  intmodule E :\n    intrinsic = circt_isX\n  module T :\n    inst e of E\n":              "t.fir:2: intrinsic circt_isX with 0 arguments",
		probed("connect q, read(l.nix)"):                                                                        "t.fir:16: module L defines no probe nix",
		probed("connect q, l.p"):                                                                                "t.fir:16: a probe where a value is wanted: read it",
		probed("node n = l.p"):                                                                                  "t.fir:16: a probe where a value is wanted: read it",
		probed("connect q, tail(add(l.p, a), 1)"):                                                               "t.fir:16: a probe where a value is wanted: read it",
		probed("connect q, read(probe(and(a, a)))"):                                                             "t.fir:16: a probe of what is no port, wire, node or register",
		probed("connect q, read(a)"):                                                                            "t.fir:16: probe a is not defined before it is used",
		probed("node n = probe(a)"):                                                                             "t.fir:16: a probe where a value is wanted: read it",
		probed("force_initial(l.p, a)"):                                                                         "t.fir:16: force_initial of a probe is not read: etch reads probes, and drives nothing through them",
		probed("release(c, a, l.p)"):                                                                            "t.fir:16: release of a probe is not read",
		probed("inst e of E", "connect q, read(e.p)"):                                                           "module E defines no probe p",
		probed("intrinsic(circt_dpi_call<functionName = \"f\">, a)"):                                            "t.fir:16: intrinsic circt_dpi_call is not read; these are: circt_chisel_assert, ",
		probed("intrinsic(circt_verif_assert, eq(a, a))"):                                                       "t.fir:16: circt_verif_assert of a property without a clock is not read",
		probed("node n = intrinsic(circt_ltl_delay<delay = 1> : UInt<1>, orr(a))"):                              "t.fir:16: intrinsic circt_ltl_delay whose length is not fixed",
		probed("node n = intrinsic(circt_ltl_until : UInt<1>, orr(a), orr(a))"):                                 "t.fir:16: intrinsic circt_ltl_until is not read",
		probed("node n = intrinsic(circt_isX : { a : UInt<1>, b : UInt<1> }, a)"):                               "t.fir:16: intrinsic circt_isX gives 1 values, its type has 2",
		probed("connect q, intrinsic(circt_ltl_delay<delay = 1, length = 0> : UInt<1>, orr(a))"):                "a property of several cycles is used as a value",
		probed("node n = intrinsic(circt_clock_gate : Clock, a, orr(a))"):                                       "t.fir:16: a UInt where a Clock is wanted",
		"circuit T :\n  module L :\n    input r : Reset\n  module T :\n    input a : AsyncReset\n    input b : UInt<1>\n    inst x of L\n    inst y of L\n    x.r <= a\n    y.r <= b\n": "t.fir:3: a Reset is connected to a synchronous reset in line 10 and to an asynchronous one in line 9",
		"FIRRTL version 4.0.0\ncircuit T :\n  type A = { b : A }\n  public module T :\n    input a : A\n":                                                                               "t.fir:3: type A is made of itself",
		"FIRRTL version 4.0.0\ncircuit T :\n  public module T :\n    input e : {|a, b|}\n    match e :\n      a :\n        skip\n":                                                      "match has no branch for variant b",
		"FIRRTL version 4.0.0\ncircuit T :\n  public module T :\n    input c : Clock\n    input e : UInt<1>\n    force(c, e, e, e)\n":                                                   "t.fir:6: force of a probe is not read: etch reads probes, and drives nothing through them",
		"FIRRTL version 4.0.0\ncircuit T :\n  public module T :\n    node n = intrinsic(circt_foo<A = \"x\"> : UInt<1>)\n":                                                              "t.fir:4: intrinsic circt_foo is not read",
	} {
		_, _, err := lowered(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n  %v\n  want %s", text, err, want)
		}
	}
}

// A loop names the signals on it with their lines.
func TestLoop(t *testing.T) {
	_, _, err := lowered(body("wire p : UInt<8> @[A.scala 10:3]", "wire q : UInt<8> @[A.scala 11:3]", "p <= not(q)", "q <= p"))
	for _, want := range []string{"p (A.scala:10)", "q (A.scala:11)"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The older and the newer form of a statement are the same.
func TestSameHardware(t *testing.T) {
	newer := func(lines ...string) string {
		return "FIRRTL version 4.0.0\n" + strings.Replace(body(lines...), "  module T", "  public module T", 1)
	}
	for _, c := range [][2]string{
		{body("output o : UInt<8>", "o <= a"), newer("output o : UInt<8>", "connect o, a")},
		{body("output o : UInt<8>", "o is invalid"), newer("output o : UInt<8>", "invalidate o")},
		{body("reg r : UInt<8>, clock with : (reset => (c, UInt<8>(\"h2a\")))", "r <= a"), newer("regreset r : UInt<8>, clock, c, UInt<8>(0h2a)", "connect r, a")},
		{body("reg r : UInt<8>, clock with :", "  reset => (c, UInt<8>(42))", "r <= a"), newer("regreset r : UInt<8>, clock, c, UInt<8>(0b101010)", "connect r, a")},
		{body("output o : SInt<8>", "o <= SInt<8>(\"h-3\")"), newer("output o : SInt<8>", "connect o, SInt<8>(-0h3)")},
		{body("output o : UInt<8>", "o <= validif(c, a)"), newer("output o : UInt<8>", "connect o, a")},
		{body("output o : { x : UInt<8>, y : UInt<1>}", "wire w : { x : UInt<8>, z : UInt<1>}", "w.x <= a", "w.z <= c", "o.y <= c", "o <- w"),
			newer("output o : { x : UInt<8>, y : UInt<1>}", "wire w : { x : UInt<8>, z : UInt<1>}", "connect w.x, a", "connect w.z, c", "connect o.y, c", "connect o.x, w.x")},
		{body("output o : UInt<8>", "when c :", "  o <= a", "else :", "  o <= UInt(1)"), newer("output o : UInt<8>", "when c : connect o, a else : connect o, UInt(1)")},
	} {
		var got [2]string
		for i, src := range c {
			d, _, err := lowered(src)
			if err != nil {
				t.Fatalf("%s\n%v", src, err)
			}
			got[i] = withoutPositions(text.String(d))
		}
		if got[0] != got[1] {
			t.Errorf("%s\n%s\ndiffers from\n%s\n%s", c[0], got[0], c[1], got[1])
		}
	}
}

// withoutPositions drops what is behind an @ and the names of the files.
func withoutPositions(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if strings.HasPrefix(line, "file ") {
			continue
		}
		line, _, _ = strings.Cut(strings.TrimRight(line, "\n"), " @")
		b.WriteString(line + "\n")
	}
	return b.String()
}

// Port names are those of firtool, in its order.
func TestPortNames(t *testing.T) {
	d, _ := design(t, "p.fir", `circuit P :
  module P :
    input io : { flip bits : { a : UInt<1>, b : SInt<2>[2] }, z : UInt<0>, 0 : UInt<3> }
    input y : { b_c : UInt<8>, b : {c : UInt<8>} }
    output v : { x : UInt<1> }[2]
    io.bits.a <= UInt(1)
    io.bits.b[0] <= SInt(1)
    io.bits.b[1] <= SInt(1)
    v[0].x <= UInt(0)
    v[1] <= v[0]
`)
	var got []string
	for _, p := range d.Top.Ports {
		got = append(got, p.Dir.String()+" "+p.Name)
	}
	want := "output io_bits_a, output io_bits_b_0, output io_bits_b_1, input io_0, input y_b_c, input y_b_c_0, output v_0_x, output v_1_x"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// stop, printf, assert, assume and cover.
func TestCommands(t *testing.T) {
	d, _ := design(t, "s.fir", body(
		"node n = eq(a, UInt<8>(5))",
		"when c :",
		"  printf(clock, n, \"a=%d %x %b%c%%\\n\", a, a, asSInt(a), UInt<8>(33)) : say",
		"  assert(clock, not(n), UInt<1>(1), \"five\") : ok",
		"  cover(clock, n, UInt<1>(1), \"seen\") : seen",
		"stop(clock, eq(a, UInt<8>(200)), 3)",
		"assume(clock, UInt<1>(1), c, \"\")"))
	var out bytes.Buffer
	s, err := sim.New(d, sim.WithOutput(&out), sim.WithEngine(sim.Interpreter))
	if err != nil {
		t.Fatal(err)
	}
	c, _ := s.Signal("c")
	a, _ := s.Signal("a")
	step := func(cv, av uint64) {
		s.Set(c, cv)
		s.Set(a, av)
		s.Step(1)
	}
	step(0, 5)
	step(1, 4)
	step(1, 5)
	step(0, 200)
	if out.String() != "a=5 05 00000101!%\n" {
		t.Errorf("printed %q", out.String())
	}
	f := s.Failures()
	if len(f) != 2 || f[0].Name != "ok" || f[0].Cycle != 2 || f[0].Message != "five" {
		t.Fatalf("failures %v", f)
	}
	if stop, ok := s.Stopped(); !ok || stop.Code != 3 || stop.Cycle != 3 || f[1].Kind != ir.Stop {
		t.Errorf("stop: %v, failure %v", stop, f[1])
	}
	if n := s.Coverage(); len(n) != 1 || n[0].Name != "seen" || n[0].Count != 1 {
		t.Errorf("coverage %v", n)
	}
}

// Memories of every latency and read-under-write against a model in Go: data comes
// latency cycles after its address, old before and new with the writes meanwhile.
func TestLatencies(t *testing.T) {
	for _, under := range []string{"old", "new"} {
		for read := 1; read <= 3; read++ {
			for write := 1; write <= 2; write++ {
				src := body("input w : UInt<3>", "input r : UInt<3>", "output o : UInt<8>",
					"mem m :", "  data-type => UInt<8>", "  depth => 8", "  read-latency => "+string(rune('0'+read)),
					"  write-latency => "+string(rune('0'+write)), "  reader => rd", "  writer => wr", "  read-under-write => "+under,
					"m.rd.addr <= r", "m.rd.en <= UInt<1>(1)", "m.rd.clk <= clock", "o <= m.rd.data",
					"m.wr.addr <= w", "m.wr.en <= c", "m.wr.clk <= clock", "m.wr.data <= a", "m.wr.mask <= UInt<1>(1)")
				checkLatency(t, src, under == "new", read, write)
			}
		}
	}
}

func checkLatency(t *testing.T, src string, isNew bool, read, write int) {
	d, _ := design(t, "m.fir", src)
	s, err := sim.New(d, sim.WithEngine(sim.Interpreter))
	if err != nil {
		t.Fatal(err)
	}
	sig := map[string]sim.Signal{}
	for _, p := range s.Top() {
		sig[p.Base()] = p
	}
	type cycle struct{ w, r, c, a uint64 }
	var past []cycle
	var mem [8]uint64
	history := [][8]uint64{mem} // contents at the start of each cycle
	x := uint64(1)
	for n := range 300 {
		x = x*6364136223846793005 + 1442695040888963407
		in := cycle{x >> 60 & 3, x >> 40 & 3, x >> 30 & 1, x >> 20 & 255}
		past = append(past, in)
		s.Set(sig["w"], in.w)
		s.Set(sig["r"], in.r)
		s.Set(sig["c"], in.c)
		s.Set(sig["a"], in.a)
		if n >= read {
			at := history[n-read]
			if isNew {
				at = history[n]
			}
			if got, want := s.Get(sig["o"]), at[past[n-read].r]; got != want {
				t.Fatalf("new %v, read latency %d, write latency %d, cycle %d: %d, want %d", isNew, read, write, n, got, want)
			}
		}
		s.Step(1)
		if n >= write-1 {
			if p := past[n-write+1]; p.c == 1 {
				mem[p.w] = p.a
			}
		}
		history = append(history, mem)
	}
}

// A memory of one word, for which firtool 1.155 falls over, is a register.
func TestOneWord(t *testing.T) {
	d, _ := design(t, "m.fir", body("output o : UInt<8>", "cmem m : UInt<8>[1]", "infer mport p = m[UInt<1>(0)], clock",
		"o <= p", "infer mport q = m[UInt<1>(0)], clock", "when c :", "  q <= a"))
	s, err := sim.New(d, sim.WithEngine(sim.Interpreter))
	if err != nil {
		t.Fatal(err)
	}
	c, _ := s.Signal("c")
	a, _ := s.Signal("a")
	o, _ := s.Signal("o")
	want := uint64(0)
	for i := range uint64(20) {
		s.Set(c, i%3&1)
		s.Set(a, 10+i)
		s.Step(1)
		if i%3 == 1 {
			want = 10 + i
		}
		if s.Get(o) != want {
			t.Fatalf("cycle %d: %d, want %d", i, s.Get(o), want)
		}
	}
}

// A memory starts from the file that an annotation names.
func TestMemoryFile(t *testing.T) {
	src := strings.Replace("FIRRTL version 4.0.0\n"+body("output o : UInt<8>", "cmem m : UInt<8>[256]", "infer mport p = m[a], clock", "connect o, p"),
		"circuit T :", `circuit T : %[[{"class":"firrtl.annotations.MemoryFileInlineAnnotation","filename":"x.hex","hexOrBinary":"h","target":"~T|T>m"}]]`, 1)
	c, err := syntax.Parse("t.fir", src)
	if err != nil {
		t.Fatal(err)
	}
	d, notes, err := lower.Lower(c, lower.Options{File: func(name string) ([]byte, error) { return []byte("@3 2a 2b"), nil }})
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	if got := d.Top.Mems[0].Init[4]; !got.Equal(bits.New(8, 0x2b)) {
		t.Errorf("word 4 is %v", got)
	}
	_, notes, err = lower.Lower(c, lower.Options{})
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0].String(), "memory m would start from file x.hex") {
		t.Error(err, notes)
	}
	_, _, err = lower.Lower(c, lower.Options{File: os.ReadFile})
	if err == nil || !strings.Contains(err.Error(), "memory m starts from file x.hex") {
		t.Error(err)
	}
}

// FuzzLower looks for texts that make the front end fail other than by an error
// that names a line, or make a netlist that is not valid.
func FuzzLower(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*.fir")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := syntax.Parse("f.fir", text)
		if err != nil {
			return
		}
		d, _, err := lower.Lower(c, lower.Options{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.fir:") {
				t.Error(err)
			}
			return
		}
		if derived.Resolve(d) != nil {
			return
		}
		if err := ir.Verify(d); err != nil {
			t.Error(err)
		}
	})
}

// What nests deep, or is long in a row, is read without trouble.
func TestDeep(t *testing.T) {
	var whens, chain strings.Builder
	for i := range 3000 {
		whens.WriteString("    " + strings.Repeat(" ", i) + "when c :\n")
	}
	whens.WriteString("    " + strings.Repeat(" ", 3000) + "o <= not(a)\n")
	for i := range 20000 {
		chain.WriteString("    " + []string{"else ", ""}[min(1, max(0, 1-i))] + "when eq(a, UInt<8>(" + itoa(i%256) + ")) :\n      o <= UInt<8>(" + itoa(i%255) + ")\n")
	}
	for name, text := range map[string]string{
		"expression": body("output o : UInt<8>", "o <= "+strings.Repeat("not(", 9000)+"a"+strings.Repeat(")", 9000)),
		"whens":      body("output o : UInt<8>", "o <= a") + whens.String(),
		"chain":      body("output o : UInt<8>", "o <= a") + chain.String(),
	} {
		d, _ := design(t, "deep.fir", text)
		s, err := sim.New(d, sim.WithEngine(sim.Interpreter))
		if err != nil {
			t.Fatal(err)
		}
		a, _ := s.Signal("a")
		c, _ := s.Signal("c")
		o, _ := s.Signal("o")
		s.Set(a, 77)
		s.Set(c, 1)
		want := map[string]uint64{"expression": 77, "whens": 255 - 77, "chain": 77}[name]
		if got := s.Get(o); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

// A black box may be declared twice, if alike: files that were put together do so.
func TestBoxTwice(t *testing.T) {
	box := "  extmodule X :\n    input a : UInt<8>\n    defname = y\n    parameter W = 8\n"
	text := func(second string) string {
		return "circuit T :\n" + box + "  module T :\n    input a : UInt<8>\n    inst x of X\n    x.a <= a\n" + second
	}
	if _, _, err := lowered(text(box)); err != nil {
		t.Error(err)
	}
	for _, cut := range []string{"defname = y", "parameter W = 8", "a : UInt<8>"} {
		second := strings.Replace(box, cut, strings.NewReplacer("y", "z", "8", "9").Replace(cut), 1)
		if _, _, err := lowered(text(second)); err == nil || !strings.Contains(err.Error(), "t.fir:10: a second module X; the first is in line 2") {
			t.Errorf("%s: %v", second, err)
		}
	}
}

// A type that nests 50,000 deep takes time in its depth, not in its square; names
// of many leaves below it are bounded.
func TestDeepTypes(t *testing.T) {
	dims := strings.Repeat("[1]", 50000)
	d, _ := design(t, "deep.fir", "circuit T :\n  module T :\n    input a : UInt<1>"+dims+"\n    output b : UInt<1>"+dims+"\n    b <= a\n")
	if n := len(d.Top.Ports[0].Name); n != 1+2*50000 {
		t.Errorf("a name of %d bytes", n)
	}
	_, _, err := lowered("circuit T :\n  module T :\n    input a : UInt<1>" + "[100000]" + dims + "\n")
	if err == nil || !strings.Contains(err.Error(), "the names of the circuit's signals take more than 268435456 bytes") {
		t.Error(err)
	}
}

func itoa(i int) string { return strconv.Itoa(i) }
