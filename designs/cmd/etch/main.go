// Command etch lists, exports, reports, runs, trains and shows the designs that
// come with etch. Its library is etch/designs/cli.
package main

import (
	"etch/designs/catalog"
	"etch/designs/cli"
)

func main() { cli.Main(catalog.App()) }
