package exec

// flush makes written code visible to instruction fetch, on all processors. The process's own
// pseudo handle is -1.
func flush(pages []byte) {
	_, _, _ = flushInstructionCache.Call(^uintptr(0), address(pages), uintptr(len(pages)))
}
