import type { BlocksInput, BlocksSelector, Input, Selector, ValuesInput, ValuesSelector } from './bundle.ts'
import type { BlockAt, ValueAt } from './inputs.ts'

/** The first input that differs between a provenance file and a server. `file` is what the file has, `server` what the server has. */
export type Difference =
  | {
      readonly kind: 'block'
      readonly record: BlocksSelector['record']
      readonly chain: string
      readonly height: number
      /** Null for a block that only the other side has. */
      readonly file: string | null
      readonly server: string | null
    }
  /** More than one block differs, and the file tells no more. */
  | {
      readonly kind: 'blocks'
      readonly record: BlocksSelector['record']
      readonly chain: string
      readonly from: number
      readonly to: number
    }
  /** The server has blocks up to `upTo` only; null: none. */
  | {
      readonly kind: 'missing-blocks'
      readonly record: BlocksSelector['record']
      readonly chain: string
      readonly height: number
      readonly upTo: number | null
    }
  | {
      readonly kind: 'value'
      readonly table: ValuesSelector['table']
      readonly name: string
      readonly source: string
      readonly entity: string
      readonly key: string
      readonly day: string
      readonly file: string | null
      readonly server: string | null
    }
  | {
      readonly kind: 'values'
      readonly table: ValuesSelector['table']
      readonly name: string
      readonly source: string
      readonly fileCount: number
      readonly serverCount: number
    }
  | {
      readonly kind: 'records'
      readonly table: string
      readonly fileCount: number
      /** Null: the server has no such table. */
      readonly serverCount: number | null
    }

/** What a server reports about its data. */
export type Server = {
  digest(selectors: readonly Selector[]): Promise<readonly (Input | null)[]>
  blocks(selector: BlocksSelector): Promise<readonly BlockAt[]>
  valueAt(selector: ValuesSelector, position: number): Promise<ValueAt | null>
}

const WORD = 2n ** 256n
const SMALL_WORD = 2n ** 64n

/** The first input of a file that differs on a server; undefined if all are equal. */
export async function firstDifference(
  inputs: readonly Input[],
  server: Server,
): Promise<Difference | undefined> {
  const found = await server.digest(inputs.map(selectorOf))
  for (const [at, input] of inputs.entries()) {
    const theirs = found[at] ?? null
    if (theirs !== null && theirs.hash === input.hash && theirs.count === input.count) continue
    if (input.kind === 'blocks') return locateBlock(input, theirs?.kind === 'blocks' ? theirs : null, server)
    if (input.kind === 'values') return locateValue(input, theirs?.kind === 'values' ? theirs : null, server)
    return {
      kind: 'records',
      table: input.table,
      fileCount: input.count,
      serverCount: theirs?.count ?? null,
    }
  }
  return undefined
}

function selectorOf(input: Input): Selector {
  switch (input.kind) {
    case 'blocks': {
      const { kind, record, chain, from, to } = input
      return { kind, record, chain, from, to }
    }
    case 'values': {
      const { kind, table, name, source, to } = input
      return { kind, table, name, source, to }
    }
    case 'records':
      return { kind: 'records', table: input.table }
  }
}

/**
 * Two sums tell which single element changed: the sums differ by `delta`, the moments by `position × delta`. A block hash is its
 * own element, so the hash in the file follows from the one on the server.
 */
async function locateBlock(
  input: BlocksInput,
  theirs: BlocksInput | null,
  server: Server,
): Promise<Difference> {
  const { record, chain } = input
  const about = { record, chain }
  const missing = theirs === null ? input.runs[0]?.[0] : firstOutside(input.runs, theirs.runs)
  const upTo = theirs?.runs.at(-1)?.[1] ?? null
  if (missing !== undefined && (upTo === null || missing > upTo))
    return { kind: 'missing-blocks', ...about, height: missing, upTo }
  const extra = theirs === null ? undefined : firstOutside(theirs.runs, input.runs)
  const hashAt = async (height: number): Promise<string | null> =>
    (await server.blocks({ kind: 'blocks', ...about, from: height, to: height }))[0]?.hash ?? null
  if (missing !== undefined && (extra === undefined || missing < extra))
    return {
      kind: 'block',
      ...about,
      height: missing,
      file: record === 'statistics' ? null : ofSingle(input, theirs, missing, null),
      server: null,
    }
  if (extra !== undefined)
    return { kind: 'block', ...about, height: extra, file: null, server: await hashAt(extra) }
  const from = input.runs[0]?.[0] ?? input.from
  const to = input.runs.at(-1)?.[1] ?? input.to
  const delta = wrapped(BigInt(theirs?.sum ?? 0) - BigInt(input.sum))
  const moment = wrapped(BigInt(theirs?.moment ?? 0) - BigInt(input.moment))
  const height = positionOf(delta, moment, from + 1, to + 1)
  if (height !== undefined) {
    const hash = await hashAt(height - 1)
    const file = record === 'statistics' ? null : ofSingle(input, theirs, height - 1, hash)
    return { kind: 'block', ...about, height: height - 1, file, server: hash }
  }
  const recent = record === 'statistics' ? undefined : differingRecent(input, theirs, delta, moment)
  return recent ?? { kind: 'blocks', ...about, from, to }
}

/** The block hash in the file, where it is the only one that differs. */
function ofSingle(
  input: BlocksInput,
  theirs: BlocksInput | null,
  height: number,
  server: string | null,
): string | null {
  const delta = wrapped(BigInt(theirs?.sum ?? 0) - BigInt(input.sum))
  const moment = wrapped(BigInt(theirs?.moment ?? 0) - BigInt(input.moment))
  if (wrapped(delta * BigInt(height + 1)) !== moment) return null
  return hexOf(wrapped((server === null ? 0n : elementOf(server)) - delta))
}

/** The lowest of the newest blocks that differ, if no older one does. */
function differingRecent(
  input: BlocksInput,
  theirs: BlocksInput | null,
  delta: bigint,
  moment: bigint,
): Difference | undefined {
  const there = new Map(theirs?.recent)
  const changed = input.recent.filter(([height, hash]) => there.get(height) !== hash && there.has(height))
  let [restOfSum, restOfMoment] = [delta, moment]
  for (const [height, hash] of changed) {
    const change = elementOf(there.get(height)!) - elementOf(hash)
    restOfSum = wrapped(restOfSum - change)
    restOfMoment = wrapped(restOfMoment - change * BigInt(height + 1))
  }
  const lowest = changed.toSorted(([a], [b]) => a - b)[0]
  if (lowest === undefined || restOfSum !== 0n || restOfMoment !== 0n) return undefined
  const [height, file] = lowest
  return {
    kind: 'block',
    record: input.record,
    chain: input.chain,
    height,
    file,
    server: there.get(height) ?? null,
  }
}

async function locateValue(
  input: ValuesInput,
  theirs: ValuesInput | null,
  server: Server,
): Promise<Difference> {
  const { table, name, source, to } = input
  const about = { table, name, source }
  const many: Difference = {
    kind: 'values',
    ...about,
    fileCount: input.count,
    serverCount: theirs?.count ?? 0,
  }
  if (theirs === null || theirs.count !== input.count) return many
  const delta = wrapped(BigInt(theirs.sum) - BigInt(input.sum))
  const position = positionOf(delta, wrapped(BigInt(theirs.moment) - BigInt(input.moment)), 1, input.count)
  const found =
    position === undefined ? null : await server.valueAt({ kind: 'values', ...about, to }, position)
  if (found === null) return many
  const { entity, key, day, value, isFloat } = found
  const change = BigInt(theirs.bits) - BigInt(input.bits)
  const before =
    value === null ? null : (((bitsOf(value, isFloat) - change) % SMALL_WORD) + SMALL_WORD) % SMALL_WORD
  return {
    kind: 'value',
    ...about,
    entity,
    key,
    day,
    file: before === null ? null : isFloat ? String(floatOf(before)) : String(before),
    server: value,
  }
}

/** Heights by which single differences are sought. */
const MOST_POSITIONS = 20_000_000

function positionOf(delta: bigint, moment: bigint, from: number, to: number): number | undefined {
  if (delta === 0n || to - from > MOST_POSITIONS) return undefined
  let product = wrapped(delta * BigInt(from))
  for (let position = from; position <= to; position++) {
    if (product === moment) return position
    product += delta
    if (product >= WORD) product -= WORD
  }
  return undefined
}

/** The lowest height of `runs` that `others` lack. Both are sorted. */
function firstOutside(
  runs: readonly (readonly [number, number])[],
  others: readonly (readonly [number, number])[],
): number | undefined {
  for (const [from, to] of runs) {
    let height = from
    for (const [otherFrom, otherTo] of others)
      if (otherFrom <= height && otherTo >= height) height = otherTo + 1
    if (height <= to) return height
  }
  return undefined
}

const wrapped = (value: bigint): bigint => ((value % WORD) + WORD) % WORD

/** Elements are the bytes of a hash as a little-endian number. */
const elementOf = (hash: string): bigint =>
  BigInt(`0x${Buffer.from(hash, 'hex').reverse().toString('hex') || '0'}`)
const hexOf = (element: bigint): string =>
  Buffer.from(element.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex')

const scratch = new DataView(new ArrayBuffer(8))
function bitsOf(value: string, isFloat: boolean): bigint {
  if (!isFloat) return BigInt(value)
  scratch.setFloat64(0, Number(value))
  return scratch.getBigUint64(0)
}
function floatOf(bits: bigint): number {
  scratch.setBigUint64(0, bits)
  return scratch.getFloat64(0)
}
