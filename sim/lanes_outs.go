package sim

import "etch/sim/internal/nets"

// laneOuts lists the words of these outputs.
func (s *Sim) laneOuts() (outs []nets.LaneOut) {
	// Leaves have words in the layout already. Ports that share a node share its words.
	seen := map[uint32]bool{}
	for _, port := range s.top {
		if port.slot < s.p.Leaves || seen[port.slot] {
			continue
		}
		seen[port.slot] = true

		// Words are cut from the low end; the last one has the rest of the width.
		for w := int(port.width); w > 0; w -= 64 {
			outs = append(outs, nets.LaneOut{Slot: port.slot + uint32((int(port.width)-w)/64), Width: uint8(min(w, 64))})
		}
	}
	return outs
}
