package native

import "etch/sim/native/internal/rows"

// Column is the changes of one word, encoded: see [Log.Columns].
type Column = rows.Column
