package equiv

// OnlyABC leaves the decision to ABC alone.
func OnlyABC() Option { return func(o *options) { o.onlyABC = true } }
