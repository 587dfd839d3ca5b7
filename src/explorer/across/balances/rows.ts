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
  changes: number
  height: number
}

/** The same with the day, in the order of days. */
export type HeldDay = Pick<Held, 'chain' | 'key' | 'asset' | 'tokenId' | 'change'> & { day: string }

type Row = Omit<Held, 'changes'> & { changes: string }

/** Sums over all blocks held. Keys are checked addresses: their letters are safe in a statement, which takes more of them than an address of HTTP. */
export async function readChanges(
  reader: Reader,
  chains: readonly ChainId[],
  asked: readonly Asked[],
): Promise<Held[]> {
  const rows = await Promise.all(
    statementsOf(asked, chains).map(({ from }) =>
      readRows<Row>(
        reader,
        `SELECT chain, key, asset, token_id AS tokenId, toString(sum(change)) AS change, count() AS changes, max(height) AS height
FROM (
${from}
)
GROUP BY chain, key, asset, token_id`,
      ),
    ),
  )
  return rows.flat().map(row => ({ ...row, changes: Number(row.changes) }))
}

/** What changed on each day with a change, of one address. */
export async function readChangeDays(
  reader: Reader,
  chains: readonly ChainId[],
  asked: Asked,
): Promise<HeldDay[]> {
  const rows = await Promise.all(
    statementsOf([asked], chains).map(({ from }) =>
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

function statementsOf(asked: readonly Asked[], chains: readonly ChainId[]): { from: string }[] {
  const keysOf = (kind: Asked['kind']) => asked.filter(one => one.kind === kind).map(({ key }) => key)
  const [bitcoin, stacks, evm] = [keysOf('bitcoin'), keysOf('stacks'), keysOf('evm')]
  return [
    ...(bitcoin.length === 0 ? [] : [{ from: ofBitcoin(bitcoin) }]),
    ...(stacks.length === 0 ? [] : [{ from: ofStacks(stacks) }]),
    ...(evm.length === 0 ? [] : [{ from: ofLayers(evm, chains.filter(isEvm)) }]),
  ]
}

const listOf = (keys: readonly string[]): string => `[${keys.map(key => `'${key}'`).join(', ')}]`

/** Outputs are got, inputs spend what their prevout was worth: where that is not known, the run of blocks does not reach back to it. */
const ofBitcoin = (scripts: readonly string[]): string => `WITH
  asked AS (SELECT unhex(arrayJoin(${listOf(scripts)})) AS script)
SELECT
  'bitcoin' AS chain, lower(hex(script)) AS key, 'native' AS asset, CAST(NULL, 'Nullable(String)') AS token_id,
  height, block_time, toInt256(value_sat) AS change
FROM btc_outputs
WHERE script IN (SELECT script FROM asked)
UNION ALL
SELECT
  'bitcoin', lower(hex(prev_script)), 'native', CAST(NULL, 'Nullable(String)'), height, block_time,
  -toInt256(ifNull(prev_value_sat, 0))
FROM btc_inputs
WHERE prev_script IN (SELECT script FROM asked)`

const ofStacks = (principals: readonly string[]): string => `WITH
  asked AS (SELECT arrayJoin(${listOf(principals)}) AS principal)
SELECT
  'stacks' AS chain, assumeNotNull(recipient) AS key, if(asset = '', 'native', asset) AS asset,
  CAST(NULL, 'Nullable(String)') AS token_id, height, block_time, toInt256(amount) AS change
FROM stx_transfers
WHERE standard != 'nft' AND recipient IN (SELECT principal FROM asked)
UNION ALL
SELECT
  'stacks', assumeNotNull(sender), if(asset = '', 'native', asset), CAST(NULL, 'Nullable(String)'), height, block_time,
  -toInt256(amount)
FROM stx_transfers
WHERE standard != 'nft' AND sender IN (SELECT principal FROM asked)
UNION ALL
SELECT
  'stacks', ifNull(sponsor, sender), 'native', CAST(NULL, 'Nullable(String)'), height, block_time, -toInt256(fee_ustx)
FROM stx_txs
WHERE fee_ustx > 0 AND (sender IN (SELECT principal FROM asked) OR sponsor IN (SELECT principal FROM asked))
  AND ifNull(sponsor, sender) IN (SELECT principal FROM asked)
UNION ALL
SELECT
  'stacks', recipient, 'native', CAST(NULL, 'Nullable(String)'), height, block_time,
  toInt256(coinbase_ustx) + tx_fee_ustx + streamed_confirmed_ustx + streamed_produced_ustx
FROM stx_miner_rewards
WHERE recipient IN (SELECT principal FROM asked)`

/** Tokens alone: coin that contracts move inside a transaction leaves no row, so no sum of rows is a balance of it. */
const ofLayers = (addresses: readonly string[], layers: readonly ChainId[]): string => `WITH
  asked AS (SELECT toFixedString(unhex(arrayJoin(${listOf(addresses)})), 20) AS address)
SELECT
  toString(chain) AS chain, lower(hex(recipient)) AS key, lower(hex(token)) AS asset,
  if(token_id IS NULL, NULL, toString(token_id)) AS token_id, height, block_time, toInt256(amount) AS change
FROM evm_transfers
WHERE chain IN (${layers.map(layer => `'${layer}'`).join(', ')}) AND recipient IN (SELECT address FROM asked)
UNION ALL
SELECT
  toString(chain), lower(hex(sender)), lower(hex(token)), if(token_id IS NULL, NULL, toString(token_id)), height,
  block_time, -toInt256(amount)
FROM evm_transfers
WHERE chain IN (${layers.map(layer => `'${layer}'`).join(', ')}) AND sender IN (SELECT address FROM asked)`
