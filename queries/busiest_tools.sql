-- Tools with most verified links, in and out: the hubs of the graph.
SELECT t.operation_key, t.platform, count(*) FILTER (l.source_tool = t.tool_id) AS feeds,
       count(*) FILTER (l.target_tool = t.tool_id) AS fed_by
FROM tools t
JOIN links l ON t.tool_id IN (l.source_tool, l.target_tool)
WHERE l.status = 'verified'
GROUP BY t.operation_key, t.platform
ORDER BY feeds + fed_by DESC, t.operation_key
LIMIT 25;
