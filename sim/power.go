package sim

// powerUp sets all state to its initial values and all inputs to 0.
func (s *Sim) powerUp() {
	s.st.PowerUp()
	s.fixedPorts()
	s.touch()
	s.born = s.version
}
