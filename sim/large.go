package sim

import "etch/sim/internal/drive"

// WithPacking packs memories that would take at least so many slots of 64 bits: words of up to
// 32 bits take 8, 16 or 32 bits, in pages that are allocated when touched. The default is 2^20+1
// slots, 8 MiB. Results do not depend on it, but lanes (package sim/lanes) with such memories run
// one after the other.
func WithPacking(slots int) Option { return func(c *drive.Config) { c.Pack = max(1, slots) } }

// WithMemoryLimit bounds the bytes of pages in which packed memories (see [WithPacking]) hold
// anything but zeros, for a Sim or for each lane; the default is 2^30. When a run exceeds it, no
// more cycles run, and Err names the memory and its size. The check is made every 2^14 events, so the
// pages that these can touch come on top.
func WithMemoryLimit(bytes int) Option { return func(c *drive.Config) { c.Limit = max(1, bytes) } }
