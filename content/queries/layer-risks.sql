-- title: Trust assumptions of layers side by side
-- about: Published grades of custody, data availability, operators and finality, from 1 (little to trust) to 5 (critical). NULL is not graded.
-- topic: Bitcoin layers

SELECT
  entity AS layer,
  anyOrNullIf(value, metric = 'risk.custody') AS custody_risk,
  anyOrNullIf(value, metric = 'risk.data') AS data_risk,
  anyOrNullIf(value, metric = 'risk.operators') AS operator_risk,
  anyOrNullIf(value, metric = 'risk.finality') AS finality_risk,
  max(day) AS assessed_on
FROM latest_observations
WHERE metric IN ('risk.custody', 'risk.data', 'risk.operators', 'risk.finality')
GROUP BY layer
ORDER BY layer
