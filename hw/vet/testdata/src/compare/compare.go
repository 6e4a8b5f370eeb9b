package compare

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"etch/hw"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type Ports struct {
	A, B hw.UInt
	C    hw.Bit
}

type pin struct {
	sig  hw.Signal
	name string
}

func mistakes(m *hw.Module, p Ports, a, b hw.Signal) {
	if a == b { // want `== compares handles, which panics; Eq compares in hardware, hw.NodeOf tells handles apart \[hwcompare\]`
	}
	if any(p.A) != any(p.B) { // want `!= compares handles, which panics`
	}
	if (pin{sig: a}) == (pin{sig: b}) { // want `== compares handles`
	}
	switch a { // want `switch compares handles with ==, which panics; write a type switch, or Cases and When for hardware`
	case b:
	}
	names := map[hw.Signal]string{} // want `a map with signals as keys panics when one is stored; use the node of hw.NodeOf as the key`
	_ = names
	seen := map[any]bool{}
	seen[p.A] = true                       // want `a signal as the key of a map panics`
	_ = slices.Contains([]hw.Signal{a}, b) // want `Contains compares handles with ==, which panics`
	_ = slices.Index([]pin{}, pin{})       // want `Index compares handles with ==, which panics`
	_ = reflect.DeepEqual(p.A, p.B)        // want `DeepEqual compares the handle p.A and not a value: Eq compares in hardware, a test bench reads values`
	fmt.Println("count", p.A)              // want `Println prints the handle p.A and not a value: Module.Printf prints in simulation, a test bench reads values`
	_ = fmt.Sprintf("%v", a)               // want `Sprintf prints the handle a`
}

func TestMistakes(t *testing.T) {
	var p Ports
	assert.Equal(t, 3, p.A)      // want `Equal compares the handle p.A`
	require.Equalf(t, 3, p, "x") // want `Equalf compares the handle p `
	assert.New(t).Equal(p.A, 3)  // want `Equal compares the handle p.A`
	t.Log(p.A)                   // want `Log prints the handle p.A`
	t.Errorf("count is %d", p.A) // want `Errorf prints the handle p.A`
	t.Log(p.A.Width())
	assert.Equal(t, 8, p.A.Width())
	assert.Len(t, []hw.UInt{p.A}, 1)
}

type label struct{ hw.UInt }

func (label) String() string { return "label" }

func fine(m *hw.Module, p Ports, a, b hw.Signal, x, y any) {
	if a == nil || b != nil || x == y || x == 3 {
		return
	}
	switch a.(type) {
	case hw.UInt:
	}
	switch a {
	case nil:
	}
	if p.A.Width() == p.B.Width() {
		return
	}
	_ = map[string]hw.Signal{"a": a}
	_ = slices.IndexFunc([]hw.Signal{a}, func(s hw.Signal) bool { return s.Width() == 1 })
	fmt.Printf("%T %d", p.A, p.A.Width())
	fmt.Println(label{p.A})
	m.Printf("%d", p.A)
}
