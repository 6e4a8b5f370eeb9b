package native

func init() { teams = true }
