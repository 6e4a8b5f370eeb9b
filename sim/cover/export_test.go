package cover

// Ending and Version are those of files.
const (
	Ending  = ending
	Version = version
)
