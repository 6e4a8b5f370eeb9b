package sac

// mac16 is y[j] += Σ x[i·xs] · w[i·ws+j] for 16 j and n i, ascending, each product and each
// sum rounded to float32.
//
//go:noescape
func mac16(y, x *float32, xs, n int, w *float32, ws int)
