package emit

import "etch/sim/net"

// Class is many instances of one module that share their code. The module is compiled once and
// runs over the state of one instance after the other; each instance keeps the body for its next
// cycle. In a cycle Top runs first, on old values: it writes the instances' inputs and all state
// outside of them. Then the instances run.
type Class struct {
	Net      *net.Net // one cycle of one instance, with the slots and memories of the first
	Top      *net.Net // the rest of the design; its Outs are inputs of the instances
	Flat     *net.Net // the whole design, for when sharing does not pay
	Count    int
	Stride   int32  // words of the state from an instance to the next
	MemMove  int32  // words of the memories from an instance to the next
	Next     uint32 // a slot of the first instance, reserved for the engine
	Volatile []bool // by register of Net: Top writes it
}
