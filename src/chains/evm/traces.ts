import type { EvmCreationKind } from '#kernel/evm.ts'
import { DecodeError, inField } from './errors.ts'
import {
  address,
  addressOrNone,
  asFields,
  asList,
  dataHex,
  type Fields,
  isAbsent,
  maybe,
  need,
  quantity,
} from './fields.ts'
import { bytesOf, type Hex } from './hex.ts'
import { keccakHex } from './keccak.ts'

export const EVM_CALL_KINDS = [
  'call',
  'staticcall',
  'delegatecall',
  'callcode',
  'create',
  'create2',
  'selfdestruct',
] as const
export type EvmCallKind = (typeof EVM_CALL_KINDS)[number]

/** One step inside a transaction, whichever tracer told it. */
export type EvmCall = {
  readonly transactionIndex: number
  readonly kind: EvmCallKind
  /** Place in the tree of calls: [] is the transaction itself, [0, 2] the third call of its first call. */
  readonly path: readonly number[]
  readonly from: Hex
  /** Who was called, or made; null for a creation that failed. */
  readonly to: Hex | null
  /** Wei. */
  readonly value: bigint
  readonly gasUsed: bigint | null
  readonly input: Hex
  /** What a creation left as code; null for calls, and where the tracer does not tell it. */
  readonly code: Hex | null
  /** It failed itself, or something above it did: then nothing of it holds. */
  readonly isReverted: boolean
  readonly error: string | null
}

/** A contract that came to be. `creator` is the account or contract that made it. */
export type ContractCreation = {
  readonly transactionIndex: number
  readonly path: readonly number[]
  readonly kind: EvmCreationKind
  readonly creator: Hex
  readonly address: Hex
  /** Keccak-256 of its code (EIP-1052); null where nobody tells the code. */
  readonly codeHash: Hex | null
}

/** Contracts made by transactions that hold, from the calls of a block: direct ones and those that factories made. */
export function creationsOf(calls: readonly EvmCall[]): ContractCreation[] {
  return calls
    .filter(
      call => (call.kind === 'create' || call.kind === 'create2') && !call.isReverted && call.to !== null,
    )
    .map(({ transactionIndex, path, kind, from, to, code }) => ({
      transactionIndex,
      path,
      kind: path.length === 0 ? 'transaction' : (kind as 'create' | 'create2'),
      creator: from,
      address: to!,
      codeHash: code === null ? null : keccakHex(bytesOf(code)),
    }))
}

/** An answer of `debug_traceBlockByNumber(…, {tracer: 'callTracer'})`: geth and what descends from it. */
export function readCallTracer(answer: unknown): EvmCall[] {
  const calls: EvmCall[] = []
  asList(answer).forEach((item, transactionIndex) => {
    inField(transactionIndex, () => {
      const from = asFields(item)
      // Some nodes answer with the trace itself in place of {txHash, result}.
      const root = isAbsent(from, 'result') && !isAbsent(from, 'type') ? from : need(from, 'result', asFields)
      walk(root, transactionIndex, calls)
    })
  })
  return calls
}

type Step = { readonly frame: Fields; readonly path: readonly number[]; readonly isReverted: boolean }

/** By a stack of our own: a hostile answer nests as deep as it likes. */
function walk(root: Fields, transactionIndex: number, calls: EvmCall[]): void {
  const open: Step[] = [{ frame: root, path: [], isReverted: false }]
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { frame, path } = step
    const error = maybe(frame, 'error', text)
    const isReverted = step.isReverted || error !== null
    const kind = need(frame, 'type', callKind)
    calls.push({
      transactionIndex,
      kind,
      path,
      from: need(frame, 'from', address),
      to: maybe(frame, 'to', addressOrNone),
      value: maybe(frame, 'value', quantity) ?? 0n,
      gasUsed: maybe(frame, 'gasUsed', quantity),
      input: maybe(frame, 'input', dataHex) ?? '0x',
      code: kind === 'create' || kind === 'create2' ? maybe(frame, 'output', dataHex) : null,
      isReverted,
      error,
    })
    const inner = isAbsent(frame, 'calls') ? [] : need(frame, 'calls', asList)
    for (let i = inner.length - 1; i >= 0; i--)
      open.push({ frame: inField(`calls.${i}`, () => asFields(inner[i])), path: [...path, i], isReverted })
  }
}

const text = (value: unknown): string => {
  if (typeof value === 'string') return value
  throw new DecodeError('type', 'expected a text', {})
}

function callKind(value: unknown): EvmCallKind {
  const kind = text(value).toLowerCase()
  const known = (EVM_CALL_KINDS as readonly string[]).includes(kind)
  if (known) return kind as EvmCallKind
  throw new DecodeError('type', `"${kind.slice(0, 40)}" is no kind of call`, {})
}

/** An answer of `trace_block`: Rootstock, Erigon, Nethermind. Rewards of miners are left out. */
export function readTraceBlock(answer: unknown): EvmCall[] {
  const calls: EvmCall[] = []
  /** Paths that failed, of the transaction being read. */
  let failed: { transactionIndex: number; paths: Set<string> } = { transactionIndex: -1, paths: new Set() }
  asList(answer).forEach((item, at) => {
    inField(at, () => {
      const trace = asFields(item)
      const type = need(trace, 'type', text)
      if (type === 'reward') return
      const transactionIndex = need(trace, 'transactionPosition', wholeNumber)
      if (failed.transactionIndex !== transactionIndex) failed = { transactionIndex, paths: new Set() }
      const call = readFlat(trace, type, transactionIndex)
      const isInFailed = call.path.some((_, length) => failed.paths.has(call.path.slice(0, length).join()))
      if (call.error !== null) failed.paths.add(call.path.join())
      calls.push({ ...call, isReverted: call.error !== null || isInFailed })
    })
  })
  return calls
}

function readFlat(trace: Fields, type: string, transactionIndex: number): EvmCall {
  const action = need(trace, 'action', asFields)
  const result = isAbsent(trace, 'result') ? null : need(trace, 'result', asFields)
  const isSuicide = type === 'suicide'
  const kind: EvmCallKind = isSuicide
    ? 'selfdestruct'
    : type === 'create'
      ? (maybe(action, 'creationMethod', callKind) ?? 'create')
      : need(action, 'callType', callKind)
  const isCreate = kind === 'create' || kind === 'create2'
  return {
    transactionIndex,
    kind,
    path: need(trace, 'traceAddress', asList).map(wholeNumber),
    from: isSuicide ? need(action, 'address', address) : need(action, 'from', address),
    to: isSuicide
      ? maybe(action, 'refundAddress', addressOrNone)
      : isCreate
        ? result && maybe(result, 'address', addressOrNone)
        : need(action, 'to', address),
    value: maybe(action, isSuicide ? 'balance' : 'value', quantity) ?? 0n,
    gasUsed: result && maybe(result, 'gasUsed', quantity),
    input: maybe(action, isCreate ? 'init' : 'input', dataHex) ?? '0x',
    code: isCreate && result !== null ? maybe(result, 'code', dataHex) : null,
    isReverted: false,
    error: maybe(trace, 'error', text),
  }
}

const wholeNumber = (value: unknown): number => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new DecodeError('type', 'expected a whole number', {})
}
