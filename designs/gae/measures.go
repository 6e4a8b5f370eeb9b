package gae

// Measures are numbers for etch explore -measure cycles: row_latency, from a step's
// entry to its advantage in memory, and drain, from start to done of rows that are
// full.
func (r Row) Measures() (map[string]float64, error) {
	return map[string]float64{
		"row_latency": float64(r.RowLatency()),
		"drain":       float64(r.Depth + r.RowLatency()),
	}, nil
}

// Measures are the measures of a row: rows work side by side.
func (a Accelerator) Measures() (map[string]float64, error) { return Row{System: a.System}.Measures() }
