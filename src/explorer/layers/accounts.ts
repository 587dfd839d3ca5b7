import { type Hex, parseAddress } from '#chains/evm/index.ts'
import { sentenceOf } from '#kernel/errors.ts'
import { countedOver, indexedHoursOf, readHeld } from '../across/chains.ts'
import { ExplorerError } from '../errors.ts'
import { type Reader, readRows } from '../readRows.ts'
import type { AddressName, LayerWords } from './facts.ts'
import { readTokens, type TokenFacts } from './tokens.ts'
import {
  type LayerEvent,
  type LayerTransfer,
  type LayerTxItem,
  type Party,
  partyOf,
  readLayerEvents,
  readLayerTransfers,
  readLayerTxs,
} from './txs.ts'

export type LayerFunction = {
  selector: string
  /** Empty where the catalogue has no name for the selector. */
  name: string
  signature: string
  callCount: number
  failedCallCount: number | null
  callerCount: number
}

/**
 * An account or a contract as far as the indexed blocks tell of it. A count of 0 is null where blocks of the layer are
 * missing, or outcomes of the transactions; above 0 it is of the indexed blocks alone.
 */
export type LayerAccount = {
  address: string
  /** By the catalogue. */
  known: AddressName | null
  /** It made itself known as code: it was made, called with an input, or wrote a log. */
  isContract: boolean
  made: { height: number; txHash: string; kind: string; creator: Party; codeHash: string | null } | null
  token: TokenFacts | null
  /** Whole hours up to the newest block that are indexed without a gap; null where every block is. */
  indexedHours: number | null
  txCount: number | null
  failedTxCount: number | null
  /** Fees of those transactions; null where one of them is unknown. */
  feeWei: string | null
  firstHeight: number | null
  lastHeight: number | null
  logCount: number | null
  functions: LayerFunction[]
  /** Sums of the transfers held: what is negative came before them. */
  balances: { token: TokenFacts; tokenId: string | null; balance: string; changedHeight: number }[]
  contracts: { contract: Party; height: number; kind: string }[]
  txs: LayerTxItem[]
  transfers: LayerTransfer[]
  events: LayerEvent[]
}

const SHOWN = 50

/** 20 bytes of a parameter, as columns hold them. */
const ADDRESS = 'toFixedString(unhex({address:String}), 20)'

/** Throws `explorer.address`, `explorer.address_not_found`. */
export async function readLayerAccount(
  reader: Reader,
  words: LayerWords,
  asked: string,
): Promise<LayerAccount> {
  const lower = addressOf(words, asked)
  const hex = lower.slice(2)
  const at = { layer: words.layer, address: hex, limit: SHOWN }
  type Made = { height: number; txHash: string; kind: string; creatorHex: string; codeHash: string | null }
  type Sums = Pick<LayerAccount, 'feeWei' | 'firstHeight' | 'lastHeight'> & {
    txCount: string
    failedTxCount: string
    unknownOutcomes: string
  }
  type BalanceRow = { tokenHex: string; tokenId: string | null; balance: string; changedHeight: number }
  const [[run], [made], [sums], [logs], functions, balances, contracts, txs, transfers, events] =
    await Promise.all([
      readHeld(reader, [words.layer]),
      readRows<Made>(
        reader,
        `SELECT e.height AS height, concat('0x', lower(hex(e.tx_hash))) AS txHash, toString(e.kind) AS kind,
  hex(e.creator) AS creatorHex, if(e.code_hash IS NULL, NULL, lower(hex(assumeNotNull(e.code_hash)))) AS codeHash
FROM evm_contracts AS e
WHERE e.chain = {layer:String} AND e.contract = ${ADDRESS}
ORDER BY e.height DESC
LIMIT 1`,
        at,
      ),
      readRows<Sums>(
        reader,
        `SELECT count() AS txCount, countIf(t.is_success = false) AS failedTxCount,
  countIf(t.is_success IS NULL) AS unknownOutcomes,
  if(countIf(t.fee_wei IS NULL) > 0, NULL, toString(sum(assumeNotNull(t.fee_wei)))) AS feeWei, minOrNull(t.height) AS firstHeight, maxOrNull(t.height) AS lastHeight
FROM evm_txs AS t
WHERE t.chain = {layer:String} AND t.sender = ${ADDRESS}`,
        at,
      ),
      readRows<{ count: string }>(
        reader,
        `SELECT count() AS count FROM evm_logs AS e WHERE e.chain = {layer:String} AND e.emitter = ${ADDRESS}`,
        at,
      ),
      readRows<FunctionRow>(
        reader,
        `SELECT selector, count() AS callCount, countIf(is_success = false) AS failedCallCount,
  countIf(is_success IS NULL) AS unknownOutcomes, uniqExact(sender) AS callerCount
FROM evm_calls
WHERE chain = {layer:String} AND contract = ${ADDRESS}
GROUP BY selector
ORDER BY callCount DESC, selector
LIMIT {limit:UInt32}`,
        at,
      ),
      readRows<BalanceRow>(
        reader,
        `SELECT hex(e.token) AS tokenHex, toString(e.token_id) AS tokenId, toString(e.balance) AS balance,
  e.changed_height AS changedHeight
FROM evm_balances AS e
WHERE e.chain = {layer:String} AND e.holder = ${ADDRESS} AND e.balance != 0
ORDER BY changedHeight DESC
LIMIT {limit:UInt32}`,
        at,
      ),
      readRows<{ contractHex: string; height: number; kind: string }>(
        reader,
        `SELECT hex(e.contract) AS contractHex, e.height AS height, toString(e.kind) AS kind
FROM evm_contracts AS e
WHERE e.chain = {layer:String} AND e.creator = ${ADDRESS}
ORDER BY e.height DESC, e.tx_index DESC, e.path
LIMIT {limit:UInt32}`,
        at,
      ),
      readLayerTxs(
        reader,
        words,
        `t.sender = ${ADDRESS} OR t.recipient = ${ADDRESS} OR t.contract = ${ADDRESS}`,
        at,
      ),
      readLayerTransfers(
        reader,
        words,
        `e.sender = ${ADDRESS} OR e.recipient = ${ADDRESS} OR e.token = ${ADDRESS}`,
        at,
      ),
      readLayerEvents(reader, words, `e.emitter = ${ADDRESS}`, at),
    ])
  const known = words.nameOf(hex)
  const isSeen = made || txs.length + transfers.length + events.length + contracts.length > 0
  if (!isSeen && known === null)
    throw new ExplorerError(
      'explorer.address_not_found',
      `No indexed block of ${words.facts.name} mentions ${words.address(hex)}.`,
      {
        hint: 'Only data from indexed blocks is available. See /status for indexed heights.',
        facts: { address: lower },
      },
    )
  const digits = hex.toUpperCase()
  const isCovered = run?.isSinceGenesis === true
  const isToken = transfers.some(({ token }) => token.address === words.address(hex)) || words.tokenOf(hex)
  const tokens = await readTokens(reader, words, [
    ...balances.map(({ tokenHex }) => tokenHex),
    ...(isToken ? [digits] : []),
  ])
  return {
    address: words.address(hex),
    known,
    isContract: made !== undefined || functions.length > 0 || Number(logs?.count ?? 0) > 0 || known !== null,
    made: made
      ? {
          height: made.height,
          txHash: made.txHash,
          kind: made.kind,
          creator: partyOf(words, made.creatorHex),
          codeHash: made.codeHash,
        }
      : null,
    token: isToken ? (tokens.get(digits) ?? null) : null,
    indexedHours: indexedHoursOf(run),
    txCount: countedOver(Number(sums?.txCount ?? 0), isCovered),
    failedTxCount: countedOver(
      Number(sums?.failedTxCount ?? 0),
      isCovered && Number(sums?.unknownOutcomes ?? 0) === 0,
    ),
    feeWei: sums?.txCount === '0' && !isCovered ? null : (sums?.feeWei ?? null),
    firstHeight: sums?.firstHeight ?? null,
    lastHeight: sums?.lastHeight ?? null,
    logCount: countedOver(Number(logs?.count ?? 0), isCovered),
    functions: functions.map(row => functionOf(words, row, isCovered)),
    balances: balances.map(({ tokenHex, ...row }) => ({ ...row, token: tokens.get(tokenHex)! })),
    contracts: contracts.map(({ contractHex, ...row }) => ({
      ...row,
      contract: partyOf(words, contractHex),
    })),
    txs,
    transfers,
    events,
  }
}

type FunctionRow = {
  selector: string
  callCount: string
  failedCallCount: string
  unknownOutcomes: string
  callerCount: string
}

function functionOf(words: LayerWords, { selector, ...row }: FunctionRow, isCovered: boolean): LayerFunction {
  return {
    selector,
    name: words.functions.decode(selector as Hex)?.name ?? '',
    signature: words.functions.signatureOf(selector as Hex) ?? '',
    callCount: Number(row.callCount),
    failedCallCount: countedOver(Number(row.failedCallCount), isCovered && Number(row.unknownOutcomes) === 0),
    callerCount: Number(row.callerCount),
  }
}

function addressOf({ facts }: LayerWords, asked: string): Hex {
  try {
    return parseAddress(asked, facts.checksumChainId)
  } catch (thrown) {
    throw new ExplorerError('explorer.address', `${asked.slice(0, 60)}: ${sentenceOf(thrown)}`, {
      hint: `An address of ${facts.name} is 0x and 40 hexadecimal digits; capital letters are its checksum.`,
      facts: { address: asked.slice(0, 60) },
      cause: thrown,
    })
  }
}
