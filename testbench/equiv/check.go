package equiv

import (
	"testing"

	"etch/hw"
	"etch/ir"
)

// Check fails the test unless two components have equal outputs in every cycle of every run. It
// ends the test if one of them cannot be built or their ports do not match.
func Check[P, Q any](t testing.TB, a hw.Component[P], b hw.Component[Q], opts ...Option) *Result {
	t.Helper()
	return CheckDesigns(t, build(t, a), build(t, b), opts...)
}

// CheckDesigns is [Check] for netlists.
func CheckDesigns(t testing.TB, a, b *ir.Design, opts ...Option) *Result {
	t.Helper()
	r, err := Compare(a, b, opts...)
	return judge(t, r, err, opts)
}

// Prove fails the test unless assertions of a component hold in every run: the ones whose text,
// name or position (file.go:12) contains assertion, or all if it is empty.
func Prove[P any](t testing.TB, c hw.Component[P], assertion string, opts ...Option) *Result {
	t.Helper()
	return ProveDesign(t, build(t, c), assertion, opts...)
}

// ProveDesign is [Prove] for a netlist.
func ProveDesign(t testing.TB, d *ir.Design, assertion string, opts ...Option) *Result {
	t.Helper()
	r, err := Verify(d, assertion, opts...)
	return judge(t, r, err, opts)
}

// Bounded fails the test unless all assertions of a component hold in the first
// cycles of every run.
func Bounded[P any](t testing.TB, c hw.Component[P], cycles int, opts ...Option) *Result {
	t.Helper()
	return BoundedDesign(t, build(t, c), cycles, opts...)
}

// BoundedDesign is [Bounded] for a netlist.
func BoundedDesign(t testing.TB, d *ir.Design, cycles int, opts ...Option) *Result {
	t.Helper()
	r, err := VerifyBounded(d, cycles, opts...)
	return judge(t, r, err, opts)
}

// build builds a component; an error ends the test.
func build[P any](t testing.TB, c hw.Component[P]) *ir.Design {
	t.Helper()
	if c == nil {
		t.Fatalf("equiv: the component is nil")
	}
	d, _, err := hw.Build(c)
	if err != nil {
		t.Fatalf("building %T:\n%v", c, err)
	}
	return d
}

// judge fails the test if the designs differ, or if that is unknown and no option allows it.
func judge(t testing.TB, r *Result, err error, opts []Option) *Result {
	t.Helper()
	switch {
	case err != nil:
		t.Fatalf("%v", err)
	case r.Outcome == Different:
		t.Errorf("%v", r)
	case r.Outcome == Unknown && collect(opts).unknown:
		t.Logf("%v", r)
	case r.Outcome == Unknown:
		t.Errorf("%v", r)
	}
	return r
}
