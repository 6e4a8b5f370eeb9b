// Command etch-cluster is etch with sweeps over several machines: etch explore has
// -server, and the verbs serve and work make the server and the workers. Asker and
// workers run the same file of it: go build -trimpath makes equal ones of equal sources.
package main

import (
	"etch/designs/catalog"
	"etch/designs/explore/cluster"
)

func main() { cluster.Main(catalog.App()) }
