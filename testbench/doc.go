// Package testbench is what a hardware test needs: build a component, drive it,
// step it, say what is expected.
//
//	func TestCounter(t *testing.T) {
//		s, p := testbench.New(t, counter.Counter{Width: 4})
//		s.Set(p.En, 1)
//		s.Step(3)
//		s.Expect(p.Count, 3)
//	}
//
// New builds the component, fails the test with every diagnostic if that fails,
// and resets it. The ports struct that it returns is the test's view of the
// ports. Whole bundles are driven and checked with [Put] and [Check] and bundles
// of literals. Assertions of the design fail the test with their own line.
package testbench
