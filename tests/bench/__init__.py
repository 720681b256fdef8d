"""Tests of the benchmarks: does the bench measure what it says, never how fast anything is."""
