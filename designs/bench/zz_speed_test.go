package bench
import ("testing";"syscall";"etch/sim";"etch/passes";"etch/ir")
func cpu() float64 { var r syscall.Rusage; syscall.Getrusage(0,&r); return float64(r.Utime.Sec)+float64(r.Utime.Usec)/1e6 }
func TestZZ(t *testing.T) {
 for _, c := range publicCores {
  f := c.foreign(t); d,_ := f.Design(); n,_ := d.Make()
  for i := range 2 {
   for name, net := range map[string]*ir.Design{"raw": n, "opt": passes.Optimize(n, passes.Options{}), "flat": passes.Optimize(n, passes.Options{Flatten:true})} {
    s,_ := sim.New(net, sim.WithEngine(sim.Native)); s.Reset()
    b := cpu(); s.Step(2000000); e := cpu()
    t.Logf("%s %s %d: %.2f M/s code %d", c.name, name, i, 2/(e-b), s.CodeBytes())
    s.Close()
   }
  }
 }
}
