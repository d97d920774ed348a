-- Macros of the catalog: what analysts ask again and again. They read the views of the newest version;
-- `_all` views are there for everything else. Used as tables: FROM funnel();

CREATE MACRO pass_at_k(n, c, k) AS
    CASE WHEN k > n THEN NULL
         WHEN n - c < k THEN 1.0
         ELSE 1.0 - list_product([(n - c - i)::DOUBLE / (n - i) FOR i IN range(k::BIGINT)]) END;

CREATE MACRO pass_hat_k(n, c, k) AS
    CASE WHEN k > n THEN NULL
         WHEN c < k THEN 0.0
         ELSE list_product([(c - i)::DOUBLE / (n - i) FOR i IN range(k::BIGINT)]) END;

CREATE MACRO funnel() AS TABLE
    SELECT stage, rows_in, rows_out, rows_in - rows_out AS dropped,
           rows_out / nullif(rows_in, 0) AS yield, dropped AS reasons, seconds
    FROM stage_ledger
    ORDER BY list_position(['spec_compilation', 'link_candidates', 'link_exploration', 'task_generation',
        'sequence_generation', 'execution_validation', 'deduplication'], stage) NULLS LAST, stage;

CREATE MACRO drop_reasons() AS TABLE
    SELECT stage, reason, count(*) AS items, min(detail) AS example
    FROM rejects GROUP BY ALL ORDER BY stage, items DESC, reason;

CREATE MACRO platform_coverage() AS TABLE
    WITH used AS (
        SELECT unnest(list_distinct(json_extract_string(golden_calls, '$[*].tool'))) AS tool_id FROM trajectories),
    per_tool AS (SELECT tool_id, count(*) AS trajectories FROM used GROUP BY tool_id),
    linked AS (
        SELECT tool_id, count(*) AS verified_links
        FROM (SELECT source_tool AS tool_id FROM links WHERE status = 'verified'
              UNION ALL SELECT target_tool FROM links WHERE status = 'verified')
        GROUP BY tool_id)
    SELECT platform, count(*) AS tools, count(s.tool_id) FILTER (s.served) AS served_tools,
           count(l.tool_id) AS linked_tools, coalesce(sum(l.verified_links), 0)::BIGINT AS verified_link_ends,
           count(u.tool_id) AS used_tools, coalesce(sum(u.trajectories), 0)::BIGINT AS uses_in_trajectories
    FROM tools LEFT JOIN tool_shapes s USING (tool_id) LEFT JOIN linked l USING (tool_id)
         LEFT JOIN per_tool u USING (tool_id)
    GROUP BY platform ORDER BY tools DESC, platform;

CREATE MACRO link_neighbourhood(tool) AS TABLE
    SELECT CASE WHEN l.target_tool = n.tool_id THEN 'feeds it' ELSE 'fed by it' END AS direction,
           o.name AS other_tool, o.platform, l.status, l.posterior_mean, l.successes, l.structural_failures,
           l.empties, l.environmental_failures, l.cardinality_median, l.bindings, l.link_id
    FROM tools n
    JOIN links l ON n.tool_id IN (l.source_tool, l.target_tool)
    JOIN tools o ON o.tool_id = CASE WHEN l.target_tool = n.tool_id THEN l.source_tool ELSE l.target_tool END
    WHERE tool IN (n.tool_id, n.operation_key, n.name)
    ORDER BY direction, l.status = 'verified' DESC, l.posterior_mean DESC, o.name;

-- Where one example comes from: a row for each thing it rests on, from what was asked to the code that ran.
CREATE MACRO lineage(example) AS TABLE
    WITH t AS (SELECT * FROM trajectories_all WHERE trajectory_id = example
               ORDER BY version DESC LIMIT 1),
    calls AS (
        SELECT o.* FROM outcomes_all o, t
        WHERE o.version = t.version AND o.task_id = t.task_id),
    called AS (SELECT DISTINCT tool_id FROM calls),
    found AS (
        SELECT 1 AS step, 'trajectory' AS what, trajectory_id AS id,
               json_object('version', version, 'kind', kind, 'split', split, 'plan_signature', plan_signature) AS detail
        FROM t
        UNION ALL
        SELECT 2, 'request', u.task_id, json_object('query', u.query, 'plan_id', u.plan_id, 'generator', u.generator,
               'model', u.generator_model, 'prompt_hash', u.prompt_hash)
        FROM user_tasks_all u, t WHERE u.version = t.version AND u.task_id = t.task_id
        UNION ALL
        SELECT 3, 'answer key', s.task_id, json_object('agreement', s.agreement, 'n_calls', s.n_calls,
               'generator', s.generator, 'model', s.generator_model, 'prompt_hash', s.prompt_hash)
        FROM call_sequences_all s, t WHERE s.version = t.version AND s.task_id = t.task_id
        UNION ALL
        SELECT 4, 'call', outcome_id, json_object('step', step_id, 'tool_id', tool_id, 'outcome', outcome,
               'records', n_records, 'arguments', json(arguments))
        FROM calls
        UNION ALL
        SELECT 5, 'recorded response', response_hash, json_object('recording', 'recordings/' || version,
               'outcome_id', outcome_id, 'endpoint', endpoint)
        FROM calls WHERE response_hash <> ''
        UNION ALL
        SELECT 6, 'link', l.link_id, json_object('source', l.source_tool, 'target', l.target_tool,
               'bindings', json(l.bindings), 'status', l.status, 'posterior_mean', l.posterior_mean)
        FROM links_all l, t WHERE l.version = t.version AND list_contains(t.link_ids, l.link_id)
        UNION ALL
        SELECT 7, 'tool', g.tool_id, json_object('name', g.name, 'operation_key', g.operation_key)
        FROM tools_all g, t WHERE g.version = t.version AND g.tool_id IN (FROM called)
        UNION ALL
        SELECT DISTINCT 8, 'document', g.spec_file, json_object('spec_hash', g.spec_hash)
        FROM tools_all g, t WHERE g.version = t.version AND g.tool_id IN (FROM called)
        UNION ALL
        SELECT 9, 'run', r.run_id, json_object('endpoint', r.endpoint, 'seed', r.seed, 'prompt_hash', r.prompt_hash,
               'spec_hash', r.spec_hash, 'code_version', r.code_version, 'config', json(r.config))
        FROM runs_all r, t WHERE r.version = t.version)
    SELECT what, id, detail FROM found ORDER BY step, id;

COMMENT ON MACRO pass_at_k IS 'chance that at least one of k attempts succeeds, from c successes in n attempts';
COMMENT ON MACRO pass_hat_k IS 'chance that all of k attempts succeed, from c successes in n attempts';
COMMENT ON MACRO TABLE funnel IS 'what each stage took in, gave out and dropped';
COMMENT ON MACRO TABLE drop_reasons IS 'dropped items by stage and reason, with an example';
COMMENT ON MACRO TABLE platform_coverage IS 'tools, links and uses of each platform';
COMMENT ON MACRO TABLE link_neighbourhood IS 'links of a tool, given by id, operation key or name';
COMMENT ON MACRO TABLE lineage IS 'everything an example rests on, given its trajectory_id';
