"""The only code that touches dataset files: rows of every stage -> parts, manifests, versions, views."""
