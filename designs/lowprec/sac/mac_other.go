//go:build !amd64

package sac

import "unsafe"

// mac16 is y[j] += Σ x[i·xs] · w[i·ws+j] for 16 j and n i, ascending, each product and each
// sum rounded to float32.
func mac16(y, x *float32, xs, n int, w *float32, ws int) {
	if n <= 0 {
		return
	}
	out := unsafe.Slice(y, 16)
	in, row := unsafe.Slice(x, (n-1)*xs+1), unsafe.Slice(w, (n-1)*ws+16)
	for i := range n {
		v := in[i*xs]
		for j, c := range row[i*ws : i*ws+16] {
			out[j] += float32(v * c)
		}
	}
}
