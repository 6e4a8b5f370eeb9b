package protocol

import "etch/hw"

// crcStart is the CRC of nothing.
const crcStart = 0xffff

// crcStep is a CRC-16 (CCITT: x¹⁶ + x¹² + x⁵ + 1) after one more byte, highest
// bit first.
func crcStep(crc, data hw.UInt) hw.UInt {
	// The highest bit goes first, so the byte enters at the top.
	crc = crc.Xor(data.Extend(16).Shl(8))
	for range 8 {
		shifted := crc.Shl(1)
		crc = hw.Mux(crc.Bit(15), shifted.Xor(hw.U(0x1021)), shifted)
	}
	return crc
}
