-- title: Tokens of Stacks DEXs
-- about: Tokens that Assay can price in pools, with decimals and contract.
-- topic: Stacks
-- parameter search: btc

SELECT
  symbol,
  decimals,  -- an amount of 1 is 1 / 10^decimals of a token
  is_listed,
  token AS contract
FROM stx_dex_tokens
WHERE symbol ILIKE concat('%', {search:String}, '%')
ORDER BY symbol
