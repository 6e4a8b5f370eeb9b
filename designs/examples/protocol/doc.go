// Package protocol copies packets from one memory to another over a serial line
// that may flip bits: six state machines that only talk to their neighbours.
//
//	Bus       gives one memory to several masters, the lowest number first
//	Walker    follows a chain of descriptors and reads the words they describe
//	Sender    makes frames of it, and repeats one until it is acknowledged
//	uart.Tx   puts bytes on the line
//	Rx        takes bytes from a line
//	Receiver  checks frames, writes them to memory, acknowledges
//
// [Link] is all of them. Each is a register of an enumeration and Go's switch over its values. A
// machine waits for a condition of its own state, and tells others by a signal that is low
// elsewhere.
//
// # Descriptors
//
// A descriptor is two words of memory:
//
//	word 0   15..0  from: address of the first word
//	         19..16 count: number of words, 0 to 15
//	         31     last: the chain ends here
//	word 1   15..0  to: address in the receiver's memory
//	         31..16 next: address of the next descriptor
//
// # Frames
//
// A frame is bytes: [Sync]; a head with a sequence number of two bits at the top
// and the number of words less one in the low four; the words, lowest byte
// first, of which word 0 says where the others go; a CRC-16 (CCITT, from
// all ones) of head and words, high byte first. The receiver answers with one
// [Reply]; a frame whose number is that of the last one delivered is
// acknowledged and not delivered again.
package protocol
