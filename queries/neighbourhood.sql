-- All links of one tool; put its id, operation key or name in place of the subquery.
FROM link_neighbourhood((SELECT operation_key FROM tools ORDER BY tool_id LIMIT 1));
