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
 var rs []float64
 for k:=0;k<5;k++ {
 n := 64
 c:=cpuT(); cyc:=0
 for cpuT()-c < 300*time.Millisecond { l.Step(n); cyc+=n }
 rs = append(rs, float64(cyc)*256/(cpuT()-c).Seconds()/1e6)
 }
 fmt.Println(d.Name, "instrs", len(p.Instrs), "bytes", p.CodeBytes(), "inst-cycles/s M", rs)
 l.Close()
 }
}
