"""The only code that talks to models, and the offline writer that needs none."""
