import { isAddress, parseInterface, typeText } from '#chains/stacks/index.ts'
import { countedOver, indexedHoursOf, readHeld } from '../across/chains.ts'
import { ExplorerError } from '../errors.ts'
import { readRows } from '../readRows.ts'
import type { StacksName } from './names.ts'
import { type RecordedMovement, readRecordedMovements } from './recorded.ts'
import { type Speaker, speakEvents } from './speak.ts'
import {
  readStacksPrints,
  readStacksTransfers,
  readStacksTxs,
  type StacksPrint,
  type StacksTransfer,
  type StacksTxItem,
} from './txs.ts'

export type StacksFunction = {
  name: string
  isReadOnly: boolean
  args: { name: string; type: string }[]
  callCount: number | null
  failedCallCount: number | null
}

/**
 * A contract as far as the indexed blocks tell of it. A count of 0 is null where blocks of Stacks are missing, or outcomes
 * of the transactions; above 0 it is of the indexed blocks alone.
 */
export type StacksContractFull = {
  contract: string
  deployer: string
  /** Where it was made; null where that block is not held. */
  made: { height: number; txid: string; clarityVersion: number | null; epoch: string } | null
  sourceCode: string | null
  /** Whether its interface is held; where it is not, the functions are those that were called, without arguments. */
  isInterfaceHeld: boolean
  functions: StacksFunction[]
  /** Whole hours up to the newest block that are indexed without a gap; null where every block is. */
  indexedHours: number | null
  txs: StacksTxItem[]
  transfers: StacksTransfer[]
  prints: StacksPrint[]
  /** Beside what blocks tell: movements of a recorded history. */
  recorded: RecordedMovement[]
}

export type StacksAddressFull = {
  address: string
  /** Names of BNS that it has, the one that stands beside it first. */
  names: StacksName[]
  /** Whole hours up to the newest block that are indexed without a gap; null where every block is. */
  indexedHours: number | null
  /** Counts and sums of 0 are null where blocks are missing, or outcomes of the transactions. */
  txCount: number | null
  failedTxCount: number | null
  feeUstx: string | null
  receivedUstx: string | null
  sentUstx: string | null
  firstHeight: number | null
  lastHeight: number | null
  contracts: { contract: string; height: number }[]
  txs: StacksTxItem[]
  transfers: StacksTransfer[]
  /** Beside what blocks tell: movements of a recorded history. */
  recorded: RecordedMovement[]
}

const SHOWN = 100

/** A contract: where it was made, its functions with their calls, its newest calls, movements and prints. Throws `explorer.contract_not_found`. */
export async function readStacksContract(speaker: Speaker, contract: string): Promise<StacksContractFull> {
  const { reader } = speaker
  const at = { contract, limit: SHOWN }
  type Made = NonNullable<StacksContractFull['made']> & { sourceCode: string; interface: string }
  const [[run], [made], calls, txs, moved, printed, recorded] = await Promise.all([
    readHeld(reader, ['stacks']),
    readRows<Made>(
      reader,
      `SELECT height, lower(hex(txid)) AS txid, clarity_version AS clarityVersion, epoch, source_code AS sourceCode,
  interface
FROM stx_contracts
WHERE contract = {contract:String}
ORDER BY height DESC
LIMIT 1`,
      at,
    ),
    readRows<{ name: string; callCount: string; failedCallCount: string; unknownOutcomes: string }>(
      reader,
      `SELECT function_name AS name, count() AS callCount, countIf(NOT is_success) AS failedCallCount,
  countIf(is_success IS NULL) AS unknownOutcomes
FROM stx_calls
WHERE contract = {contract:String}
GROUP BY function_name`,
      at,
    ),
    readStacksTxs(speaker, 'contract = {contract:String}', at),
    readStacksTransfers(
      reader,
      "sender = {contract:String} OR recipient = {contract:String} OR startsWith(asset, concat({contract:String}, '::'))",
      at,
    ),
    readStacksPrints(reader, 'contract = {contract:String}', at),
    readRecordedMovements(reader, contract),
  ])
  if (!made && txs.length + moved.length + printed.length + recorded.length === 0)
    throw new ExplorerError('explorer.contract_not_found', `No indexed block mentions ${contract}.`, {
      hint: 'Only data from indexed blocks is available. See /status for indexed heights.',
      facts: { contract },
    })
  const { transfers, prints } = await speakEvents(speaker, printed, moved)
  const offered = functionsOf(made?.interface ?? '')
  const called = new Map(calls.map(call => [call.name, call]))
  const isCovered = run?.isSinceGenesis === true
  const uncovered = [...called.keys()]
    .filter(name => !offered.some(one => one.name === name))
    .map(name => ({ name, isReadOnly: false, args: [] }))
  return {
    contract,
    deployer: contract.slice(0, contract.indexOf('.')),
    made: made
      ? { height: made.height, txid: made.txid, clarityVersion: made.clarityVersion, epoch: made.epoch }
      : null,
    sourceCode: made ? made.sourceCode : null,
    isInterfaceHeld: Boolean(made?.interface),
    indexedHours: indexedHoursOf(run),
    functions: [...offered, ...uncovered].map(one => {
      const { callCount = 0, failedCallCount = 0, unknownOutcomes = 0 } = called.get(one.name) ?? {}
      return {
        ...one,
        callCount: countedOver(Number(callCount), isCovered),
        failedCallCount: countedOver(Number(failedCallCount), isCovered && Number(unknownOutcomes) === 0),
      }
    }),
    txs,
    transfers,
    prints,
    recorded,
  }
}

/** Functions that anybody may call, in the order of the interface as the node gave it. */
const functionsOf = (json: string): Pick<StacksFunction, 'name' | 'isReadOnly' | 'args'>[] =>
  json === ''
    ? []
    : [...parseInterface(JSON.parse(json)).functions.values()]
        .filter(({ access }) => access !== 'private')
        .map(({ name, access, args }) => ({
          name,
          isReadOnly: access === 'read_only',
          args: args.map(arg => ({ name: arg.name, type: typeText(arg.type) })),
        }))

/** An address as far as the blocks held tell of it: no balance follows from that. Throws `explorer.address`, `explorer.address_not_found`. */
export async function readStacksAddress(speaker: Speaker, address: string): Promise<StacksAddressFull> {
  const { reader } = speaker
  if (!isAddress(address))
    throw new ExplorerError('explorer.address', `${address.slice(0, 60)} is no address of Stacks.`, {
      hint: 'Addresses begin with SP or SM and are checked by their last letters.',
      facts: { address: address.slice(0, 60) },
    })
  const at = { address, limit: SHOWN }
  type Sums = Pick<StacksAddressFull, 'firstHeight' | 'lastHeight'> & {
    txCount: string
    failedTxCount: string
    unknownOutcomes: string
    feeUstx: string
  }
  const [[run], [sums], [moved], contracts, txs, held, recorded] = await Promise.all([
    readHeld(reader, ['stacks']),
    readRows<Sums>(
      reader,
      `SELECT count() AS txCount, countIf(NOT is_success) AS failedTxCount,
  countIf(is_success IS NULL) AS unknownOutcomes, toString(sum(fee_ustx)) AS feeUstx, minOrNull(height) AS firstHeight, maxOrNull(height) AS lastHeight
FROM stx_txs
WHERE sender = {address:String}`,
      at,
    ),
    readRows<{ receivedUstx: string; sentUstx: string }>(
      reader,
      `SELECT toString(sumIf(amount, recipient = {address:String})) AS receivedUstx,
  toString(sumIf(amount, sender = {address:String})) AS sentUstx
FROM stx_transfers
WHERE standard = 'stx' AND (sender = {address:String} OR recipient = {address:String})`,
      at,
    ),
    readRows<{ contract: string; height: number }>(
      reader,
      `SELECT contract, height
FROM stx_contracts
WHERE deployer = {address:String}
ORDER BY height DESC, contract
LIMIT {limit:UInt32}`,
      at,
    ),
    readStacksTxs(speaker, 'sender = {address:String} OR recipient = {address:String}', at),
    readStacksTransfers(reader, 'sender = {address:String} OR recipient = {address:String}', at),
    readRecordedMovements(reader, address),
  ])
  if (txs.length + held.length + contracts.length + recorded.length === 0)
    throw new ExplorerError('explorer.address_not_found', `No indexed block mentions ${address}.`, {
      hint: 'Only data from indexed blocks is available. See /status for indexed heights.',
      facts: { address },
    })
  const [{ transfers }, names] = await Promise.all([speakEvents(speaker, [], held), speaker.names()])
  const isCovered = run?.isSinceGenesis === true
  const amount = (ustx = '0'): string | null => (ustx === '0' && !isCovered ? null : ustx)
  return {
    address,
    names: [...names.of(address)],
    indexedHours: indexedHoursOf(run),
    txCount: countedOver(Number(sums?.txCount ?? 0), isCovered),
    failedTxCount: countedOver(
      Number(sums?.failedTxCount ?? 0),
      isCovered && Number(sums?.unknownOutcomes ?? 0) === 0,
    ),
    feeUstx: amount(sums?.feeUstx),
    receivedUstx: amount(moved?.receivedUstx),
    sentUstx: amount(moved?.sentUstx),
    firstHeight: sums?.firstHeight ?? null,
    lastHeight: sums?.lastHeight ?? null,
    contracts,
    txs,
    transfers,
    recorded,
  }
}
