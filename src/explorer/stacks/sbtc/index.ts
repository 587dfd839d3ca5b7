import { isAddress } from '#chains/stacks/index.ts'
import { SBTC_DEPLOYERS } from '#kernel/stacks.ts'
import { countedOver, readHeld } from '../../across/chains.ts'
import { ExplorerError } from '../../errors.ts'
import { isoOf, type Reader, readRows } from '../../readRows.ts'
import { readSbtcDeposits, type SbtcDeposit } from './deposits.ts'
import { type Flow, followFlow } from './flow.ts'
import { readMintEvent } from './moves.ts'
import { readSbtcTypical, type SbtcTypical } from './typical.ts'
import { readSbtcWithdrawals, type SbtcWithdrawal } from './withdrawals.ts'

type Listed<Item> = { items: Item[]; next: string | null }
type ListQuery = { of?: string | undefined; before?: string | undefined; limit?: number | undefined }

export type SbtcDepositFull = {
  deposit: SbtcDeposit
  /** What became of it on Stacks; null until it is minted, and where the mint itself is not held. */
  flow: (Flow & { throughContracts: boolean }) | null
  /** Withdrawals that it went into. */
  withdrawals: SbtcWithdrawal[]
  typical: SbtcTypical
}

export type SbtcSummary = {
  typical: SbtcTypical
  /** As the registry last named them; null where that is not held. */
  signers: { count: number; threshold: number; since: string; height: number } | null
  /** Of the blocks that are indexed. Null where there is none and blocks since the launch of sBTC are missing. */
  deposits: { minted: number | null; waiting: number | null }
  withdrawals: { pending: number | null; accepted: number | null; rejected: number | null }
}

/** sBTC as pages show it. Each throws ExplorerError for what is not held or cannot be read. */
export type SbtcExplorer = {
  summary(): Promise<SbtcSummary>
  deposits(
    query: ListQuery & { origin?: 'user' | 'miner' | 'waiting' | undefined },
  ): Promise<Listed<SbtcDeposit>>
  withdrawals(
    query: ListQuery & { status?: SbtcWithdrawal['status'] | undefined },
  ): Promise<Listed<SbtcWithdrawal>>
  /** `<txid>:<output>`, or any transaction that has part in exactly one deposit. */
  deposit(id: string, query: { throughContracts?: boolean | undefined }): Promise<SbtcDepositFull>
  withdrawal(requestId: string): Promise<{ withdrawal: SbtcWithdrawal; typical: SbtcTypical }>
}

const LIMIT = 50

/** What a reader looks for: a transaction, an output of one, or who holds it. Throws `explorer.sbtc_of`. */
function sought(of: string | undefined): { txid?: string; vout?: number; principal?: string } {
  const text = of?.trim() ?? ''
  if (text === '') return {}
  const [, txid, vout] = /^(?:0x)?([0-9a-fA-F]{64})(?::(\d{1,10}))?$/.exec(text) ?? []
  if (txid !== undefined)
    return { txid: txid.toLowerCase(), ...(vout !== undefined && { vout: Number(vout) }) }
  const [address = '', name] = text.split('.')
  if (isAddress(address) && (name === undefined || /^[a-zA-Z][a-zA-Z0-9_-]{0,127}$/.test(name)))
    return { principal: text }
  throw new ExplorerError(
    'explorer.sbtc_of',
    `${text.slice(0, 80)} is neither a transaction nor an address of Stacks.`,
    {
      hint: 'Write a txid of 64 hexadecimal digits, with `:` and the output if you like, or an address that begins with SP or SM.',
      facts: { of: text.slice(0, 80) },
    },
  )
}

/** The place that a part of a list goes on from, as its answer named it. */
function cursorOf(before: string | undefined): { before?: { height: number; eventIndex: number } } {
  const [, height, eventIndex] = /^(\d{1,9})\.(\d{1,9})$/.exec(before ?? '') ?? []
  return height === undefined ? {} : { before: { height: Number(height), eventIndex: Number(eventIndex) } }
}

export const createSbtcExplorer = (reader: Reader): SbtcExplorer => ({
  summary: () => readSummary(reader),
  deposits: async ({ of, before, origin, limit = LIMIT }) =>
    readSbtcDeposits(reader, { ...sought(of), ...cursorOf(before), origin, limit }),
  withdrawals: async ({ of, before, status, limit = LIMIT }) => {
    const { vout, ...asked } = sought(of)
    // An output of Bitcoin is a deposit's.
    if (vout !== undefined) return { items: [], next: null }
    return readSbtcWithdrawals(reader, { ...asked, ...cursorOf(before), status, limit })
  },
  deposit: (id, { throughContracts = false }) => readDeposit(reader, id, throughContracts),
  withdrawal: async requestId => {
    if (!/^\d{1,18}$/.test(requestId))
      throw notHeld(`${requestId.slice(0, 40)} is no number of a withdrawal of sBTC.`, requestId.slice(0, 40))
    const [{ items }, typical] = await Promise.all([
      readSbtcWithdrawals(reader, { requestIds: [requestId], limit: 1 }),
      readSbtcTypical(reader),
    ])
    const [withdrawal] = items
    if (withdrawal === undefined) throw notHeld(`sBTC withdrawal ${requestId} is not indexed.`, requestId)
    return { withdrawal, typical }
  },
})

const notHeld = (sentence: string, of: string): ExplorerError =>
  new ExplorerError('explorer.sbtc_not_found', sentence, {
    hint: 'Only data from indexed blocks is available. See /status for indexed heights.',
    facts: { of },
  })

async function readDeposit(reader: Reader, id: string, throughContracts: boolean): Promise<SbtcDepositFull> {
  const { principal, ...asked } = sought(id)
  const { items } =
    asked.txid === undefined ? { items: [] } : await readSbtcDeposits(reader, { ...asked, limit: 2 })
  const [deposit] = items
  const short = id.slice(0, 80)
  if (deposit === undefined || items.length > 1)
    throw notHeld(
      items.length > 1
        ? `Transaction ${short} has part in several deposits into sBTC: name one by its output, as in ${deposit?.id}.`
        : `sBTC deposit ${short} is not indexed.`,
      short,
    )
  const [flow, typical] = await Promise.all([
    readFlow(reader, deposit, throughContracts),
    readSbtcTypical(reader),
  ])
  const ids = [
    ...new Set(
      flow?.steps.flatMap(({ kind, requestId }) => (kind === 'withdrawal' && requestId ? [requestId] : [])),
    ),
  ]
  const withdrawals =
    ids.length === 0 ? [] : (await readSbtcWithdrawals(reader, { requestIds: ids, limit: ids.length })).items
  return { deposit, flow, withdrawals, typical }
}

async function readFlow(
  reader: Reader,
  { recipient, mintedSat, mintHeight, mintTime, mintTxid, bitcoinTxid, vout }: SbtcDeposit,
  throughContracts: boolean,
): Promise<SbtcDepositFull['flow']> {
  if (
    recipient === null ||
    mintedSat === null ||
    mintHeight === null ||
    mintTime === null ||
    mintTxid === null
  )
    return null
  const [print] = await readRows<{ eventIndex: number }>(
    reader,
    `SELECT event_index AS eventIndex FROM stx_sbtc_prints AS p
WHERE p.event = 'completed-deposit' AND p.height = {height:UInt32} AND p.bitcoin_vout = {vout:UInt64}
  AND p.bitcoin_txid = toFixedString(unhex({txid:String}), 32)
LIMIT 1`,
    { height: mintHeight, vout, txid: bitcoinTxid },
  )
  const eventIndex =
    print &&
    (await readMintEvent(reader, {
      height: mintHeight,
      txid: mintTxid,
      recipient,
      printEvent: print.eventIndex,
    }))
  if (eventIndex === undefined) return null
  const start = {
    holder: recipient,
    height: mintHeight,
    eventIndex,
    timeS: Date.parse(mintTime) / 1000,
    txid: mintTxid,
    sat: BigInt(mintedSat),
  }
  return { ...(await followFlow(reader, start, { throughContracts })), throughContracts }
}

async function readSummary(reader: Reader): Promise<SbtcSummary> {
  type Keys = { count: number; threshold: string; sinceS: number; height: number }
  const [[run], typical, [keys], [counts], waiting] = await Promise.all([
    readHeld(reader, ['stacks']),
    readSbtcTypical(reader),
    readRows<Keys>(
      reader,
      `SELECT toUInt32(countSubstrings(keys, '0x')) AS count, toString(signature_threshold) AS threshold,
  toUnixTimestamp(block_time) AS sinceS, height
FROM stx_sbtc_keys
ORDER BY height DESC, event_index DESC
LIMIT 1`,
    ),
    readRows<Record<'minted' | 'pending' | 'accepted' | 'rejected' | 'launched', string>>(
      reader,
      `SELECT
  (SELECT min(height) FROM stx_contracts WHERE contract IN {registries:Array(String)}) AS launched,
  (SELECT count() FROM stx_sbtc_prints WHERE event = 'completed-deposit') AS minted,
  countIf(status = 'pending') AS pending, countIf(status = 'accepted') AS accepted, countIf(status = 'rejected') AS rejected
FROM stx_sbtc_withdrawals`,
      { registries: Object.values(SBTC_DEPLOYERS).map(deployer => `${deployer}.sbtc-registry`) },
    ),
    readSbtcDeposits(reader, { origin: 'waiting', limit: 1000 }),
  ])
  const launched = Number(counts?.launched ?? 0)
  const isCovered = run !== undefined && (run.isSinceGenesis || (launched > 0 && launched >= run.sinceHeight))
  const known = (count: number | string): number | null => countedOver(Number(count), isCovered)
  return {
    typical,
    signers: keys
      ? {
          count: keys.count,
          threshold: Number(keys.threshold),
          since: isoOf(keys.sinceS),
          height: keys.height,
        }
      : null,
    deposits: { minted: known(counts?.minted ?? 0), waiting: known(waiting.items.length) },
    withdrawals: {
      pending: known(counts?.pending ?? 0),
      accepted: known(counts?.accepted ?? 0),
      rejected: known(counts?.rejected ?? 0),
    },
  }
}
