-- Links with evidence both ways, or never settled although tried: where another exploration would teach most.
SELECT s.operation_key AS source, t.operation_key AS target, l.status, l.successes, l.structural_failures, l.empties,
       l.environmental_failures, round(l.posterior_mean, 3) AS posterior_mean
FROM links l
JOIN tools s ON s.tool_id = l.source_tool
JOIN tools t ON t.tool_id = l.target_tool
WHERE l.successes + l.structural_failures + l.empties > 0
  AND (l.status = 'candidate' OR (l.successes > 0 AND l.structural_failures + l.empties > 0))
ORDER BY l.alpha * l.beta / ((l.alpha + l.beta) ** 2 * (l.alpha + l.beta + 1)) DESC, source, target
LIMIT 25;
