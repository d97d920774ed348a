-- The published versions side by side: when, from what, how many examples, how many of their links are verified.
SELECT r.version, r.state, r.started_at, r.finished_at, r.seed, r.endpoint,
       (SELECT count(*) FROM trajectories_all t WHERE t.version = r.version) AS examples,
       (SELECT count(*) FROM links_all l WHERE l.version = r.version AND l.status = 'verified') AS verified_links
FROM runs_all r
ORDER BY r.version;
