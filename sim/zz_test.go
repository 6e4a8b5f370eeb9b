package sim
import ("testing";"etch/designs/bench";"etch/sim/lanes";"etch/sim/lanes/vector";"sort";"fmt";"os";"time")
func TestZZ(t *testing.T){
 for _, d := range bench.Designs() {
 if os.Getenv("D")!="" && d.Name!=os.Getenv("D") { continue }
 ds,_ := d.Make()
 s,err := New(ds)
 if err!=nil { t.Fatal(err)}
 for _,tg := range []lanes.Target{lanes.AVX2, {Name:"x",Words:8,Fanin:3,Regs:32,Native:true}} {
 for f:=lanes.Sliced; f<=lanes.Words; f++ {
 t0:=time.Now()
 n, err := s.p.laneNet([]byte{1}, s.laneOuts())
 if err!=nil { t.Log(err); continue }
 t1:=time.Now()
 l := lanes.NewLayout(n.Net,n.roms,f)
 p, err := lanes.Compile(n.Net, l, tg)
 if err!=nil { t.Log(err); continue }
 t2:=time.Now()
 c := map[vector.Op]int{}; mem:=0
 for _, in := range p.Instrs { c[in.Op]++; if in.B==vector.Mem && in.Op>vector.Move {mem++} }
 var ks []int
 for k := range c { ks=append(ks,int(k)) }
 sort.Ints(ks)
 str := ""
 for _,k := range ks { str += fmt.Sprint(" ",vector.Op(k),"=",c[vector.Op(k)]) }
 t.Log(d.Name, tg.Name, f, "instrs", len(p.Instrs), "cost", p.Cost(), "gates", p.Gates, "code", p.CodeBytes(), "slots", l.Slots, "scratch", p.Scratch, "memops", mem, "net",t1.Sub(t0),"compile",t2.Sub(t1), str)
 if os.Getenv("DUMP")!="" { fmt.Println(p.String()) }
 }}}
}
