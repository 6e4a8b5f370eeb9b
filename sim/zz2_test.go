package sim
import ("testing";"etch/designs/bench";"syscall";"time";"fmt";"os";"strings")
func cpuT() time.Duration { var u syscall.Rusage; syscall.Getrusage(0,&u); return time.Duration(u.Utime.Nano()) }
func TestYY(t *testing.T){
 for _, d := range bench.Designs() {
 if !strings.Contains(","+os.Getenv("D")+",", ","+d.Name+",") { continue }
 ds, err := d.Make()
 if err!=nil { t.Fatal(err)}
 l, err := NewLanes(ds, 256, WithSeed(1))
 if err!=nil { t.Fatal(err)}
 p,_ := l.event(l.all())
 l.Reset()
 l.Step(128)
 var rs [3]float64
 n := 64
 for k:=0;k<400;k++ {
 c:=time.Now(); l.Step(n); e := time.Since(c)
 r := float64(n)*256/e.Seconds()/1e6
 for i := range rs { if r>rs[i] { rs[i], r = r, rs[i] } }
 if e < 2*time.Millisecond { n *= 2 }
 }
 fmt.Println(d.Name, "instrs", len(p.Instrs), "bytes", p.CodeBytes(), "inst-cycles/s M", rs)
 l.Close()
 }
}
