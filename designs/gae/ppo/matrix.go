package ppo

import "math"

// multiply computes c = a·bᵀ for row-major a [m×k], b [n×k] and c [m×n]. Every
// element is summed in ascending k from zero, whatever the tiling.
func multiply(c, a, b []float64, m, n, k int) {
	row := func(x []float64, i int) []float64 { return x[i*k : (i+1)*k] }
	even, full := m&^1, n&^1
	for i := 0; i < even; i += 2 {
		upper, lower := c[i*n:(i+1)*n], c[(i+1)*n:(i+2)*n]
		for j := 0; j < full; j += 2 {
			upper[j], upper[j+1], lower[j], lower[j+1] = quad(row(a, i), row(a, i+1), row(b, j), row(b, j+1))
		}
		if full < n {
			upper[full], lower[full] = dot(row(a, i), row(b, full)), dot(row(a, i+1), row(b, full))
		}
	}
	if even < m {
		for j := range n {
			c[even*n+j] = dot(row(a, even), row(b, j))
		}
	}
}

// quad is four dot products at a time: each element is loaded once for two of them,
// and four sums hide the latency of an addition.
func quad(a0, a1, b0, b1 []float64) (s00, s01, s10, s11 float64) {
	a1, b0, b1 = a1[:len(a0)], b0[:len(a0)], b1[:len(a0)]
	for i, x := range a0 {
		y, z := b0[i], b1[i]
		s00 += float64(x * y)
		s01 += float64(x * z)
		w := a1[i]
		s10 += float64(w * y)
		s11 += float64(w * z)
	}
	return s00, s01, s10, s11
}

func dot(a, b []float64) (s float64) {
	b = b[:len(a)]
	for i, x := range a {
		s += float64(x * b[i])
	}
	return s
}

// transpose writes the transpose of a [m×n] to t [n×m].
func transpose(t, a []float64, m, n int) {
	for i := range m {
		for j, x := range a[i*n : (i+1)*n] {
			t[j*m+i] = x
		}
	}
}

// norm is the Euclidean length of x, summed from the first on.
func norm(x []float64) float64 { return math.Sqrt(dot(x, x)) }
