import { addressDays } from '#metrics/rollups/addressDays.ts'
import { readStaleDays } from '#metrics/rollups/refresh.ts'
import { type Reader, readRows } from '../../readRows.ts'
import { type ChainId, isEvm } from '../chains.ts'
import type { Asked } from './parse.ts'

/** What changed of one asset of one address in the blocks that are held. */
export type Held = {
  chain: ChainId
  /** Key of the address, as `Asked` has it. */
  key: string
  /** `native`, or what names the token: contract (EVM, hexadecimal digits), `address.contract::asset` (Stacks). */
  asset: string
  /** Which one, of EVM tokens that are told apart; null for all others. */
  tokenId: string | null
  change: string
}

/** The same with the day, in the order of days. */
export type HeldDay = Pick<Held, 'chain' | 'key' | 'asset' | 'tokenId' | 'change'> & { day: string }

/** Sums over all blocks held. Keys are checked addresses: their letters are safe in a statement, which takes more of them than an address of HTTP. */
export async function readChanges(
  reader: Reader,
  chains: readonly ChainId[],
  asked: readonly Asked[],
): Promise<Held[]> {
  const statements = await statementsOf(reader, asked, chains)
  const rows = await Promise.all(
    statements.map(from =>
      readRows<Held>(
        reader,
        `SELECT chain, key, asset, token_id AS tokenId, toString(sum(change)) AS change
FROM (
${from}
)
GROUP BY chain, key, asset, token_id`,
      ),
    ),
  )
  return rows.flat()
}

/** What changed on each day with a change, of one address. */
export async function readChangeDays(
  reader: Reader,
  chains: readonly ChainId[],
  asked: Asked,
): Promise<HeldDay[]> {
  const statements = await statementsOf(reader, [asked], chains)
  const rows = await Promise.all(
    statements.map(from =>
      readRows<HeldDay>(
        reader,
        `SELECT chain, key, asset, token_id AS tokenId, toString(toDate(block_time)) AS day, toString(sum(change)) AS change
FROM (
${from}
)
GROUP BY chain, key, asset, token_id, day
ORDER BY day`,
      ),
    ),
  )
  return rows.flat()
}

async function statementsOf(
  reader: Reader,
  asked: readonly Asked[],
  chains: readonly ChainId[],
): Promise<string[]> {
  const keysOf = (kind: Asked['kind']) => asked.filter(one => one.kind === kind).map(({ key }) => key)
  const [bitcoin, stacks, evm] = [keysOf('bitcoin'), keysOf('stacks'), keysOf('evm')]
  return [
    ...(bitcoin.length === 0 ? [] : [ofBitcoin(bitcoin, await readStaleDays(reader, addressDays))]),
    ...(stacks.length === 0 ? [] : [ofStacks(stacks)]),
    ...(evm.length === 0 ? [] : [ofLayers(evm, chains.filter(isEvm))]),
  ]
}

const listOf = (keys: readonly string[]): string => `[${keys.map(key => `'${key}'`).join(', ')}]`

/**
 * Days are read as they were counted by address, whose rows lie in the order of addresses: base rows lie in that of heights,
 * and all of them would have to be looked at. Days that are not counted as they are now, those of the newest blocks, come
 * from base rows: outputs are got, inputs spend what their prevout was worth; where that is not known, the run of blocks
 * does not reach back to it. Genesis pays nobody.
 */
const ofBitcoin = (scripts: readonly string[], stale: readonly string[]): string => `WITH
  asked AS (SELECT unhex(arrayJoin(${listOf(scripts)})) AS script),
  stale AS (SELECT arrayJoin(CAST(${listOf(stale)}, 'Array(Date)')) AS day),
  open AS (SELECT height FROM btc_blocks WHERE toDate(block_time) IN (SELECT day FROM stale))
SELECT
  'bitcoin' AS chain, lower(hex(k.script)) AS key, 'native' AS asset, CAST(NULL, 'Nullable(String)') AS token_id,
  toDateTime(d.bucket, 'UTC') AS block_time, toInt256(d.change_sat - d.key_change_sat) AS change
FROM (
  SELECT address, bucket, change_sat, key_change_sat
  FROM btc_address_days
  WHERE address IN (SELECT sipHash128(script) FROM asked) AND bucket NOT IN (SELECT day FROM stale) AND is_named
) AS d
INNER JOIN (SELECT script, sipHash128(script) AS address FROM asked) AS k ON k.address = d.address
UNION ALL
SELECT
  'bitcoin', lower(hex(script)), 'native', CAST(NULL, 'Nullable(String)'), block_time, toInt256(value_sat)
FROM btc_outputs
WHERE height > 0 AND height IN (SELECT height FROM open) AND script IN (SELECT script FROM asked)
UNION ALL
SELECT
  'bitcoin', lower(hex(prev_script)), 'native', CAST(NULL, 'Nullable(String)'), block_time,
  -toInt256(ifNull(prev_value_sat, 0))
FROM btc_inputs
WHERE height IN (SELECT height FROM open) AND prev_script IN (SELECT script FROM asked)`

const ofStacks = (principals: readonly string[]): string => `WITH
  asked AS (SELECT arrayJoin(${listOf(principals)}) AS principal)
SELECT
  'stacks' AS chain, assumeNotNull(recipient) AS key, if(asset = '', 'native', asset) AS asset,
  CAST(NULL, 'Nullable(String)') AS token_id, block_time, toInt256(amount) AS change
FROM stx_transfers
WHERE standard != 'nft' AND recipient IN (SELECT principal FROM asked)
UNION ALL
SELECT
  'stacks', assumeNotNull(sender), if(asset = '', 'native', asset), CAST(NULL, 'Nullable(String)'), block_time,
  -toInt256(amount)
FROM stx_transfers
WHERE standard != 'nft' AND sender IN (SELECT principal FROM asked)
UNION ALL
SELECT
  'stacks', ifNull(sponsor, sender), 'native', CAST(NULL, 'Nullable(String)'), block_time, -toInt256(fee_ustx)
FROM stx_txs
WHERE fee_ustx > 0 AND (sender IN (SELECT principal FROM asked) OR sponsor IN (SELECT principal FROM asked))
  AND ifNull(sponsor, sender) IN (SELECT principal FROM asked)
UNION ALL
SELECT
  'stacks', recipient, 'native', CAST(NULL, 'Nullable(String)'), block_time,
  toInt256(coinbase_ustx) + tx_fee_ustx + streamed_confirmed_ustx + streamed_produced_ustx
FROM stx_miner_rewards
WHERE recipient IN (SELECT principal FROM asked)`

/** Tokens alone: coin that contracts move inside a transaction leaves no row, so no sum of rows is a balance of it. */
const ofLayers = (addresses: readonly string[], layers: readonly ChainId[]): string => `WITH
  asked AS (SELECT toFixedString(unhex(arrayJoin(${listOf(addresses)})), 20) AS address)
SELECT
  toString(chain) AS chain, lower(hex(recipient)) AS key, lower(hex(token)) AS asset,
  if(token_id IS NULL, NULL, toString(token_id)) AS token_id, block_time, toInt256(amount) AS change
FROM evm_transfers
WHERE chain IN (${layers.map(layer => `'${layer}'`).join(', ')}) AND recipient IN (SELECT address FROM asked)
UNION ALL
SELECT
  toString(chain), lower(hex(sender)), lower(hex(token)), if(token_id IS NULL, NULL, toString(token_id)),
  block_time, -toInt256(amount)
FROM evm_transfers
WHERE chain IN (${layers.map(layer => `'${layer}'`).join(', ')}) AND sender IN (SELECT address FROM asked)`
