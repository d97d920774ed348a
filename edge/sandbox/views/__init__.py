"""Python views: rows that a table and filters cannot express, registered by name with `@view`."""
