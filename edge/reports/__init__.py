"""Datasets -> what people look at: pages and files that leave the project."""
