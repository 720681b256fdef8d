"""Settings of the property tests here."""

from hypothesis import HealthCheck, settings

# A slow machine is no defect of the shoe: nothing in these tests is judged by the clock.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
