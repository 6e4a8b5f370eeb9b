package mlp

import "math"

// Multiply computes c = a·bᵀ for row-major a [m×k], b [n×k] and c [m×n]. Every
// element is summed in ascending k from zero, whatever the tiling.
func Multiply[F Float](c, a, b []F, m, n, k int) {
	// Tiles of 2×2, then an odd column, then an odd row.
	even, full := m&^1, n&^1
	for i := 0; i < even; i += 2 {
		upper, lower := c[i*n:(i+1)*n], c[(i+1)*n:(i+2)*n]
		a0, a1 := a[i*k:(i+1)*k], a[(i+1)*k:(i+2)*k]
		for j := 0; j < full; j += 2 {
			quad(upper[j:j+2], lower[j:j+2], a0, a1, b[j*k:(j+1)*k], b[(j+1)*k:(j+2)*k])
		}
		if full < n {
			row := b[full*k : n*k]
			upper[full], lower[full] = dot(a0, row), dot(a1, row)
		}
	}

	if even < m {
		for j := range n {
			c[even*n+j] = dot(a[even*k:m*k], b[j*k:(j+1)*k])
		}
	}
}

// quad is a 2×2 tile of c: each element is loaded once for two products, and four sums hide
// the latency of an addition. More would not fit amd64's registers and run slower.
func quad[F Float](upper, lower, a0, a1, b0, b1 []F) {
	a1, b0, b1 = a1[:len(a0)], b0[:len(a0)], b1[:len(a0)]
	var s00, s01, s10, s11 F
	for i, x := range a0 {
		y, z := b0[i], b1[i]
		s00 += F(x * y)
		s01 += F(x * z)
		w := a1[i]
		s10 += F(w * y)
		s11 += F(w * z)
	}
	upper[0], upper[1] = s00, s01
	lower[0], lower[1] = s10, s11
}

func dot[F Float](a, b []F) (s F) {
	b = b[:len(a)]
	for i, x := range a {
		s += F(x * b[i])
	}
	return s
}

// transpose writes the transpose of a [m×n] to t [n×m].
func transpose[F Float](t, a []F, m, n int) {
	for i := range m {
		for j, x := range a[i*n : (i+1)*n] {
			t[j*m+i] = x
		}
	}
}

// norm is the Euclidean length of x, summed from the first on.
func norm[F Float](x []F) F { return F(math.Sqrt(float64(dot(x, x)))) }
