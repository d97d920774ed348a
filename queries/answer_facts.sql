-- Every fact of the shipped answers beside the call and the path it was read from.
SELECT t.trajectory_id, fact->>'value' AS value, fact->>'call' AS call, fact->>'path' AS path
FROM trajectories t, unnest(json_extract(t.answer_facts, '$[*]')) AS facts(fact)
ORDER BY ALL
LIMIT 100;
