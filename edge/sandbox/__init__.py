"""A loopback replica of Korean public API platforms: HTTP in, bodies of one seeded world out."""
