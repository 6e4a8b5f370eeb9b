package cells

import (
	"fmt"

	"etch/backends/yosys/internal/attribute"
	"etch/ir"
)

// box makes the module of an instance of a black box: its ports are as wide as
// the instance says, since they may depend on parameters, and its inputs that
// isClock accepts are clocks.
func (r *reader) box(j *jsonModule, c *cell, isClock func(bit) bool) *lowered {
	name, key := userName(j), j.name

	// The name shows the parameters, the key tells all modules apart.
	var params []ir.Param
	for _, p := range c.params {
		v := literal(p.Value)
		params = append(params, ir.Param{Name: p.Name, Value: v})
		key += "\x00" + p.Name + "=" + v
		name += "_" + p.Name + paramText(p.Value)
	}

	// Instances with the same parameters, widths and clocks share a module.
	for i := range j.ports {
		p := &j.ports[i]
		key += fmt.Sprintf("\x00%d %t", wide(c, p.name), p.dir == "input" && isClock(only(c.port(p.name))))
	}

	if l, ok := r.done[key]; ok {
		return l
	}

	// A free name.
	if r.names[name] {
		for n := 2; ; n++ {
			if s := fmt.Sprintf("%s_%d", name, n); !r.names[s] {
				name = s
				break
			}
		}
	}

	r.names[name] = true

	// The module has ports only.
	lo := &lowering{r: r, j: j, builder: builder{m: ir.NewModule(name, r.d.Src)}}
	lo.m.Extern = &ir.Extern{Module: userName(j), Params: params}
	lo.m.Origin, lo.m.Pos = userName(j), lo.posOf(j.attrs)
	for i := range j.ports {
		p := &j.ports[i]
		n := max(wide(c, p.name), 1)
		if wide(c, p.name) == 0 {
			n = max(len(p.bits), 1)
		}
		lo.boxPort(p, n, p.dir == "input" && isClock(only(c.port(p.name))))
	}

	// Nothing is known of the inside, so every input counts as read.
	l := &lowered{mod: lo.m, used: make([]bool, len(lo.m.Ports))}
	for i := range l.used {
		l.used[i] = true
	}

	r.done[key] = l
	r.d.Modules = append(r.d.Modules, lo.m)
	return l
}

func (l *lowering) boxPort(p *jsonPort, width int, clock bool) {
	typ := ir.TypeID(ir.UInt)
	switch {
	case clock:
		typ = ir.TypeID(ir.Clock)
	case p.signed:
		typ = ir.TypeID(ir.SInt)
	}
	switch p.dir {
	case "input":
		l.m.AddInput(p.name, width, typ, l.m.Pos)
	case "output":
		l.m.AddOutput(p.name, width, typ, ir.None, l.m.Pos)
	case "inout":
		l.m.AddPad(p.name, width, typ, l.m.Pos)
	default:
		l.r.fail(l.place(l.j.attrs), "black box %s: port %s is an %s", userName(l.j), p.name, p.dir)
	}
}

// literal is a parameter's value written as Verilog.
func literal(v attribute.Value) string {
	if v.IsBits() {
		if n := v.Int(); len(v) == 32 && n >= 0 {
			return fmt.Sprint(n)
		}
		return fmt.Sprintf("%d'b%s", len(v), string(v))
	}
	return fmt.Sprintf("%q", v.Text())
}
