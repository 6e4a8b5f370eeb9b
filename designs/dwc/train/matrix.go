package train

// mulABt computes c = a·bᵀ for row-major a [m×k], b [n×k] and c [m×n]. Every
// element is summed in ascending k from zero, whatever the blocking.
func mulABt(c, a, b []float32, m, n, k int) {
	// Two rows and two columns at a time; odd ones at the ends singly.
	i := 0
	for ; i+2 <= m; i += 2 {
		upper, lower := c[i*n:(i+1)*n], c[(i+1)*n:(i+2)*n]
		a0, a1 := a[i*k:(i+1)*k], a[(i+1)*k:(i+2)*k]
		j := 0
		for ; j+2 <= n; j += 2 {
			tile(upper[j:j+2], lower[j:j+2], a0, a1, b[j*k:(j+1)*k], b[(j+1)*k:(j+2)*k])
		}

		for ; j < n; j++ {
			row := b[j*k : (j+1)*k]
			upper[j], lower[j] = dot(a0, row), dot(a1, row)
		}
	}

	for ; i < m; i++ {
		for j := range n {
			c[i*n+j] = dot(a[i*k:(i+1)*k], b[j*k:(j+1)*k])
		}
	}
}

// tile computes a 2×2 tile of c. Four sums at a time hide the latency of an
// addition; more would not fit amd64's registers and run slower.
func tile(upper, lower, a0, a1, b0, b1 []float32) {
	a1, b0, b1 = a1[:len(a0)], b0[:len(a0)], b1[:len(a0)]
	var s00, s01, s10, s11 float32
	for i := range a0 {
		y0, y1 := b0[i], b1[i]
		x0 := a0[i]
		s00 += float32(x0 * y0)
		s01 += float32(x0 * y1)
		x1 := a1[i]
		s10 += float32(x1 * y0)
		s11 += float32(x1 * y1)
	}
	upper[0], upper[1] = s00, s01
	lower[0], lower[1] = s10, s11
}

func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s float32
	for i, x := range a {
		s += float32(x * b[i])
	}
	return s
}

// transpose writes the transpose of a [m×n] to t [n×m].
func transpose(t, a []float32, m, n int) {
	for i := range m {
		for j, x := range a[i*n : (i+1)*n] {
			t[j*m+i] = x
		}
	}
}
