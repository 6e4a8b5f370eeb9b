package firrtl

import (
	"etch/ir"
)

// fromFile reports whether a memory is initialised from a file.
func fromFile(mem *ir.Memory, o Options) bool {
	return mem.Init != nil && !isROM(mem) && !o.NoMemFiles
}

// eachFile visits the memories that are initialised from files, as they are written: with
// their names, and the bits of a word that each holds.
func (w *writer) eachFile(d *ir.Design, f func(m *ir.Module, mem *ir.Memory, name string, lo, width int)) {
	for _, m := range reached(d) {
		if m.Extern != nil {
			continue
		}
		var names []memNames
		for i := range m.Mems {
			mem := &m.Mems[i]
			if !fromFile(mem, w.o) {
				continue
			}
			// The names are those of the text: ports come first.
			if names == nil {
				var t nameTable
				t.reset(len(m.Ports))
				t.ports(m)
				names = t.mems(m)
			}
			if names[i].split == nil {
				f(m, mem, names[i].name, 0, mem.Width)
			}

			// A memory in lanes has a file for each lane.
			for k, name := range names[i].split {
				width := mem.Width / len(names[i].split)
				f(m, mem, name, k*width, width)
			}
		}
	}
}

// dataFile is the name of the file with the contents of a memory.
func (w *writer) dataFile(m *ir.Module, mem string) string { return w.modName(m) + "_" + mem + ".hex" }

// DataFiles returns the files that initialise memories: one word per line in hexadecimal,
// for $readmemh. There are none with Options.NoMemFiles, nor for memories of up to 1024
// words that are never written, which are constants in the text.
func DataFiles(d *ir.Design, o Options) []File {
	w, err := newWriter(nil, d, o)
	if err != nil {
		return nil
	}
	var files []File
	w.eachFile(d, func(m *ir.Module, mem *ir.Memory, name string, lo, width int) {
		// A memory has at least two words in the text, see planMemories.
		var b []byte
		for a := range max(mem.Depth, 2) {
			b = append(mem.Word(a).Slice(lo, width).AppendHex(b), '\n')
		}
		files = append(files, File{w.dataFile(m, name), b})
	})
	return files
}
