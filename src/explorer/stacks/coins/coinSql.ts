/** Statements on public tables, each about all tokens that it is given. Days end at the newest block held. */

/** Holders: who has something, without contracts (they hold for others) and without what is burned. */
export const HOLDERS_SQL = `SELECT
  asset,
  toUInt32(length(sizes)) AS holders,
  if(holders = 0, NULL, arraySum(arraySlice(sizes, 1, 10)) / arraySum(sizes)) AS top10Share,
  if(
    holders = 0, NULL,
    arraySum(arrayMap((x, i) -> (2 * (holders + 1 - i) - holders - 1) * x, sizes, arrayEnumerate(sizes)))
      / (holders * arraySum(sizes))
  ) AS gini,
  toString(supply) AS supply, hasNegative, toUInt32(contracts) AS contracts
FROM (
  SELECT
    asset,
    arrayReverseSort(groupArrayIf(toFloat64(balance), balance > 0 AND NOT leftOut)) AS sizes,
    sum(balance) AS supply,
    min(balance) < 0 AS hasNegative,
    countIf(balance > 0 AND position(holder, '.') > 0) AS contracts
  FROM (
    SELECT asset, holder, balance, position(holder, '.') > 0 OR holder IN {leftOut:Array(String)} AS leftOut
    FROM stx_balances
    WHERE asset IN {assets:Array(String)} AND balance != 0
  )
  GROUP BY asset
)`

/** Movements over the newest 30 days, and how much of them one sender sent out. */
export const MOVES_SQL = `WITH (SELECT max(block_time) FROM stx_blocks) AS tip
SELECT
  asset, sum(sent) AS moves, uniqExactMerge(got) AS recipients, max(sent) / moves AS senderShare,
  toUnixTimestamp(max(newest)) AS newestS
FROM (
  SELECT asset, sender, count() AS sent, uniqExactState(recipient) AS got, max(block_time) AS newest
  FROM stx_transfers
  WHERE standard = 'ft' AND block_time > tip - INTERVAL 30 DAY
  GROUP BY asset, sender
)
GROUP BY asset
ORDER BY moves DESC, asset
LIMIT 400`

/** Swaps of each token: of 7 days, of the 7 before, and the price in STX at the newest swap and at the last before an hour, a day and 7 days ago. */
export const SWAPS_SQL = `WITH
  (SELECT max(block_time) FROM stx_blocks) AS tip,
  sides AS (
    SELECT
      moved.1 AS token, moved.2 AS isBuy, moved.3 AS amount, moved.4 AS other, moved.5 AS paid,
      trader, block_time, event_index, height
    FROM (
      SELECT
        arrayJoin([
          (token_x, side = 'y', ifNull(amount_x, 0), token_y, ifNull(amount_y, 0)),
          (token_y, side = 'x', ifNull(amount_y, 0), token_x, ifNull(amount_x, 0))
        ]) AS moved,
        trader, block_time, event_index, height
      FROM stx_dex_events
      WHERE kind = 'swap' AND is_read AND block_time > tip - INTERVAL 30 DAY
    )
  )
SELECT
  token,
  countIf(isNew) AS trades, uniqExactIf(trader, isNew AND isBuy) AS buyers, uniqExactIf(trader, isNew AND NOT isBuy) AS sellers,
  toString(sumIf(paid, isNew AND other = 'STX')) AS volumeUstx,
  toString(sumIf(paid, NOT isNew AND block_time > tip - INTERVAL 14 DAY AND other = 'STX')) AS volumeBeforeUstx,
  toString(sumIf(paid, isNew AND isBuy AND other = 'STX')) AS boughtUstx,
  argMaxIf(toFloat64(paid) / nullIf(toFloat64(amount), 0), (height, event_index), other = 'STX') AS ustxPerUnit,
  argMaxIf(toFloat64(paid) / nullIf(toFloat64(amount), 0), (height, event_index), other = 'STX' AND block_time <= tip - INTERVAL 1 HOUR) AS ustxPerUnit1h,
  argMaxIf(toFloat64(paid) / nullIf(toFloat64(amount), 0), (height, event_index), other = 'STX' AND block_time <= tip - INTERVAL 1 DAY) AS ustxPerUnit24h,
  argMaxIf(toFloat64(paid) / nullIf(toFloat64(amount), 0), (height, event_index), other = 'STX' AND NOT isNew) AS ustxPerUnit7d
FROM (SELECT *, block_time > tip - INTERVAL 7 DAY AS isNew FROM sides WHERE token != '' AND token != 'STX')
GROUP BY token`

/** What lies in pools against STX: twice their STX, as of the newest day of each pool. */
export const LIQUIDITY_SQL = `SELECT token, toString(sum(stx) * 2) AS liquidityUstx
FROM (
  SELECT
    if(token_x = 'STX', token_y, token_x) AS token, pool,
    toUInt256(ifNull(argMax(if(token_x = 'STX', reserve_x, reserve_y), day), 0)) AS stx
  FROM stx_pool_reserves
  WHERE token_x = 'STX' OR token_y = 'STX'
  GROUP BY token, pool
)
GROUP BY token`

/** Newest trades, as the feed shows them. */
export const TRADES_SQL = `SELECT
  lower(hex(txid)) AS txid, toUnixTimestamp(block_time) AS timeS, protocol, trader,
  if(side = 'x', token_x, token_y) AS given, if(side = 'x', token_y, token_x) AS got,
  toString(if(side = 'x', amount_x, amount_y)) AS givenAmount, toString(if(side = 'x', amount_y, amount_x)) AS gotAmount
FROM stx_dex_events
WHERE kind = 'swap' AND is_read AND (token_x IN {contracts:Array(String)} OR token_y IN {contracts:Array(String)})
ORDER BY height DESC, event_index DESC
LIMIT 100`

/** Contracts whose source makes a fungible token, newest first. */
export const MADE_SQL = `SELECT
  contract, deployer, height, lower(hex(txid)) AS txid, toUnixTimestamp(block_time) AS timeS
FROM stx_contracts
WHERE position(source_code, 'define-fungible-token') > 0
ORDER BY height DESC, contract
LIMIT 50`

/** Coins made and destroyed, newest first. */
export const MINTS_SQL = `SELECT
  lower(hex(t.txid)) AS txid, toUnixTimestamp(t.block_time) AS timeS, asset, CAST(action AS String) AS action,
  ifNull(recipient, sender) AS who, toString(amount) AS amount
FROM stx_transfers AS t
WHERE t.asset IN {assets:Array(String)} AND action != 'transfer'
ORDER BY t.height DESC, t.event_index DESC
LIMIT 100`

/** Contracts that had most of each coin, of those that hold it. */
export const USED_SQL = `SELECT asset, holder, toString(u.balance) AS balance
FROM stx_balances AS u
WHERE asset IN {assets:Array(String)} AND position(holder, '.') > 0 AND u.balance > 0
ORDER BY u.balance DESC, holder
LIMIT 8 BY asset`

/** Where the making of a contract is held, and whether every block since is. */
export const SOURCES_SQL = `SELECT
  contract, source_code AS source, interface, toUnixTimestamp(c.block_time) AS madeS,
  c.height >= (SELECT max(from_height) FROM stx_coverage WHERE to_height = (SELECT max(height) FROM stx_blocks)) AS isWhole
FROM stx_contracts AS c
WHERE contract IN {contracts:Array(String)}
ORDER BY c.height DESC
LIMIT 1 BY contract`
