-- Everything one example rests on, down to documents, prompts, recorded responses and code; put an id in place of the subquery.
FROM lineage((SELECT trajectory_id FROM trajectories ORDER BY trajectory_id LIMIT 1));
