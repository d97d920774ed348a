-- What the shipped examples look like: share of each kind and split, calls, depth and parallel calls.
SELECT kind, split, count(*) AS examples, round(100 * count(*) / sum(count(*)) OVER (), 1) AS percent,
       round(avg(n_calls), 2) AS mean_calls, max(n_calls) AS most_calls, round(avg(depth), 2) AS mean_depth,
       round(100 * avg((max_parallel > 1)::INT), 1) AS percent_parallel
FROM trajectories
GROUP BY kind, split
ORDER BY kind, split;
