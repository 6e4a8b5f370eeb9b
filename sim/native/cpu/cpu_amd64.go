package cpu

func cpuid(leaf, sub uint32) (a, b, c, d uint32)
func xgetbv() (a, d uint32)

var host = detect()

// detect reads the features from CPUID. A register of 256 or 512 bits counts only if the
// operating system saves it, as XCR0 tells: bits 1 and 2 for AVX (6), bits 5 to 7 for AVX-512
// too (0xe6).
func detect() Features {
	var f Features
	last, _, _, _ := cpuid(0, 0)
	_, _, c1, _ := cpuid(1, 0)
	bit := func(x uint32, n uint) bool { return x>>n&1 != 0 }
	f.Popcnt = bit(c1, 23)
	if last < 7 || !bit(c1, 27) { // no OSXSAVE: the system saves no wide registers
		return f
	}

	saved, _ := xgetbv()
	_, b7, c7, _ := cpuid(7, 0)
	f.BMI = bit(b7, 3) && bit(b7, 8)
	f.AVX2 = bit(b7, 5) && saved&6 == 6
	f.AVX512 = f.AVX2 && saved&0xe6 == 0xe6 && bit(b7, 16) && bit(b7, 17) && bit(b7, 30) && bit(b7, 31)
	f.VBMI = f.AVX512 && bit(c7, 1)
	return f
}
