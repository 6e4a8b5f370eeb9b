package learner

// Watched is c with buffers that assert that nothing is read as it is written.
func (c Config) Watched() Config { c.watched = true; return c }
func (c DDPG) Watched() DDPG     { c.watched = true; return c }
