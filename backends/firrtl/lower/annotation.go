package lower

import (
	"encoding/json"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/hexfile"
)

// annotation has the fields of the annotations that etch knows: those that let a
// memory start from a file.
type annotation struct {
	Class    string `json:"class"`
	Filename string `json:"filename"`
	FileName string `json:"fileName"`
	Format   string `json:"hexOrBinary"`
	Target   string `json:"target"`
}

// annotate reads the annotations in the circuit.
func (l *lowering) annotate(o Options) {
	if l.c.Annotations == "" {
		return
	}
	var all []json.RawMessage
	if err := json.Unmarshal([]byte(l.c.Annotations), &all); err != nil {
		l.fail(l.c.AnnoLine, "annotations: %v", err)
		return
	}
	if len(all) == 1 { // %[[ … ]]
		var inner []json.RawMessage
		if json.Unmarshal(all[0], &inner) == nil {
			all = inner
		}
	}
	left := 0
	for _, raw := range all {
		var a annotation
		if json.Unmarshal(raw, &a) != nil || !strings.HasPrefix(a.Class, "firrtl.annotations.Memory") || a.Target == "" {
			left++
			continue
		}
		name := a.Filename
		if name == "" {
			name = a.FileName
		}
		if name != "" && !l.load(a, name, o) {
			return
		}
	}
	if left > 0 {
		l.note(l.c.AnnoLine, "%d annotations are left out", left)
	}
}

// load has a memory start from a file.
func (l *lowering) load(a annotation, name string, o Options) bool {
	mem := l.target(a.Target)
	switch {
	case mem == nil:
		l.note(l.c.AnnoLine, "memory %s, which would start from file %s, is not in the design", a.Target, name)
		return true
	case o.File == nil:
		l.note(l.c.AnnoLine, "memory %s would start from file %s", mem.Name, name)
		return true
	}
	text, err := o.File(name)
	if err == nil {
		mem.Init = make([]bits.Value, mem.Depth)
		for i := range mem.Init {
			mem.Init[i] = bits.Zero(mem.Width)
		}
		err = hexfile.Read(text, hexfile.Memory{Width: mem.Width, Depth: mem.Depth, Binary: a.Format == "b"}, func(addr int, v bits.Value) error {
			mem.Init[addr] = v
			return nil
		})
	}
	if err != nil {
		l.fail(l.c.AnnoLine, "memory %s starts from file %s: %v", mem.Name, name, err)
	}
	return err == nil
}

// target is the memory that "~Circuit|Module>memory" names.
func (l *lowering) target(t string) *ir.Memory {
	_, t, _ = strings.Cut(t, "|")
	mod, name, _ := strings.Cut(t, ">")
	for _, m := range l.order {
		if m.ir.Name != mod {
			continue
		}
		for i := range m.ir.Mems {
			if m.ir.Mems[i].Name == name {
				return &m.ir.Mems[i]
			}
		}
	}
	return nil
}
