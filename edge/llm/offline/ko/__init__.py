"""The Korean language pack: particles, numbers, dates, and the writing of requests and answers."""
