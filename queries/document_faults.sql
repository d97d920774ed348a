-- Where documents and live answers disagree, by document.
SELECT spec_file, kind, count(*) AS points, count(DISTINCT tool_id) AS tools, min(path) AS example
FROM spec_differences
GROUP BY spec_file, kind
ORDER BY points DESC, spec_file, kind;
