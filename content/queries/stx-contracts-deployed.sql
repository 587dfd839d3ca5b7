-- title: Contracts deployed on Stacks
-- about: Deployed contracts with deployer, number of functions and size of the Clarity source.
-- topic: Stacks

SELECT
  height,
  block_time AS block_time_utc,
  -- A contract is named address.name.
  splitByChar('.', contract)[2] AS contract_name,
  deployer,
  function_count AS functions,
  length(source_code) AS source_bytes,
  countSubstrings(source_code, '\n') + 1 AS source_lines
FROM stx_contracts
ORDER BY height DESC, contract_name
LIMIT 100
