package firrtl_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/firrtl"
	"etch/ir"
	"etch/testbench/tools"
)

// attributesOf lists the attributes of modules, registers and values by the names
// that FIRRTL has for them.
func attributesOf(d *ir.Design) (list []string) {
	for _, m := range d.Modules {
		for _, a := range m.Attrs {
			list = append(list, fmt.Sprintf("%s %s=%s", m.Name, a.Name, a.Value))
		}
		m.EachAttr(func(id ir.ID, attrs []ir.Attr) {
			name := m.NameOf(id)
			for _, p := range m.Ports {
				if p.Dir == ir.Out && p.Name == name {
					name += "_reg"
				}
			}
			for _, a := range attrs {
				list = append(list, fmt.Sprintf("%s.%s %s=%s", m.Name, strings.TrimSuffix(name, "_reg"), a.Name, a.Value))
			}
		})
	}
	return list
}

// TestAttributesRoundTrip: what is written reads back, and firtool's Verilog has it in
// front of the declaration.
func TestAttributesRoundTrip(t *testing.T) {
	d := parse(t, "../verilog/testdata/attributes.etch")
	back, text := readBack(t, d)
	want := attributesOf(d)
	require.Len(t, want, 10)
	require.ElementsMatch(t, want, attributesOf(back), text)

	tools.Need(t, "firtool")
	verilog := string(firtoolText(t, []byte(text), t.TempDir()))
	for _, w := range want {
		name, attr, _ := strings.Cut(w, " ")
		key, value, _ := strings.Cut(attr, "=")
		_, name, isValue := strings.Cut(name, ".")
		declared := `module child\(`
		if isValue {
			declared = `(reg|wire) +(\[\d+:0\] +)?` + name + `(_reg)?\b`
		}
		require.Regexp(t, regexp.MustCompile(`\(\*[^*]*\b`+key+` = `+regexp.QuoteMeta(value)+`[^*]*\*\)\s+`+declared), verilog, w)
	}

	notes := strings.Join(firrtl.Notes(d, firrtl.Options{}), "\n")
	for _, place := range []string{"port", "instance u0", "memory ram"} {
		require.Contains(t, notes, place)
	}
}

// TestAttributesIn: annotations on everything, in the circuit and in a file, lists of
// attributes, aggregates; those that are no attributes are told.
func TestAttributesIn(t *testing.T) {
	anno := func(target, description string) string {
		return fmt.Sprintf(`{"class":"firrtl.AttributeAnnotation","target":"~T|%s","description":%q}`, target, description)
	}
	text := "FIRRTL version 4.0.0\ncircuit T : %[[\n" + strings.Join([]string{
		anno("T", "top"), anno("T>i", "size = 3, name = \"a, b\""), anno("T>k", "u"), anno("T/k:K", "path"), anno("T>m", `ram_style = "block"`),
		anno("T>v", "each"), anno("T>v[1]", "one"), anno("T>_n", "gone"), anno("T>i", "8'h3"), anno("T>i", "a b"), anno("K>w.x", "field"),
	}, ",\n") + `
]]
  module K :
    input i : UInt<2>
    output o : UInt<2>
    wire w : { x : UInt<2>, y : UInt<2> }
    connect w.x, i
    connect w.y, i
    connect o, and(w.x, w.y)
  public module T :
    input clock : Clock
    input i : UInt<2>
    output o : UInt<2>
    inst k of K
    connect k.i, i
    node _n = i
    reg v : UInt<2>[2], clock
    connect v[0], _n
    connect v[1], k.o
    cmem m : UInt<2>[4]
    infer mport r = m[i], clock
    infer mport w = m[v[0]], clock
    connect w, i
    connect o, xor(v[1], r)
`
	d, notes, err := firrtl.ReadText(text, "t.fir", firrtl.ReadOptions{Annotations: "[" + anno("K>w.x", "beside") + "]", AnnotationsName: "t.anno.json"})
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	require.ElementsMatch(t, []string{"T top=1", "T.v_0 each=1", "T.v_1 each=1", "T.v_1 one=1", "K.w_x field=1", "K.w_x beside=1"}, attributesOf(d))
	require.Equal(t, []ir.Attr{{Name: "size", Value: "3"}, {Name: "name", Value: `"a, b"`}}, d.Top.Ports[1].Attrs)
	require.Equal(t, []ir.Attr{{Name: "u", Value: "1"}, {Name: "path", Value: "1"}}, d.Top.Insts[0].Attrs)
	require.Equal(t, []ir.Attr{{Name: "ram_style", Value: `"block"`}}, d.Top.Mems[0].Attrs)
	var said []string
	for _, n := range notes {
		said = append(said, n.String())
	}
	require.Equal(t, []string{
		"t.fir:10: annotation firrtl.AttributeAnnotation on ~T|T>_n: nothing is left of its target in the circuit",
		`t.fir:11: annotation firrtl.AttributeAnnotation on ~T|T>i: "8'h3" is no attribute of Verilog with a number or a string, and left out`,
		`t.fir:12: annotation firrtl.AttributeAnnotation on ~T|T>i: "a b" is no attribute of Verilog with a number or a string, and left out`,
	}, said)
}
