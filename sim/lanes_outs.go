package sim

import "etch/sim/internal/nets"

// laneOuts lists the words of these outputs.
func (s *Sim) laneOuts() (outs []nets.LaneOut) {
	seen := map[uint32]bool{}
	for _, port := range s.top {
		if port.slot < s.p.Leaves || seen[port.slot] {
			continue
		}
		seen[port.slot] = true
		for w := int(port.width); w > 0; w -= 64 {
			outs = append(outs, nets.LaneOut{Slot: port.slot + uint32((int(port.width)-w)/64), Width: uint8(min(w, 64))})
		}
	}
	return outs
}
