package lower_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"etch/ir"
)

// TestAnalogForms: what is attached is one net, whatever the way; ports of a module on
// one net are one.
func TestAnalogForms(t *testing.T) {
	text, err := os.ReadFile("testdata/analog/forms.fir")
	if err != nil {
		t.Fatal(err)
	}
	d, _ := design(t, "forms.fir", string(text))
	var got []string
	for _, m := range d.Modules {
		for _, n := range m.Nets {
			on := ""
			for i := range m.Insts {
				in := &m.Insts[i]
				for j, c := range in.Conns {
					if in.Mod.Ports[j].Dir == ir.InOut && c == n.Node {
						on += " " + in.Name + "." + in.Mod.Ports[j].Name
					}
				}
			}
			got = append(got, fmt.Sprintf("%s.%s:%d %v %d%s", m.Name, m.NameOf(n.Node), m.Width(n.Node), n.Pull, len(n.Drivers), on))
		}
	}
	want := []string{"Inner.x_a:4 none 0", "Inner.bus_1:4 none 1", "forms.pad:4 none 0 inner.bus_1", "forms.inner_x_a:4 up 0 inner.x_a"}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("%q\n  want %q", got, want)
	}
}

// TestPropertyForms: all that properties are made of is read.
func TestPropertyForms(t *testing.T) {
	text, err := os.ReadFile("testdata/properties/forms.fir")
	if err != nil {
		t.Fatal(err)
	}
	d, _ := design(t, "forms.fir", string(text))
	if n := len(d.Top.Stmts); n != 4 {
		t.Errorf("%d statements, want 4", n)
	}
}
