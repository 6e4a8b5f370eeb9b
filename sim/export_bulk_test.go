package sim

// BulkEvents is the number of events that tracers were told of in bulk.

func BulkEvents(s *Sim) int { return s.bulk.told }
