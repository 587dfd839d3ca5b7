-- title: Names registered on Stacks
-- about: BNS names of the indexed blocks with their owners. Names expire or move, so this is the state at the newest indexed block.
-- topic: Stacks

SELECT
  name,
  -- A name ends in its namespace, such as .btc or .id.
  arrayElement(splitByChar('.', name), -1) AS namespace,
  owner,
  is_primary,
  height AS since_height,
  block_time AS since_utc
FROM stx_names
ORDER BY since_height DESC, name
LIMIT 1000
