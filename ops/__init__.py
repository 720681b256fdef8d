"""The house: command line, settings, logs, metrics, the embedded Valkey and the benchmarks."""
