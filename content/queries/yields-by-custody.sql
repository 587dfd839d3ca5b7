-- title: Yield opportunities by custody
-- about: Who controls the bitcoin in each opportunity, with audits and recorded incidents.
-- topic: Yields

SELECT
  custody_kind,
  count() AS opportunities,
  countIf(audits > 0) AS with_an_audit,
  countIf(incidents > 0) AS with_an_incident,
  countIf(is_bitcoin_only) AS bitcoin_only
FROM yield_opportunities
GROUP BY custody_kind
ORDER BY opportunities DESC
