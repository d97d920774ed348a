-- What models were asked, what came from the cache, and what it cost; cost is null where no price is known.
SELECT stage, provider, model, sum(calls) AS prompts, sum(cached_calls) AS from_cache, sum(input_tokens) AS input_tokens,
       sum(output_tokens) AS output_tokens, sum(cost_usd) AS cost_usd
FROM usage
GROUP BY stage, provider, model
ORDER BY cost_usd DESC NULLS LAST, stage;
