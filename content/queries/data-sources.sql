-- title: Data sources and licenses
-- about: Every source with its rank: where two report the same figure, the lower rank is used.
-- topic: Data coverage

SELECT
  rank,
  id,
  name,
  licence AS license,
  recorded_at AS recorded_at_utc,
  url
FROM sources
ORDER BY rank, id
