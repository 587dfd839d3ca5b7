-- title: Calls and new contracts of EVM layers
-- about: Contract calls, callers and deployed contracts in a range of days. Layers without a connected node show zero.
-- topic: EVM layers
-- parameter from: 2020-01-01
-- parameter to: 2030-01-01

WITH layers AS (
  SELECT arrayJoin(['rootstock', 'bob', 'merlin', 'bitlayer', 'b2-network', 'core']) AS layer
),
calls AS (
  SELECT
    toString(chain) AS layer,
    sum(call_count) AS calls,
    sum(failed_call_count) AS failed_calls,
    uniq(contract) AS contracts_called,
    uniqExact(bucket) AS days
  FROM evm_call_days
  WHERE bucket BETWEEN {from:Date} AND {to:Date}
  GROUP BY chain
),
deployed AS (
  SELECT toString(chain) AS layer, sum(contract_count) AS contracts
  FROM evm_contract_days
  WHERE bucket BETWEEN {from:Date} AND {to:Date}
  GROUP BY chain
)
SELECT
  layers.layer AS layer,
  calls.days AS days_indexed,
  calls.calls AS calls,
  calls.failed_calls AS failed_calls,
  calls.contracts_called AS contracts_called,
  deployed.contracts AS contracts_deployed
FROM layers
LEFT JOIN calls ON calls.layer = layers.layer
LEFT JOIN deployed ON deployed.layer = layers.layer
ORDER BY calls DESC, layer
