package emit

// Resident is a state word that lives in a machine register while code runs: a call loads it
// first and stores it last. So cycles pass it on without store-to-load forwarding, whose latency
// limits short bodies. In long bodies registers are worth more for values.
type Resident struct {
	Slot uint32
	Reg  uint8
}

// Residents is a short list, searched linearly.
type Residents []Resident

// in returns the machine register of the word at slot, if there is one.
func (all Residents) in(slot uint32) (reg uint8, ok bool) {
	for _, r := range all {
		if r.Slot == slot {
			return r.Reg, true
		}
	}
	return 0, false
}

// residentWriter writes code that keeps state words in machine registers.
type residentWriter interface {
	// Reside announces the residents, which stay in registers from enter to leave.
	Reside(all Residents)
}
