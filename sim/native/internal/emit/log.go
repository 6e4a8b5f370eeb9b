package emit

import "etch/sim/native/internal/rows"

// LogLayout is the places of the words that a Log keeps.
type LogLayout struct {
	Fields []LogField    // by watched word
	Outs   []int32       // by number of a combinational value: its watched word
	State  []uint32      // the slots of the first watched words
	Kept   [2]*rows.Rows // rows of values of up to 32 bits, and of up to 64
}

// LogField is the place of a watched word's values.
type LogField struct {
	Word  int32 // its number outside of the Log
	Bits  uint8
	Wide  uint8 // index into Kept
	Field int32
}

// bytes is the size of a field.
func (l *LogLayout) bytes(at *LogField) uint8 { return 4 << at.Wide }

// place is a field of the present row.
func (l *LogLayout) place(at *LogField, b base) place {
	return place{base: b, wide: at.Wide, off: int64(at.Field) * int64(l.Kept[at.Wide].FieldBytes())}
}

// KeepRow stores the state words in the current row, and from now on the outputs too. No values
// are in registers here.
func (w *Cycles) KeepRow(l *LogLayout) {
	w.log = l
	for q, r := range l.Kept {
		if r.Blocks == 0 {
			continue
		}
		w.rowAt(uint8(q))
		for i, slot := range l.State {
			if at := &l.Fields[i]; int(at.Wide) == q {
				w.fetch(stateWord(int32(slot)), l.bytes(at))
				w.keep(l.place(at, ofRow), l.bytes(at))
			}
		}
	}
}

// NextRow advances the row addresses; at the end of a tile they jump over the tile's other
// blocks.
func (w *Cycles) NextRow(l *LogLayout) {
	for q, r := range l.Kept {
		if r.Blocks == 0 {
			continue
		}

		// Tiles are aligned, so the low bits of the address are 0 behind a tile.
		const n = rows.TileRows
		size := int32(1) << r.Shift
		w.moveRow(uint8(q), size, (n-1)*size, int32(r.TileBytes())-n*size)
	}
}
