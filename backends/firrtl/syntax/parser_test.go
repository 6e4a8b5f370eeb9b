package syntax_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"etch/backends/firrtl/syntax"
)

func parse(t *testing.T, text string) *syntax.Circuit {
	t.Helper()
	c, err := syntax.Parse("t.fir", text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// statements lists a module's statements: their kinds, indented by blocks.
func statements(c *syntax.Circuit, first syntax.Stmt, indent string) (list []string) {
	for at := first; at != 0; at = c.Stmts[at].Next {
		s := &c.Stmts[at]
		list = append(list, fmt.Sprintf("%s%d:%s", indent, s.Line, c.Names[s.Name]))
		switch s.Kind {
		case syntax.When, syntax.Match, syntax.Case:
			list = append(list, statements(c, syntax.Stmt(s.B), indent+" ")...)
			if s.Kind == syntax.When && s.C != 0 {
				list = append(list, indent+"else")
				list = append(list, statements(c, syntax.Stmt(s.C), indent+" ")...)
			}
		}
	}
	return list
}

// Indentation makes blocks; a statement may go on over lines, an else may be on
// the line of its when.
func TestBlocks(t *testing.T) {
	c := parse(t, `circuit C :
  module C :
    input c : UInt<1>
    node a = and(c,
  c) @[x.scala 1:1]
    when c :

       ; a comment at the margin
; another
       node b = c
       when c : node d = c else : node e = c
       node f = c
    else when c :
       skip
    else :
       node g = c
    node h = c
`)
	got := strings.Join(statements(c, c.Modules[0].Body, ""), "\n")
	want := strings.Join([]string{"4:a", "6:", " 10:b", " 11:", "  11:d", " else", "  11:e", " 12:f", "else", " 13:", " else", "  16:g", "17:h"}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Keywords are names where nothing else fits.
func TestKeywordsAsNames(t *testing.T) {
	c := parse(t, `circuit reg :
  module reg :
    input input : UInt<1>
    output output : { flip flip : UInt<1>, 0 : UInt<1>, mem : UInt<1>[2] }
    wire wire : UInt<1>
    wire when : UInt<1>[2]
    wire mem : UInt<1>
    wire <= input
    when[0] <= wire
    when[wire] <= wire
    wire node : { is : UInt<1> }
    node.is <= input
    mem is invalid
    output.0 <= mux(input, add, node.is)
    output.mem[1] <= output.mem[0]
    reg mux : UInt<1>, clock
    inst of of reg
    skip
`)
	n := 0
	for s := c.Modules[0].Body; s != 0; s = c.Stmts[s].Next {
		n++
	}
	if n != 13 {
		t.Errorf("%d statements", n)
	}
}

// The first place of a locator is kept, in the forms that Chisel has written over
// the years.
func TestLocators(t *testing.T) {
	for text, want := range map[string]string{
		"Foo.scala 12:34":                     "Foo.scala:12",
		"src/a b.scala 12:{3,9} 14:2":         "src/a b.scala:12",
		"Foo.scala 7:1 Bar.scala 9:2":         "Foo.scala:7",
		"Foo.scala 7:1, 9:2":                  "Foo.scala:7",
		"Foo.scala 99:19:@123.4":              "Foo.scala:99",
		`we\]ird.scala 3:1`:                   "we]ird.scala:3",
		"C:/dir/Foo.scala 5:1":                "C:/dir/Foo.scala:5",
		":@5.2":                               "",
		"no place":                            "",
		"Foo.scala 99999999999999999999999:1": "",
	} {
		c := parse(t, "circuit C :\n  module C :\n    skip\n    wire w : UInt<1> @["+text+"] @[other.scala 1:1]\n")
		got := ""
		if at := c.Stmts[1].Info; at != 0 {
			got = fmt.Sprintf("%s:%d", c.Names[c.Infos[at].File], c.Infos[at].Line)
		}
		if want == "" {
			want = "other.scala:1"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// An error names the line and column and what is there.
func TestErrors(t *testing.T) {
	in := func(s string) string { return "circuit C :\n  module C :\n    input c : UInt<1>\n    " + s + "\n" }
	deep := strings.Repeat("not(", syntax.MaxNesting+5)
	for text, want := range map[string]string{
		"":                                  "1:1: the end of the file where 'circuit' is wanted",
		"FIRRTL version 9.0.0\ncircuit C :": "1: FIRRTL version 9.0.0; versions 1 to 7 are read",
		"circuit C :\n  module C :\n    skip\ncircuit D :\n": "4:1: a second circuit in one file; the first is in line 2: give each a file of its own",
		"circuit C\n":                      "2:1: the end of the file where ':' is wanted",
		"circuit C :\n  wire w":            "2:3: wire where a module is wanted",
		"circuit C :\nmodule C :":          "2:1: module where a module is wanted",
		in("wire w UInt<1>"):               "4:12: UInt where ':' is wanted",
		in("wire w : Fixed<8><<2>>"):       "4:14: type Fixed is not read; FIRRTL has it no longer",
		in("node n = addc(c, c)"):          "4:14: there is no operation addc",
		in("node n = add(c)"):              "4:19: ')' where add has 2 arguments",
		in("node n = add(c, c, c)"):        "4:22: ',' where add has 2 arguments",
		in("node n = bits(c, 1)"):          "4:23: ')' where ',' is wanted",
		in("node n = shl(c, -1)"):          "4:21: -1 is not a number from 0 to 2147483646",
		in("node n = UInt<4>(\"hxyz\")"):   "4:22: \"hxyz\" is not a number",
		in("node n = UInt<4>(-3)"):         "4:22: '-3' is not a number",
		in("node n = UInt<4>(0b12)"):       "4:22: '0b12' is not a number",
		in("node n = c d"):                 "4:16: d where the end of the line is wanted",
		in("c ! c"):                        "4:7: character '!'",
		in("c <= \"abc"):                   "4:10: \" that is not closed on its line",
		in("wire w : UInt<1> @[a 1:1"):     "4:22: @[ that is not closed on its line",
		in("mem m :\n      depth => 3"):    "4: memory m has no data-type",
		in("mem m :\n      width => 3"):    "5:7: memories have no field width",
		in("cmem m : UInt<8>"):             "4: memory m has no depth: its type is not a vector",
		in("contract c = a :\n      skip"): "4:5: contract is not read",
		in("stop(c, c, x)"):                "4:16: x where an exit code is wanted",
		in("node n = " + deep):             "more than 10000 levels of nesting",
		in("wire w : " + strings.Repeat("{a:", syntax.MaxNesting+5)): "more than 10000 levels of nesting",
		"circuit C : %[[{\"a\" : 1}\n":                               "1:13: %[ that is not closed",
	} {
		if strings.HasPrefix(text, "circuit C :\n") && !strings.HasPrefix(text, "FIRRTL") {
			text = "FIRRTL version 2.0.0\n" + text
			if at, rest, ok := strings.Cut(want, ":"); ok && len(at) == 1 {
				want = string(at[0]+1) + ":" + rest
			}
		}
		_, err := syntax.Parse("t.fir", text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "t.fir:") {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
}

// Files without a version line need no commas: to their reader a comma was a blank.
func TestLegacyCommas(t *testing.T) {
	text := "circuit C :\n  module C :\n    input a : { b : UInt<1> c : UInt<1>}\n    node n = mux(a.b a.c a.b)\n    node m = bits(a.b 0 0)\n"
	parse(t, text)
	if _, err := syntax.Parse("t.fir", "FIRRTL version 2.0.0\n"+text); err == nil {
		t.Error("a file of version 2 without commas is read")
	}
}

// What carries no hardware is read over.
func TestNoHardware(t *testing.T) {
	c := parse(t, `FIRRTL version 6.0.0
circuit C : %[[{"class" : "x]\"}"}]] @[a 1:1]
  layer A, bind, "some/dir" :
    layer B, inline :
  option Platform :
    FPGA
  formal test of C :
    depth = [1, {a = "x"}]
  extclass E :
    input in : String
  class K :
    output n : List<Integer>
    propassign n, List<Integer>(Integer(1), Integer(2))
    propassert prop_eq(Integer(1), Integer(1)), "text"
  public module C enablelayer A.B :
    output p : Probe<UInt<1>, A.B>
    output q : Inst<K>
    object k of K
    propassign q, k
    wire w : UInt<1>
    define p = probe(w)
    fprintf(w, w, "f%d", w, "text")
    layerblock A :
      layerblock B :
        node n = w
    connect w, UInt<1>(1)
`)
	if len(c.Modules) != 1 || c.Annotations == "" || len(c.Layers) != 2 || c.Names[c.Layers[1]] != "A.B" || len(c.Notes) != 3 {
		t.Errorf("%d modules, annotations %q, layers %v, notes %v", len(c.Modules), c.Annotations, c.Layers, c.Notes)
	}
}

// A byte order mark in front is no part of the text, and its line is the first.
func TestByteOrderMark(t *testing.T) {
	c, err := syntax.Parse("b.fir", "\ufeffcircuit B :\n  module B :\n    input a : UInt<1>\n")
	if err != nil || len(c.Modules) != 1 {
		t.Errorf("%v, %v", c, err)
	}
	if _, err := syntax.Parse("b.fir", "\ufeffcirkuit B :\n"); err == nil || !strings.HasPrefix(err.Error(), "b.fir:1:1: ") {
		t.Error(err)
	}
}

// FuzzParse looks for texts that make the parser fail other than by an error that
// names a line.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("../lower/testdata/*/*.fir")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := syntax.Parse("f.fir", text)
		if err != nil && !strings.HasPrefix(err.Error(), "f.fir:") {
			t.Error(err)
		}
	})
}

// large is a circuit of about n lines as Chisel writes them.
func large(n int) string {
	var b strings.Builder
	b.WriteString("FIRRTL version 2.0.0\ncircuit Large :\n")
	line := 0
	for m := 0; line < n; m++ {
		name := fmt.Sprintf("Part_%d", m)
		if m == 0 {
			name = "Large"
		}
		fmt.Fprintf(&b, "  module %s :\n    input clock : Clock\n    input reset : UInt<1>\n    output io : { flip in : { valid : UInt<1>, bits : UInt<32>}, out : UInt<32>[2]}\n\n", name)
		b.WriteString("    reg count : UInt<32>, clock with : (reset => (reset, UInt<32>(\"h0\"))) @[Counter.scala 17:30]\n")
		for i := range 40 {
			fmt.Fprintf(&b, "    node _T_%d = and(io.in.valid, eq(count, UInt<6>(\"h%x\"))) @[Decoupled.scala 40:37]\n", 3*i, i)
			fmt.Fprintf(&b, "    when _T_%d : @[Counter.scala 71:24]\n", 3*i)
			fmt.Fprintf(&b, "      node _T_%d = tail(add(count, io.in.bits), 1) @[Counter.scala 67:24]\n", 3*i+1)
			fmt.Fprintf(&b, "      count <= _T_%d @[Counter.scala 67:15]\n", 3*i+1)
			b.WriteString("      skip @[Counter.scala 67:15]\n")
		}
		b.WriteString("    io.out[0] <= count @[Top.scala 9:3]\n    io.out[1] <= mux(reset, count, io.in.bits) @[Top.scala 10:3]\n")
		line += 208
	}
	return b.String()
}

// BenchmarkParse gives lines and allocations of a large file.
func BenchmarkParse(b *testing.B) {
	text := large(200_000)
	lines := strings.Count(text, "\n")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := syntax.Parse("large.fir", text); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// Time grows with the length of the text, not with its square.
func TestLinear(t *testing.T) {
	count := func(n int) float64 {
		text := large(n)
		return testing.AllocsPerRun(1, func() {
			if _, err := syntax.Parse("large.fir", text); err != nil {
				t.Fatal(err)
			}
		})
	}
	if small, big := count(2000), count(64000); big > small+200 {
		t.Errorf("%v allocations for 2000 lines, %v for 64000", small, big)
	}
}
