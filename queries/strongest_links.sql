-- Links that calling has proven best, and what flows over them.
SELECT s.operation_key AS source, t.operation_key AS target, l.posterior_mean, l.successes,
       [b->>'source_path' || ' -> ' || (b->>'target_parameter') FOR b IN json_extract(l.bindings, '$[*]')] AS flows
FROM links l
JOIN tools s ON s.tool_id = l.source_tool
JOIN tools t ON t.tool_id = l.target_tool
WHERE l.status = 'verified'
ORDER BY l.posterior_mean DESC, l.successes DESC, source, target
LIMIT 25;
