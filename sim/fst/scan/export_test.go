package scan

// Blocks is the number of blocks of changes.
func (f *File) Blocks() int { return len(f.blocks) }
