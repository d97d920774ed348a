"""Platform declarations: one YAML file a platform, read by `edge.sandbox.catalogue`."""
