package function

import (
	"fmt"
	"math"
	"sync"

	"etch/hw/float"
)

// Table is the contents of a unit's memories, and its model.
type Table struct {
	Format   float.Format
	Form     Form
	segments []segment
	places   []uint64 // the results of segments that have no polynomial, one after the other
}

// Bits is the size of both memories.
func (t *Table) Bits() int {
	return len(t.segments)*t.word() + len(t.places)*t.Format.Width()
}

// word is the bits of a segment: whether it is fitted, and its coefficients or the place
// of its results.
func (t *Table) word() int { return 1 + t.c0() + t.Form.Slope + t.Form.Bend }

// c0 is the bits of the constant coefficient.
func (t *Table) c0() int { return t.Format.Width() + t.Form.guard() }

// Eval is the result for a code, bit for bit as the circuit has it.
func (t *Table) Eval(code uint64) uint64 {
	d := int64(code & (1<<t.Form.Low - 1))
	s := t.segments[code>>t.Form.Low]
	if !s.fitted {
		return t.places[s.c0<<t.Form.Low|d]
	}
	return uint64(s.c0+s.c1*d+s.c2*d*d) >> t.Form.guard() & (1<<t.Format.Width() - 1)
}

// TableOf is the memories of a unit, made once. Forms that are stored are not searched.
func TableOf(u Unit) (*Table, error) {
	if err := u.Validate(); err != nil {
		return nil, err
	}

	// A table takes a tenth of a second to make and never changes, so it is made once.
	tables.Lock()
	defer tables.Unlock()
	key := tableKey{u.Function, u.Format, u.ulp()}
	if t := tables.made[key]; t != nil {
		return t, nil
	}

	// Forms of the usual units are stored; another one is searched for, which takes seconds.
	x := newTargets(u)
	form, known := forms[formKey{string(u.Function), u.Format.String(), u.ulp()}]
	if !known {
		form = x.search()
	}

	t := x.table(form)
	tables.made[key] = t
	return t, nil
}

type tableKey struct {
	f      Function
	format float.Format
	ulp    float64
}

type formKey struct {
	function, format string
	ulp              float64
}

// tables is a cache of values that follow from parameters alone.
var tables = struct {
	sync.Mutex
	made map[tableKey]*Table
}{made: map[tableKey]*Table{}}

// targets is, for every code, the codes that its result may have.
type targets struct {
	format float.Format
	lo, hi []int64
}

func newTargets(u Unit) *targets {
	x := &targets{format: u.Format}
	for code := range uint64(1) << u.Format.Width() {
		lo, hi := u.Function.interval(u.Format, code, u.ulp())
		x.lo, x.hi = append(x.lo, lo), append(x.hi, hi)
	}
	return x
}

// scaled is the bounds of a segment: ⌊P⌋ lies in [lo, hi] where P does in [lo, hi+1).
func (x *targets) scaled(f Form, at int) (b bounds) {
	n, g := 1<<f.Low, f.guard()
	for i := at * n; i < (at+1)*n; i++ {
		b.lo, b.hi = append(b.lo, x.lo[i]<<g), append(b.hi, (x.hi[i]+1)<<g-1)
	}
	return b
}

// table fits every segment in a form.
func (x *targets) table(f Form) *Table {
	t := &Table{Format: x.format, Form: f}
	for at := range len(x.lo) >> f.Low {
		// A segment without a polynomial keeps its results, and in place of coefficients where they
		// are.
		s := f.fit(x.scaled(f, at))
		if !s.fitted || s.c0>>t.c0() != 0 {
			s = segment{c0: int64(len(t.places) >> f.Low)}
			for i := at << f.Low; i < (at+1)<<f.Low; i++ {
				t.places = append(t.places, uint64(x.lo[i]))
			}
		}

		t.segments = append(t.segments, s)
	}
	return t
}

// search returns the form whose table takes the fewest bits. It tries every degree,
// segment length and width of the slope; the widths of the other coefficients follow
// from the slope's.
func (x *targets) search() (best Form) {
	least := -1

	// Every degree and length, with slopes from the least useful width on; the search is over
	// memory, in bits.
	for degree := 1; degree <= 2; degree++ {
		for low := 2; low <= min(6, x.format.Width()-3); low++ {
			for slope := low; slope <= 3*low+12; slope += 3 {
				f := Form{Degree: degree, Low: low, Slope: slope}
				if degree == 2 {
					f.Bend = max(4, slope-low)
				}

				// Coefficients and products stay below 64 bits.
				if f.Slope+x.format.Width()+f.guard()+f.Bend > 62 {
					continue
				}
				if size := x.table(f).Bits(); least < 0 || size < least {
					least, best = size, f
				}
			}
		}
	}
	return best
}

// String lists degree, segments and sizes.
func (t *Table) String() string {
	return fmt.Sprintf("degree %d, %d segments of %d bits, %d results: %d bits", t.Form.Degree, len(t.segments), t.word(), len(t.places), t.Bits())
}

// MaxUlp is the greatest error of a table's finite results in units of the last place,
// and how many results are not the correctly rounded ones.
func MaxUlp(f Function, t *Table) (most float64, differ int) {
	for code := range uint64(1) << t.Format.Width() {
		got := t.Eval(code)

		// Errors are of finite results: an infinity or a NaN has to be the right one, which is
		// counted.
		if got != f.Correct(t.Format, code) {
			differ++
		}

		y, v := f.At(t.Format.Float64(code)), t.Format.Float64(got)
		if !t.Format.IsNaN(got) && !t.Format.IsInf(got) && y == y && !math.IsInf(y, 0) {
			most = max(most, math.Abs(v-y)/spacing(t.Format, y))
		}
	}
	return most, differ
}
