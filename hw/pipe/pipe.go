// Package pipe lines values up in a pipeline: a value knows the stage from which it is available,
// and provides itself at any later stage through registers that all readers share.
//
//	run := m.Enabled(p.En)                        // the whole pipeline may be stopped
//	a := pipe.Of(run, "a", 0, p.A)                // there at stage 0
//	b := pipe.Of(run, "b", 0, p.B)
//	c := pipe.Of(run, "c", 0, p.C)
//	product := pipe.Of(run, "product", 1, a.At(1).Mul(b.At(1)))
//	sum := pipe.Of(run, "sum", 3, product.At(3).Add(c.At(3)))
//	p.Y.Set(sum.At(4))                            // four cycles after A, B and C
//
// Stage s of an element is s cycles (of the cycles that the clock enable lets through) after its
// stage 0. The element behind it reaches stage s one cycle later, so [Value.Back] reads the
// element before it from the same registers. Recurrences of filters are written this way.
//
// The registers of a value called a are a_1, a_2, …, the number being the stage
// whose value they hold.
//
// The package imports hw only.
package pipe

import "etch/hw"

// Value is a value of a pipeline. The zero Value is none.
type Value[T any] struct{ chain *chain[T] }

// chain is a value together with the registers behind it, one per stage, made on demand.
type chain[T any] struct {
	m     *hw.Module
	name  string
	from  int
	at    []T // at[i] is the value at stage from+i
	reset []T
	still bool // the same at every stage
}

// Of is x as the value that an element has at a stage. The registers made for it belong to m's
// clock and clock enable. With a reset value, a literal, all of them are reset to it; a flag that
// says whether an element is present needs one.
func Of[T any](m *hw.Module, name string, stage int, x T, reset ...T) Value[T] {
	return Value[T]{&chain[T]{m: m, name: name, from: stage, at: []T{x}, reset: reset}}
}

// Always is a value that is available at every stage without a register: a literal, or a signal
// that stands still while elements are under way.
func Always[T any](m *hw.Module, x T) Value[T] {
	return Value[T]{&chain[T]{m: m, at: []T{x}, still: true}}
}

// Later is the first stage at which all given values are available.
func Later[T any](x Value[T], others ...Value[T]) int {
	at := x.Stage()
	for _, y := range others {
		at = max(at, y.Stage())
	}
	return at
}

// Stage is the first stage at which v is available, 0 for a value of [Always].
func (v Value[T]) Stage() int { return v.chain.from }

// At is v at a stage. To ask for a stage before the first one is a mistake of the
// design.
func (v Value[T]) At(stage int) T { return v.Back(stage, 0) }

// Back is, seen from an element at a stage, the v of the element that entered n
// cycles before it, n ≥ 0.
func (v Value[T]) Back(stage, n int) T {
	// A Value that was never made gives the zero handle, which hw reports where it is used.
	if v.chain == nil { // unset, and so is its result
		var none T
		return none
	}

	// Being n elements behind is the same as standing n stages later.
	c, want := v.chain, stage+n-v.chain.from
	if c.still {
		return c.at[0]
	}
	if want < 0 || n < 0 {
		c.m.Errorf("range", "pipe: %s at stage %d, %d back; it is there from stage %d on", c.name, stage, n, c.from)
		return c.at[0]
	}

	// Lengthen the shared chain up to the wanted stage.
	for len(c.at) <= want {
		name := hw.Name(c.name, c.from+len(c.at))
		c.at = append(c.at, hw.Delay(c.m, name, c.at[len(c.at)-1], 1, c.reset...))
	}
	return c.at[want]
}

// Spare marks the registers of v that nothing reads: a bundle may need some of its parts at only a
// few of the stages. Call it after the last [Value.At].
func (v Value[T]) Spare() {
	if c := v.chain; c != nil && len(c.at) > 1 {
		hw.Unused(c.m, c.at[1:]...)
	}
}
