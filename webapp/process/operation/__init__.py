"""Operation: logs, metrics, traces, database timeouts and differences between systems."""
