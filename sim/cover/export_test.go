package cover

// Ending and Version are those of files.
const (
	Ending  = ending
	Version = version
)

// Early is all parts, with the usual conditions of a run known even if it is short.
var Early = Parts{Branches: true, Toggles: true, early: true}
