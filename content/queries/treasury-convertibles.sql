-- title: Convertible notes of treasury companies
-- about: Face value, conversion price and maturity of convertible notes that have not matured, next to the last share price.
-- topic: Treasuries and ETFs

WITH closes AS (
  SELECT entity, argMax(close_usd, day) AS close_usd, max(day) AS as_of
  FROM share_usd_closes
  GROUP BY entity
)
SELECT
  holders.name AS company,
  notes.face_usd AS face_usd,
  notes.strike_usd AS conversion_price_usd,
  closes.close_usd AS last_share_price_usd,
  closes.as_of AS price_as_of,
  closes.close_usd > notes.strike_usd AS is_in_the_money,
  notes.expires_day AS maturity_day
FROM treasury_instruments AS notes
INNER JOIN treasury_holders AS holders ON holders.entity = notes.entity
INNER JOIN closes ON closes.entity = notes.entity
WHERE notes.kind = 'convertible'
  -- A comparison with NULL is never true, so a note without a maturity needs its own condition.
  AND (notes.expires_day IS NULL OR notes.expires_day > closes.as_of)
ORDER BY face_usd DESC
