-- title: EVM functions by name
-- about: Four-byte selectors that Assay can name, with their signatures and how often the indexed layers call them.
-- topic: EVM layers
-- parameter name: transfer

SELECT
  functions.function_name AS function_name,
  functions.signature AS signature,
  functions.selector AS selector,
  functions.source AS standard,
  sum(days.call_count) AS calls_indexed  -- 0 where no node of an EVM layer is connected
FROM evm_functions AS functions
LEFT JOIN evm_call_days AS days ON days.selector = functions.selector
WHERE functions.function_name ILIKE concat('%', {name:String}, '%')
GROUP BY ALL
ORDER BY calls_indexed DESC, function_name
