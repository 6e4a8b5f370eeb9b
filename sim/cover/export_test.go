package cover

// Ending and Version are those of files.
const (
	Ending  = ending
	Version = version
)

// Early is all kinds, with the usual conditions of a run known even if it is short.
var Early = Kinds{Branches: true, Toggles: true, early: true}
