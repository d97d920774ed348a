"""The only code that talks to language models; importing it loads no SDK."""
