import type { ClickHouseClient } from '@clickhouse/client'
import { WarehouseError } from './errors.ts'

/** Types of ClickHouse whose values have one size, and the arrays that hold them. */
const ARRAYS = {
  UInt8: Uint8Array,
  Bool: Uint8Array,
  UInt16: Uint16Array,
  Date: Uint16Array,
  UInt32: Uint32Array,
  UInt64: BigUint64Array,
} as const

export type BlockType = keyof typeof ARRAYS
/** Rows that came together, column by column. */
export type Block<T extends Readonly<Record<string, BlockType>>> = {
  readonly rowCount: number
  readonly columns: { readonly [K in keyof T]: InstanceType<(typeof ARRAYS)[T[K]]> }
}

/**
 * Millions of rows as arrays, block by block, in ClickHouse's `Native` format: no value becomes an object. `types` names the
 * columns of the statement in their order. A block holds until the next one is asked for: its memory is used again.
 * Throws `warehouse.answer` where the statement gives something else, or broke off.
 */
export async function* readBlocks<const T extends Readonly<Record<string, BlockType>>>(
  client: Pick<ClickHouseClient, 'exec'>,
  sql: string,
  types: T,
): AsyncGenerator<Block<T>> {
  const { stream } = await client.exec({ query: `${sql}\nFORMAT Native` })
  const declared = Object.entries(types)
  const columns: Record<string, NodeJS.TypedArray> = {}
  let held = new Uint8Array(2 ** 20)
  let length = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    if (length + chunk.length > held.length) held = grown(held, length, length + chunk.length)
    held.set(chunk, length)
    length += chunk.length
    for (;;) {
      const found = blockIn(held, length, declared)
      if (found === undefined) break
      const { rowCount, starts, end } = found
      declared.forEach(([name, type], index) => {
        const target = arrayFor(columns[name], ARRAYS[type], rowCount)
        const from = starts[index]!
        // Copied, since a column begins wherever the one before ends, and arrays of wider values cannot.
        new Uint8Array(target.buffer).set(held.subarray(from, from + rowCount * target.BYTES_PER_ELEMENT))
        columns[name] = target
      })
      // Built name by name from the types given.
      if (rowCount > 0) yield { rowCount, columns: columns as Block<T>['columns'] }
      held.copyWithin(0, end, length)
      length -= end
    }
  }
  if (length > 0) throw strange(held.subarray(0, length))
}

function grown(held: Uint8Array<ArrayBuffer>, length: number, needed: number): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(Math.max(held.length * 2, needed))
  wider.set(held.subarray(0, length))
  return wider
}

type ArrayType = (typeof ARRAYS)[BlockType]
const arrayFor = (held: NodeJS.TypedArray | undefined, of: ArrayType, rowCount: number): NodeJS.TypedArray =>
  held !== undefined && held.length >= rowCount ? held : new of(Math.ceil(rowCount * 1.25))

/** Where the columns of the block at the beginning start, and where it ends; undefined while it is not all there. */
function blockIn(
  held: Uint8Array,
  length: number,
  declared: readonly (readonly [string, BlockType])[],
): { rowCount: number; starts: number[]; end: number } | undefined {
  let at = 0
  const varuint = (): number => {
    let value = 0
    for (let factor = 1; at < length; factor *= 128) {
      const byte = held[at++]!
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    at = Number.POSITIVE_INFINITY
    return 0
  }
  const text = (): string => {
    const from = varuint() + at
    const start = at
    at = from
    return from <= length ? Buffer.from(held.subarray(start, from)).toString() : ''
  }
  const columnCount = varuint()
  const rowCount = varuint()
  if (at > length) return undefined
  if (columnCount !== declared.length) throw strange(held.subarray(0, length))
  const starts: number[] = []
  for (const [name, type] of declared) {
    const [heldName, heldType] = [text(), text()]
    if (at > length) return undefined
    if (heldName !== name || heldType !== type)
      throw strange(held.subarray(0, length), `${name} ${type} was asked for, ${heldName} ${heldType} came`)
    starts.push(at)
    at += rowCount * ARRAYS[type].BYTES_PER_ELEMENT
  }
  return at > length ? undefined : { rowCount, starts, end: at }
}

/** What came instead of a block: an error after the beginning stands in the body. */
function strange(bytes: Uint8Array, difference = 'rows broke off'): WarehouseError {
  const text = Buffer.from(bytes.subarray(0, 2000)).toString()
  const said = /__exception__\r?\n\w+\r?\n([^\r\n]+)/.exec(text)?.[1]
  return new WarehouseError('warehouse.answer', `The engine gave no blocks of rows: ${said ?? difference}.`)
}
