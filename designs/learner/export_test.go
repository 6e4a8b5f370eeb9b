package learner

// Watched is c with assertions of its schedule, and counters.
func (c Config) Watched() Config { c.watched, c.Count = true, true; return c }
func (c DDPG) Watched() DDPG     { c.watched, c.Count = true, true; return c }
