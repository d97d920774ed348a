-- What was dropped, by stage and reason, most frequent first, with one example each: the place to begin when rows are few.
FROM drop_reasons();
