import { snake, type Table } from '#kernel/table.ts'
import { BASE_DATABASE, type Schema, sqlString, type Warehouse, whenThereIsRoom } from '#warehouse/index.ts'
import {
  type BlocksInput,
  type BlocksSelector,
  INPUT_LIMITS,
  type Input,
  type RecordsSelector,
  type Selector,
  type ValuesInput,
  type ValuesSelector,
} from './bundle.ts'
import { type Origin, originsOf, type Relations } from './relations.ts'

/** One value of a publisher, by its place in the order of entity, key and day. */
export type ValueAt = {
  readonly entity: string
  readonly key: string
  readonly day: string
  /** As text; null where the publisher has none. */
  readonly value: string | null
  /** Floats count by their IEEE 754 bits. */
  readonly isFloat: boolean
}

export type BlockAt = { readonly height: number; readonly hash: string }

/** Hashes of the data in a warehouse. */
export type Inputs = {
  /** All that a query rests on, as it is now. */
  of(relations: Relations): Promise<Input[]>
  /** The same parts of the data as another server has them; undefined for a part that this one does not know. */
  digest(selectors: readonly Selector[], signal?: AbortSignal): Promise<(Input | null)[]>
  /** Hashes of single blocks, at most `MOST_BLOCKS`. */
  blocks(selector: BlocksSelector, signal?: AbortSignal): Promise<BlockAt[]>
  /** The value at a position, from 1. */
  valueAt(selector: ValuesSelector, position: number, signal?: AbortSignal): Promise<ValueAt | undefined>
}

export const MOST_BLOCKS = 1_000
const EVER = '2149-06-06'

type Parameters = Readonly<Record<string, string | readonly string[]>>

export function createInputs(
  { reader, changeMark }: Pick<Warehouse, 'reader' | 'changeMark'>,
  { tables, layers = [] }: Pick<Schema, 'tables' | 'layers'>,
): Inputs {
  const byName = new Map(tables.map(table => [table.name, table]))
  const rows = async <Row>(query: string, parameters: Parameters, signal?: AbortSignal): Promise<Row[]> => {
    const answer = await whenThereIsRoom(
      () =>
        reader.query({
          query,
          query_params: parameters,
          format: 'JSONEachRow',
          clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
          ...(signal && { abort_signal: signal }),
        }),
      signal,
    )
    return await answer.json<Row>()
  }

  /** The blocks of a selector as a relation of `height`, `hash` and `element`; undefined for what is not known here. */
  function blocksSql({ record, chain }: Pick<BlocksSelector, 'record' | 'chain'>): string | undefined {
    const ofHash = 'reinterpretAsUInt256(hash) AS element'
    if (record === 'statistics') {
      const table = byName.get('btc_block_stats')
      return chain === 'bitcoin' && table !== undefined
        ? `SELECT height, hash, reinterpretAsUInt256(SHA256(${lineOf(table)})) AS element FROM btc_block_stats`
        : undefined
    }
    if (layers.includes(chain))
      return `SELECT height, hash, ${ofHash} FROM ${record === 'headers' ? 'evm_headers' : 'evm_blocks'} WHERE chain = ${sqlString(chain)}`
    const view = { bitcoin: 'btc_blocks', stacks: 'stx_blocks', 'stacks-burn': 'stx_burn_blocks' }[chain]
    return record === 'blocks' && view !== undefined
      ? `SELECT height, hash, ${ofHash} FROM ${view}`
      : undefined
  }

  async function blocksInput(selector: BlocksSelector, signal?: AbortSignal): Promise<BlocksInput | null> {
    const relation = blocksSql(selector)
    if (relation === undefined) return null
    const within = `SELECT * FROM (${relation}) WHERE height BETWEEN {from:UInt32} AND {to:UInt32}`
    const parameters = { from: String(selector.from), to: String(selector.to) }
    const [[digest], runs] = [
      await rows<Digest & { recent: [number, string][]; first: number; last: number }>(
        `SELECT ${digestSql("concat(toString(height), ' ', lower(hex(hash)), ' ', toString(element))", 'toUInt256(height) + 1')},
  min(height) AS first, max(height) AS last,
  arraySlice(arrayReverseSort(groupArray((height, lower(hex(hash))))), 1, ${INPUT_LIMITS.recent}) AS recent
FROM (${within})`,
        parameters,
        signal,
      ),
      await rows<{ from: number; to: number }>(
        `SELECT min(height) AS from, max(height) AS to
FROM (SELECT height, height - toInt64(row_number() OVER (ORDER BY height)) AS run FROM (${within}))
GROUP BY run ORDER BY from LIMIT ${INPUT_LIMITS.runs + 1}`,
        parameters,
        signal,
      ),
    ]
    const { recent, first, last, ...found } = digest!
    return {
      ...selector,
      ...digestOf(found),
      runs:
        runs.length > INPUT_LIMITS.runs
          ? [[first, last]]
          : runs.map(({ from, to }): [number, number] => [from, to]),
      recent,
    }
  }

  /** Values of many publishers at once, by name and source. */
  async function valuesInputs(
    table: ValuesSelector['table'],
    selectors: readonly ValuesSelector[],
    signal?: AbortSignal,
  ): Promise<ValuesInput[]> {
    if (selectors.length === 0) return []
    const found = await rows<Digest & { name: string; source: string; __bits: string; __last: string }>(
      `SELECT name, source, ${digestSql('line', 'toUInt256(position)')}, toString(sum(bits)) AS __bits, max(day) AS __last
FROM (${valuesSql(table)})
GROUP BY name, source
ORDER BY name, source`,
      valuesParameters(selectors),
      signal,
    )
    return found.map(({ name, source, __bits: bits, __last: last, ...digest }) => ({
      kind: 'values',
      table,
      name,
      source,
      to: selectors.find(one => one.name === name && one.source === source)?.to ?? last,
      ...digestOf(digest),
      bits,
    }))
  }

  /** Every publisher’s values of these metrics, or of all, up to their last day. */
  async function valuesNow(
    table: ValuesSelector['table'],
    names: ReadonlySet<string> | undefined,
  ): Promise<ValuesSelector[]> {
    const name = NAMES[table]
    const present = await rows<{ name: string; source: string; last: string }>(
      `SELECT ${name} AS name, source, max(day) AS last FROM ${table}
${names === undefined ? '' : `WHERE ${name} IN {names:Array(String)}\n`}GROUP BY name, source
ORDER BY name, source`,
      names === undefined ? {} : { names: [...names] },
    )
    return present.map(one => ({ kind: 'values', table, name: one.name, source: one.source, to: one.last }))
  }

  /** Lowest and highest height of which there are blocks. */
  async function spanOf(
    about: Pick<BlocksSelector, 'record' | 'chain'>,
  ): Promise<{ from: number; to: number } | undefined> {
    const relation = blocksSql(about)
    if (relation === undefined) return undefined
    const [span] = await rows<{ from: number; to: number; any: number }>(
      `SELECT min(height) AS from, max(height) AS to, toUInt8(count() > 0) AS any FROM (${relation})`,
      {},
    )
    return span?.any === 1 ? { from: span.from, to: span.to } : undefined
  }

  async function recordsInput({ table }: RecordsSelector, signal?: AbortSignal): Promise<Input | null> {
    const declared = byName.get(table)
    if (declared === undefined || !originsOf(declared).includes(`records ${table}`)) return null
    const [digest] = await rows<Digest>(
      `SELECT ${digestSql('line', 'toUInt256(position)')}
FROM (
  SELECT line, row_number() OVER (ORDER BY line) AS position, reinterpretAsUInt256(SHA256(line)) AS element
  FROM (SELECT DISTINCT ${lineOf(declared)} AS line FROM ${BASE_DATABASE}.${table})
)`,
      {},
      signal,
    )
    return { kind: 'records', table, ...digestOf(digest!) }
  }

  /** Files of many figures rest on the same inputs: each is hashed once while no row changes. */
  let memo: { mark: string | undefined; readonly found: Map<string, Promise<Input | null>> } = {
    mark: undefined,
    found: new Map(),
  }
  async function memoised(): Promise<Map<string, Promise<Input | null>>> {
    const mark = await changeMark()
    // A server does not tell its changes.
    if (mark === undefined) return new Map()
    if (memo.mark !== mark || memo.found.size > MOST_MEMOISED) memo = { mark, found: new Map() }
    return memo.found
  }

  /** The same parts of the data as now, each read once; values of publishers are read together. */
  async function digest(selectors: readonly Selector[], signal?: AbortSignal): Promise<(Input | null)[]> {
    const found = await memoised()
    const missing = selectors.filter(one => !found.has(keyOf(one)))
    const put = (one: Selector, made: Promise<Input | null>) => {
      const key = keyOf(one)
      found.set(key, made)
      made.catch(() => found.delete(key))
    }
    for (const table of ['observations', 'prices'] as const) {
      const wanted = missing.filter(
        (one): one is ValuesSelector => one.kind === 'values' && one.table === table,
      )
      const read = valuesInputs(table, wanted, signal)
      for (const one of wanted)
        put(
          one,
          read.then(
            values =>
              values.find(({ name, source }) => name === one.name && source === one.source) ?? {
                ...one,
                ...NO_ROWS,
                bits: '0',
              },
          ),
        )
    }
    for (const one of missing) {
      if (one.kind === 'blocks') put(one, blocksInput(one, signal))
      else if (one.kind === 'records') put(one, recordsInput(one, signal))
      // One after the other: hashing all blocks of a chain takes memory.
      if (one.kind !== 'values') await found.get(keyOf(one))
    }
    return Promise.all(selectors.map(one => found.get(keyOf(one)) ?? null))
  }

  return {
    async of({ base, observed }) {
      const origins = new Set(
        [...base].flatMap((name): readonly Origin[] => {
          const table = byName.get(name)
          // Views of the database `base` are of a log.
          return table === undefined ? originsOf({ name, columns: {} }) : originsOf(table)
        }),
      )
      const chain = (origin: Origin, record: BlocksSelector['record'], ...chains: readonly string[]) =>
        origins.has(origin) ? chains.map(name => ({ record, chain: name })) : []
      const selectors: Selector[] = []
      for (const one of [
        ...chain('bitcoin', 'blocks', 'bitcoin'),
        ...chain('statistics', 'statistics', 'bitcoin'),
        ...chain('stacks', 'blocks', 'stacks'),
        ...chain('stacks-burn', 'blocks', 'stacks-burn'),
        ...chain('layers', 'blocks', ...layers),
        ...chain('headers', 'headers', ...layers),
      ]) {
        const span = await spanOf(one)
        if (span !== undefined) selectors.push({ kind: 'blocks', ...one, ...span })
      }
      if (origins.has('observations')) selectors.push(...(await valuesNow('observations', observed)))
      if (origins.has('prices')) selectors.push(...(await valuesNow('prices', undefined)))
      for (const origin of [...origins].sort()) {
        const table = /^records (.+)$/.exec(origin)?.[1]
        if (table !== undefined) selectors.push({ kind: 'records', table })
      }
      return (await digest(selectors)).filter(input => input !== null && input.count > 0) as Input[]
    },
    digest,
    async blocks(selector, signal) {
      const relation = blocksSql(selector)
      if (relation === undefined) return []
      return rows<BlockAt>(
        `SELECT height, lower(hex(hash)) AS hash FROM (${relation})
WHERE height BETWEEN {from:UInt32} AND {to:UInt32} ORDER BY height LIMIT ${MOST_BLOCKS}`,
        { from: String(selector.from), to: String(selector.to) },
        signal,
      )
    },
    async valueAt(selector, position, signal) {
      const [found] = await rows<{
        entity: string
        key: string
        day: string
        text: string | null
        is_float: number
      }>(
        `SELECT entity, key, toString(day) AS day, text, is_float FROM (${valuesSql(selector.table)})
WHERE position = {position:UInt64}`,
        { ...valuesParameters([selector]), position: String(position) },
        signal,
      )
      return (
        found && {
          entity: found.entity,
          key: found.key,
          day: found.day,
          value: found.text,
          isFloat: found.is_float === 1,
        }
      )
    },
  }
}

type Digest = { __count: string; __hash: string; __sum: string; __moment: string }

const digestOf = ({ __count, __hash, __sum, __moment }: Digest) => ({
  count: Number(__count),
  hash: __hash,
  sum: __sum,
  moment: __moment,
})

const NO_ROWS = {
  count: 0,
  hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  sum: '0',
  moment: '0',
} as const

/** Columns of a digest over rows with `element`; lines are hashed in the order of positions. */
const digestSql = (line: string, position: string): string => `toString(count()) AS __count,
  lower(hex(SHA256(arrayStringConcat(arrayMap(at -> at.2, arraySort(at -> at.1, groupArray((${position}, ${line})))), '\\n')))) AS __hash,
  toString(sum(element)) AS __sum,
  toString(sum(element * (${position}))) AS __moment`

/** Times and numbers of loading differ between two servers with the same data. */
const isOfLoading = (column: string): boolean =>
  /^(?:run|batch|seq|part|reading|key_mark|loaded_at|observed_at|recorded_at|seen_at|asked_at|read_at|fetched_at|computed_at|decided_at)$/.test(
    column,
  )

/** A row as one text: its cells, each as `length:text` or `~` for null. */
function lineOf({ columns }: Table): string {
  const cells = Object.entries(columns).flatMap(([key, { kind, nullable }]) => {
    const column = snake(key)
    if (isOfLoading(column)) return []
    const text =
      kind === 'bytes' || kind === 'blob'
        ? (cell: string) => `lower(hex(${cell}))`
        : kind === 'f64'
          ? (cell: string) => `toString(reinterpretAsUInt64(${cell} + 0))`
          : kind === 'time'
            ? (cell: string) => `toString(toUnixTimestamp(${cell}))`
            : (cell: string) => `toString(${cell})`
    return [
      nullable
        ? `if(isNull(${column}), '~', ${netstring(text(`assumeNotNull(${column})`))})`
        : netstring(text(column)),
    ]
  })
  return `concat('', '', ${cells.join(', ')})`
}

const netstring = (text: string): string => `arrayMap(t -> concat(toString(length(t)), ':', t), [${text}])[1]`

const NAMES = { observations: 'metric', prices: "concat(asset, '/', quote)" } as const

const MOST_MEMOISED = 5_000

const keyOf = (selector: Selector): string =>
  JSON.stringify(Object.entries(selector).sort(([a], [b]) => (a < b ? -1 : 1)))

const valuesParameters = (selectors: readonly ValuesSelector[]): Parameters => ({
  names: selectors.map(({ name }) => name),
  sources: selectors.map(({ source }) => source),
  days: selectors.map(({ to }) => (to > EVER ? EVER : to)),
})

/**
 * Newest values of publishers with their positions: `name`, `source`, `entity`, `key`, `day`, `text`, `is_float`, `line`,
 * `element`, `bits`, `position`. Parameters: `names`, `sources`, `days`.
 */
function valuesSql(table: ValuesSelector['table']): string {
  const within = `${NAMES[table]} IN {names:Array(String)}
    AND has(arrayZip({names:Array(String)}, {sources:Array(String)}), (${NAMES[table]}, source))
    AND day <= {days:Array(Date)}[
      greatest(1, indexOf(arrayZip({names:Array(String)}, {sources:Array(String)}), (${NAMES[table]}, source)))
    ]`
  const newest =
    table === 'observations'
      ? `SELECT metric AS name, source, entity, breakdown AS key, day,
    argMax(tuple(amount), observed_at).1 AS amount, argMax(tuple(value), observed_at).1 AS number, '' AS beside
  FROM observations
  WHERE ${within}
  GROUP BY name, source, entity, key, day`
      : `SELECT concat(asset, '/', quote) AS name, source, asset AS entity, '' AS key, day,
    CAST(NULL AS Nullable(UInt64)) AS amount, toNullable(argMax(close, observed_at)) AS number,
    toString(argMax((reinterpretAsUInt64(assumeNotNull(open)), reinterpretAsUInt64(assumeNotNull(high)), reinterpretAsUInt64(assumeNotNull(low))), observed_at)) AS beside
  FROM prices
  WHERE ${within}
  GROUP BY name, source, entity, key, day`
  return `SELECT
  name, source, entity, key, day,
  isNull(amount) AND isNotNull(number) AS is_float,
  multiIf(isNotNull(amount), toString(amount), isNotNull(number), toString(number), NULL) AS text,
  multiIf(isNotNull(amount), assumeNotNull(amount), isNotNull(number), reinterpretAsUInt64(assumeNotNull(number) + 0), toUInt64(0)) AS bits,
  concat(
    ${['entity', 'key', 'toString(day)'].map(netstring).join(', ')},
    multiIf(isNotNull(amount), 'i', isNotNull(number), 'f', '~'), toString(bits), beside
  ) AS line,
  reinterpretAsUInt256(SHA256(line)) AS element,
  row_number() OVER (PARTITION BY name, source ORDER BY entity, key, day) AS position
FROM (
  ${newest}
)`
}
