-- pass@k and pass^k of evaluated models, attempts that failed for reasons outside the model left out.
WITH attempts AS (
    SELECT benchmark, model, task_id, count(*) AS n, count(*) FILTER (passed) AS c
    FROM eval_attempts
    WHERE error IS NULL
    GROUP BY benchmark, model, task_id)
SELECT benchmark, model, k, round(avg(pass_at_k(n, c, k)), 4) AS pass_at_k, round(avg(pass_hat_k(n, c, k)), 4) AS pass_hat_k,
       count(pass_at_k(n, c, k)) AS tasks
FROM attempts, (VALUES (1), (2), (4), (8)) AS ks(k)
GROUP BY benchmark, model, k
ORDER BY benchmark, model, k;
