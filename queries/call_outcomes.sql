-- How the calls of a run ended on each platform, and how long they took.
SELECT t.platform, o.outcome, o.reason, count(*) AS calls,
       round(100 * count(*) / sum(count(*)) OVER (PARTITION BY t.platform), 1) AS percent,
       round(quantile_cont(o.latency_ms, 0.5), 1) AS median_ms, round(quantile_cont(o.latency_ms, 0.95), 1) AS p95_ms
FROM outcomes o
JOIN tools t USING (tool_id)
GROUP BY t.platform, o.outcome, o.reason
ORDER BY t.platform, calls DESC, o.reason;
