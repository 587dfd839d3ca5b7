-- title: Planned STX supply
-- about: Unlocked STX by month as planned before the launch in 2020, and what each month adds.
-- topic: Stacks

SELECT
  day,
  amount / 1e6 AS planned_supply_stx,
  -- lagInFrame is 0 before the first row; nullIf turns that into NULL.
  (amount - nullIf(lagInFrame(amount) OVER by_day, 0)) / 1e6 AS added_stx
FROM latest_observations
WHERE metric = 'supply.planned' AND entity = 'stacks'
WINDOW by_day AS (ORDER BY day ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
ORDER BY day
