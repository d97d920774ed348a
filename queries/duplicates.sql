-- What deduplication removed, by method, with how alike the rows were.
SELECT method, count(*) AS removed, count(DISTINCT duplicate_of) AS kept_rows,
       round(quantile_cont(similarity, 0.5), 3) AS median_similarity, round(min(similarity), 3) AS least_similarity
FROM duplicates
GROUP BY method
ORDER BY removed DESC, method;
