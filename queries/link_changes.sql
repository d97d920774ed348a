-- Links whose state changed between the two newest versions: what an exploration on a schedule has found out.
WITH newest AS (SELECT DISTINCT version FROM links_all ORDER BY version DESC LIMIT 2)
SELECT b.link_id, s.operation_key AS source, t.operation_key AS target, a.status AS before, b.status AS after,
       round(a.posterior_mean, 3) AS mean_before, round(b.posterior_mean, 3) AS mean_after
FROM links_all a
JOIN links_all b USING (link_id)
LEFT JOIN tools s ON s.tool_id = b.source_tool
LEFT JOIN tools t ON t.tool_id = b.target_tool
WHERE a.version = (SELECT min(version) FROM newest) AND b.version = (SELECT max(version) FROM newest)
  AND a.status <> b.status
ORDER BY ALL;
