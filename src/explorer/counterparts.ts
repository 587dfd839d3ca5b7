import { type Reader, readRows } from './readRows.ts'

/** What a transaction or a block is to something on another chain. */
export const COUNTERPART_ROLES = [
  /** A block commit and the first block of the tenure that it won. */
  'won_tenure',
  /** A block commit that won nothing, or that the node did not accept: nothing stands opposite. */
  'lost_tenure',
  'not_accepted',
  /** An operation made on Bitcoin and the transaction that carried it out. */
  'carried_out',
  'sbtc_deposit',
  'sbtc_sweep',
  'sbtc_withdrawal',
  /** A merge-mining tag and the block whose proof is this header; `no_proof`: none took it. */
  'merge_mined',
  'no_proof',
] as const
export type CounterpartRole = (typeof COUNTERPART_ROLES)[number]

export type Counterpart = {
  readonly role: CounterpartRole
  readonly chain: 'bitcoin' | 'stacks' | 'rootstock'
  readonly kind: 'block' | 'tx'
  /** Height of a block, txid of a transaction; null where nothing stands opposite. */
  readonly id: string | null
}

/** Below this height sBTC was not there. */
const FIRST_SBTC_HEIGHT = 880_000

type Tx = { readonly height: number; readonly txIndex: number; readonly txid: string }

/** What a Bitcoin transaction is on the layers, by `ops`, the operations that it carries out. */
export async function readCounterparts(
  reader: Reader,
  { height, txIndex, txid }: Tx,
  ops: readonly string[],
): Promise<Counterpart[]> {
  const at = { height, txIndex, txid }
  const ask = <Row>(needed: boolean, sql: string): Promise<Row[]> =>
    needed ? readRows<Row>(reader, sql, at) : Promise.resolve([])
  const isOp = (name: string) => ops.includes(name)
  const [commits, operations, prints, tags] = await Promise.all([
    ask<{ isWinner: boolean | null; isAccepted: boolean | null; stacksHeight: number | null }>(
      isOp('stacks.block_commit'),
      `SELECT CAST(is_winner AS Nullable(Bool)) AS isWinner, CAST(is_accepted AS Nullable(Bool)) AS isAccepted, stacks_height AS stacksHeight
FROM stx_block_commits
WHERE height = {height:UInt32} AND tx_index = {txIndex:UInt32}`,
    ),
    ask<{ height: number }>(
      ops.some(op => op.startsWith('stacks.')),
      `SELECT height FROM stx_txs AS t
WHERE t.kind = 'bitcoin_op' AND t.txid = toFixedString(unhex({txid:String}), 32)`,
    ),
    ask<{ role: CounterpartRole; txid: string }>(
      height >= FIRST_SBTC_HEIGHT,
      `SELECT DISTINCT multiIf(event = 'withdrawal-accept', 'sbtc_withdrawal', is_sweep, 'sbtc_sweep', 'sbtc_deposit') AS role, lower(hex(p.txid)) AS txid
FROM (
  SELECT event, txid, sweep_txid = toFixedString(unhex({txid:String}), 32) AS is_sweep
  FROM stx_sbtc_prints
  WHERE sweep_txid = toFixedString(unhex({txid:String}), 32) OR bitcoin_txid = toFixedString(unhex({txid:String}), 32)
) AS p
ORDER BY role, txid
LIMIT 20`,
    ),
    ask<{ height: number | null; isInChain: boolean | null }>(
      isOp('rootstock.merge_mining'),
      `SELECT rootstock_height AS height, is_in_chain AS isInChain
FROM rootstock_merge_mining AS r
WHERE r.height = {height:UInt32}`,
    ),
  ])
  return [
    ...commits.flatMap(({ isWinner, isAccepted, stacksHeight }): Counterpart[] => {
      if (stacksHeight !== null)
        return [{ role: 'won_tenure', chain: 'stacks', kind: 'block', id: String(stacksHeight) }]
      if (isAccepted === false) return [{ role: 'not_accepted', chain: 'stacks', kind: 'block', id: null }]
      return isWinner === false ? [{ role: 'lost_tenure', chain: 'stacks', kind: 'block', id: null }] : []
    }),
    ...operations.map((): Counterpart => ({ role: 'carried_out', chain: 'stacks', kind: 'tx', id: txid })),
    ...prints.map(({ role, txid: id }): Counterpart => ({ role, chain: 'stacks', kind: 'tx', id })),
    ...tags.flatMap(({ height: number, isInChain }): Counterpart[] => {
      if (number !== null)
        return [{ role: 'merge_mined', chain: 'rootstock', kind: 'block', id: String(number) }]
      return isInChain === false ? [{ role: 'no_proof', chain: 'rootstock', kind: 'block', id: null }] : []
    }),
  ]
}

/** SQL: whether a Bitcoin transaction is held, by its txid as 32 bytes. */
const isHeld = (txid: string): string => `${txid} IN (
  SELECT txid FROM btc_outpoints
  WHERE txid_prefix IN (SELECT reinterpretAsUInt64(reverse(substring(assumeNotNull(txid), 1, 8))) FROM named)
)`

/** Bitcoin transactions that a Stacks transaction carries out or reports, those that are held. */
export async function readStacksTxCounterparts(
  reader: Reader,
  { height, txid, isBitcoinOp }: { height: number; txid: string; isBitcoinOp: boolean },
): Promise<Counterpart[]> {
  const rows = await readRows<{ role: CounterpartRole; id: string }>(
    reader,
    `WITH named AS (
  SELECT pair.1 AS role, pair.2 AS txid
  FROM (
    SELECT arrayJoin([
      (if(event = 'withdrawal-accept', 'sbtc_withdrawal', 'sbtc_deposit'), bitcoin_txid), ('sbtc_sweep', sweep_txid)
    ]) AS pair
    FROM stx_sbtc_prints AS p
    WHERE p.height = {height:UInt32} AND p.txid = toFixedString(unhex({txid:String}), 32)
    UNION ALL
    SELECT ('carried_out', toNullable(toFixedString(unhex({txid:String}), 32)))
    WHERE {isBitcoinOp:UInt8} = 1
  )
  WHERE pair.2 IS NOT NULL
)
SELECT min(role) AS role, lower(hex(assumeNotNull(n.txid))) AS id
FROM named AS n
WHERE ${isHeld('n.txid')}
GROUP BY n.txid
ORDER BY role, id
LIMIT 50`,
    { height, txid, isBitcoinOp: isBitcoinOp ? 1 : 0 },
  )
  return rows.map(({ role, id }) => ({ role, chain: 'bitcoin', kind: 'tx', id }))
}

/** The block commit that won a tenure, where its Bitcoin block is held. */
export async function readCommitOf(reader: Reader, minerTxid: string | null): Promise<Counterpart[]> {
  if (minerTxid === null || /^0+$/.test(minerTxid)) return []
  const rows = await readRows<{ one: number }>(
    reader,
    `WITH named AS (SELECT toFixedString(unhex({txid:String}), 32) AS txid)
SELECT 1 AS one FROM named AS n WHERE ${isHeld('n.txid')}`,
    { txid: minerTxid },
  )
  return rows.map(() => ({ role: 'won_tenure', chain: 'bitcoin', kind: 'tx', id: minerTxid }))
}
