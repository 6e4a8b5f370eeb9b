package lower

import (
	"encoding/json"
	"math/big"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/hexfile"
)

// fillMemories sets the initial contents of memories from annotations: the words of a file,
// a list of words, or one word for all addresses.
func (l *lowering) fillMemories(o Options) {
	for i := range l.annos.contents {
		a := &l.annos.contents[i]
		mem, ok := l.memoryOf(a)
		if !ok {
			return
		}
		if mem == nil {
			l.note(a.line, "memory %s, which would start with contents, is not in the design, or is registers that a full reset clears", clip(a.Target))
			continue
		}

		// The words are in a file, or in the annotation itself.
		if name := orElse(a.Filename, a.FileName); name != "" {
			l.load(a, mem, name, o)
		} else {
			l.fill(a, mem)
		}
	}
}

// memoryOf finds the memory of an annotation. It is nil if the memory is not in the netlist
// (no port of it is used).
func (l *lowering) memoryOf(a *annotation) (mem *ir.Memory, ok bool) {
	s := l.findTarget(a)
	if s == nil {
		return nil, len(l.errs) == 0
	}

	// Instances share one ir.Module, so their memories cannot differ.
	if len(s.path) > 0 && s.m.uses() > 1 {
		l.failAnno(a, "module %s has several instances, and its memories the same contents in all", l.name(s.m.src.Name))
		return nil, false
	}
	if s.d == nil || s.d.kind != dMem && s.d.kind != dChirrtl || s.at.t != s.d.t {
		l.failAnno(a, "that is no memory")
		return nil, false
	}
	for i := range s.m.mems {
		if x := &s.m.mems[i]; x.name == l.name(s.d.name) && x.at >= 0 {
			return &s.m.ir.Mems[x.at], true
		}
	}
	return nil, true
}

// load fills a memory from a file, in the format of $readmemh or $readmemb.
func (l *lowering) load(a *annotation, mem *ir.Memory, name string, o Options) {
	// The format is hexadecimal unless the annotation says binary.
	binary, ok := false, true
	switch format := a.Format.(type) {
	case nil:
	case string:
		binary = strings.HasPrefix(format, "b")
		ok = binary || strings.HasPrefix(format, "h")
	default:
		ok = false
	}
	if !ok {
		l.failAnno(a, `the file is neither "h" nor "b", but %v`, a.Format)
		return
	}

	// Without a file system the contents stay 0, with a note.
	if o.File == nil {
		l.note(a.line, "memory %s would start from file %s", mem.Name, name)
		return
	}
	text, err := o.File(name)
	if err == nil {
		mem.Init = []bits.Value{bits.Zero(mem.Width)} // words that the file leaves out are 0
		err = hexfile.Read(text, hexfile.Memory{Width: mem.Width, Depth: mem.Depth, Binary: binary}, func(addr int, v bits.Value) error {
			// Words behind those of the file are not held: a file of a few words may be that of
			// a memory of 256 MiB.
			for len(mem.Init) <= addr {
				mem.Init = append(mem.Init, bits.Zero(mem.Width))
			}
			mem.Init[addr] = v
			return nil
		})
	}

	// An error points at the annotation, not into the file.
	if err != nil {
		l.failIn(a.file, a.line, "memory %s starts from file %s: %v", mem.Name, name, err)
	}
}

func zeros(mem *ir.Memory) []bits.Value {
	words := make([]bits.Value, mem.Depth)
	for i := range words {
		words[i] = bits.Zero(mem.Width)
	}
	return words
}

// fill fills a memory with the words in the annotation.
func (l *lowering) fill(a *annotation, mem *ir.Memory) {
	// A list must have a word for every address.
	var words []json.RawMessage
	switch {
	case a.Values != nil && json.Unmarshal(a.Values, &words) == nil && len(words) == mem.Depth:
	case a.Values != nil:
		l.failAnno(a, "the memory has %d words, the list another number", mem.Depth)
		return
	case a.Value != nil:
		words = []json.RawMessage{a.Value}
	default:
		l.failAnno(a, "it has neither words nor the name of a file")
		return
	}
	mem.Init = zeros(mem)
	// A single value is repeated for every address.
	for i := range mem.Init {
		text := strings.Trim(string(words[min(i, len(words)-1)]), `"`)
		v, ok := new(big.Int).SetString(text, 10)
		if !ok || v.Sign() < 0 || v.BitLen() > mem.Width {
			l.failAnno(a, "%s is no word of %d bits", clip(text), mem.Width)
			return
		}
		mem.Init[i] = bits.FromBig(mem.Width, v)
	}
}
