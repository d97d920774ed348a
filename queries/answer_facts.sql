-- Facts of shipped answers beside the call and the path they were read from; the first hundred, by id of the example.
SELECT t.trajectory_id, fact->>'value' AS value, fact->>'call' AS call, fact->>'path' AS path
FROM (SELECT trajectory_id, answer_facts FROM trajectories ORDER BY trajectory_id LIMIT 100) t,
     unnest(json_extract(t.answer_facts, '$[*]')) AS facts(fact)
ORDER BY ALL
LIMIT 100;
