package sim

// laneOuts lists the words of these outputs.
func (s *Sim) laneOuts() (outs []laneOut) {
	seen := map[uint32]bool{}
	for _, port := range s.top {
		if port.slot < s.p.leaves || seen[port.slot] {
			continue
		}
		seen[port.slot] = true
		for w := int(port.width); w > 0; w -= 64 {
			outs = append(outs, laneOut{port.slot + uint32((int(port.width)-w)/64), uint8(min(w, 64))})
		}
	}
	return outs
}
