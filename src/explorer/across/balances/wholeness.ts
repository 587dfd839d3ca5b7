import { type Reader, readRows } from '../../readRows.ts'
import type { ChainHeld, ChainId } from '../chains.ts'
import type { Held } from './rows.ts'

/** Whether a sum over the rows held is a balance, and why not where it is none. */
export type Wholeness = (held: Pick<Held, 'chain' | 'asset' | 'change'>) => string | null

/**
 * A sum over rows is a balance only where every change since the asset was made is held: of coins since the first block, of
 * a token since the block that made its contract. Anything else says why it is none.
 */
export async function readWholeness(
  reader: Reader,
  chains: readonly ChainHeld[],
  changes: readonly Held[],
): Promise<Wholeness> {
  const contracts = (chain: 'stacks' | 'evm') => [
    ...new Set(
      changes
        .filter(one => one.asset !== 'native' && (chain === 'stacks') === (one.chain === 'stacks'))
        .map(({ asset }) => asset.split('::')[0] ?? ''),
    ),
  ]
  const [ofStacks, ofLayers, [stacks]] = await Promise.all([
    readMade(
      reader,
      contracts('stacks'),
      list => `SELECT 'stacks' AS chain, contract, min(height) AS height
FROM stx_contracts
WHERE contract IN (SELECT arrayJoin([${list}]))
GROUP BY contract`,
    ),
    readMade(
      reader,
      contracts('evm'),
      list => `SELECT toString(c.chain) AS chain, lower(hex(c.contract)) AS contract, min(c.height) AS height
FROM evm_contracts AS c
WHERE c.contract IN (SELECT toFixedString(unhex(arrayJoin([${list}])), 20))
GROUP BY c.chain, c.contract`,
    ),
    readRows<{ untold: string[]; isAllocated: number }>(
      reader,
      `SELECT
  (SELECT groupUniqArray(part) FROM stx_untold_days) AS untold,
  (
    SELECT count() > 0
    FROM stx_blocks AS b
    INNER JOIN (
      SELECT height, countIf(standard = 'stx' AND action = 'mint') AS mints, max(event_index) + 1 AS events
      FROM stx_transfers
      WHERE height <= 1
      GROUP BY height
    ) AS t ON t.height = b.height
    WHERE b.height <= 1 AND t.mints > 0 AND b.event_count + b.rolled_back_event_count >= t.events
  ) AS isAllocated`,
    ),
  ])
  const made = new Map([...ofStacks, ...ofLayers].map(row => [`${row.chain} ${row.contract}`, row.height]))
  const untold = new Set(stacks?.untold ?? [])
  return ({ chain, asset, change }) => {
    const run = chains.find(one => one.chain === chain)
    if (run === undefined) return 'No block of the chain is indexed.'
    if (change.startsWith('-')) return 'Transfers before the indexed blocks are missing.'
    if (chain === 'stacks' && untold.has('events')) return 'The source of some blocks does not report events.'
    if (asset === 'native') {
      if (chain !== 'bitcoin' && chain !== 'stacks')
        return 'Coin moved by contracts inside transactions is not indexed. Only a node has the balance.'
      if (!run.isSinceGenesis) return `Indexed blocks start at ${run.sinceHeight}, not at the first block.`
      if (chain === 'stacks' && !stacks?.isAllocated) return 'The genesis allocation is not fully indexed.'
      if (chain === 'stacks' && untold.has('miner_rewards'))
        return 'The source of some blocks does not report miner rewards.'
      return null
    }
    const since = made.get(`${chain} ${asset.split('::')[0] ?? ''}`)
    if (run.isSinceGenesis || (since !== undefined && since >= run.sinceHeight)) return null
    return `Indexed blocks start at ${run.sinceHeight}, after the token was created.`
  }
}

type Made = { chain: ChainId; contract: string; height: number }

const readMade = (
  reader: Reader,
  contracts: readonly string[],
  sql: (list: string) => string,
): Promise<Made[]> =>
  contracts.length === 0
    ? Promise.resolve([])
    : readRows<Made>(reader, sql(contracts.map(contract => `'${contract}'`).join(', ')))
