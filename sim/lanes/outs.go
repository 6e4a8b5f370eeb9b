package lanes

import (
	"etch/sim/internal/drive"
	"etch/sim/internal/nets"
)

// outputs lists the words of the top's outputs that are computed. Words of leaves, which need no
// code, are left out.
func outputs(m *drive.Stepper) (outs []nets.LaneOut) {
	// Leaves have words in the layout already. Ports that share a node share its words.
	seen := map[uint32]bool{}
	for _, port := range m.Top() {
		if port.Slot < m.P.Leaves || seen[port.Slot] {
			continue
		}
		seen[port.Slot] = true

		// Words are cut from the low end; the last one has the rest of the width.
		for w := port.Width; w > 0; w -= 64 {
			outs = append(outs, nets.LaneOut{Slot: port.Slot + uint32((port.Width-w)/64), Width: uint8(min(w, 64))})
		}
	}
	return outs
}
