package drive

import "etch/sim/native"

// Supported reports whether programs may have machine code here.
func Supported() bool { return native.Supported(Features) }

// Twin makes another Stepper of the same program that uses the machine code of s, also once s is
// closed. The two must not run at the same time.
func (s *Stepper) Twin(c Config) (*Stepper, error) {
	t, err := New(s.P, nil, c)
	if err != nil {
		return nil, err
	}
	t.shared = s.shared
	t.users++
	return t, nil
}
