// Package disjoint keeps numbers in sets that only merge: a union-find forest with path halving
// (Tarjan and van Leeuwen, 1984).
//
//	f := disjoint.New[int32](10)
//	f.Join(7, 3)
//	f.Find(7) // 3
//
// The package imports nothing.
package disjoint

// Forest is the parent of each element in the tree of its set; a root is its own parent and stands
// for the set. A caller with a rule of its own about the root of two sets, such as the larger one's,
// sets the other root's parent itself. A forest grows by appending elements that are their own
// parents.
type Forest[T ~int | ~int32] []T

// New returns n sets of one element each.
func New[T ~int | ~int32](n int) Forest[T] {
	f := make(Forest[T], n)
	f.Reset()
	return f
}

// Reset makes each element a set again.
func (f Forest[T]) Reset() {
	for i := range f {
		f[i] = T(i)
	}
}

// Find returns the root of x's set.
func (f Forest[T]) Find(x T) T {
	// Path halving: every other node on the way is led to its grandparent, so later ways are short.
	for f[x] != x {
		f[x] = f[f[x]]
		x = f[x]
	}
	return x
}

// Join makes one set of those of a and b. Its root is the smaller of their roots, so a set that only
// Join has made has its least element as root, whatever the order of the calls.
func (f Forest[T]) Join(a, b T) {
	a, b = f.Find(a), f.Find(b)
	f[max(a, b)] = min(a, b)
}
