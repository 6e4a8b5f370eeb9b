package gates
import ("testing";"math/rand/v2")
func (g *Graph) forced(t uint64, in []Lit, v int, f form) Lit {
	m := len(in)
	f0, f1, x, rest := cofactor(t, m, v, 0), cofactor(t, m, v, 1), in[v], without(in, v)
	sub := func(f uint64) Lit { return g.lut2(f, rest) }
	switch f {
	case zeroX:
		return g.Xor(sub(f0), g.And(x, sub(f0^f1)))
	case oneX:
		return g.Xor(sub(f1), g.And(x^1, sub(f0^f1)))
	}
	return g.Mux(x, sub(f1), sub(f0))
}
func (g *Graph) forced2(t uint64, in []Lit, v int, f form, v2 int, f2 [2]form) Lit {
	m := len(in)
	f0, f1, x, rest := cofactor(t, m, v, 0), cofactor(t, m, v, 1), in[v], without(in, v)
	sub := func(f uint64, k int) Lit { return g.forced(f, rest, v2, f2[k]) }
	switch f {
	case zeroX:
		return g.Xor(sub(f0,0), g.And(x, sub(f0^f1,1)))
	case oneX:
		return g.Xor(sub(f1,0), g.And(x^1, sub(f0^f1,1)))
	}
	return g.Mux(x, sub(f1,0), sub(f0,1))
}
func TestTry(t *testing.T){
 tablesOnce.Do(makeTables)
 r := rand.New(rand.NewPCG(1,1))
 base, best1, best2 := 0,0,0
 for range 200 {
  tb := r.Uint64()
  mk := func(f func(g *Graph, in []Lit) ) int { g := New(2); var in []Lit; for range 6 { in = append(in,g.Leaf()) }; f(g,in); return g.Gates() }
  b := mk(func(g *Graph, in []Lit){ g.lut2(tb,in) })
  base += b
  m := b
  for v := range 6 { for _, f := range []form{zeroX,oneX,choose} { m = min(m, mk(func(g *Graph, in []Lit){ g.forced(tb,in,v,f)})) } }
  best1 += m
  m2 := m
  for v := range 6 { for _, f := range []form{zeroX,oneX,choose} { for v2 := range 5 { for _, fa := range []form{zeroX,oneX,choose} { for _, fb := range []form{zeroX,oneX,choose} { m2 = min(m2, mk(func(g *Graph, in []Lit){ g.forced2(tb,in,v,f,v2,[2]form{fa,fb})})) } } }}}
  best2 += m2
 }
 t.Log(float64(base)/200, float64(best1)/200, float64(best2)/200)
}
