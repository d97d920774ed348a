-- In how many shipped examples each kind of junction occurs, and how long these examples are.
SELECT junction, count(*) AS examples, round(100 * count(*) / (SELECT count(*) FROM trajectories), 1) AS percent,
       round(avg(n_calls), 2) AS mean_calls
FROM (SELECT DISTINCT trajectory_id, n_calls, unnest(junctions) AS junction FROM trajectories)
GROUP BY junction
ORDER BY examples DESC, junction;
