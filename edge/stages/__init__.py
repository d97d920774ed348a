"""A run's stages, from parameters to published datasets: what the Prefect tasks retry and the tests call directly."""
