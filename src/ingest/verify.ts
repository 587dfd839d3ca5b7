import type { BitcoinCodec, DecodedBlock } from '#chains/bitcoin/index.ts'
import type { BlockSource } from '#chains/bitcoin/node/index.ts'
import type { Warehouse } from '#warehouse/index.ts'

export type VerifyOptions = {
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Blocks to decode again and compare with; without one what is held is checked against itself. */
  readonly source?: BlockSource | undefined
  readonly signal?: AbortSignal | undefined
}

export type Difference = {
  readonly height: number
  readonly what: string
  readonly held: string
  readonly expected: string
}

export type VerifyReport = {
  readonly blockCount: number
  /** At most 1,000. */
  readonly differences: readonly Difference[]
}

const MOST = 1000

/** What each check compares; `held` and `expected` are texts, so that one query answers for all. */
const CHECKS: readonly { readonly what: string; readonly sql: string }[] = [
  {
    what: 'link to the block below',
    sql: `
SELECT blocks.height AS height, lower(hex(blocks.prev_hash)) AS held, lower(hex(below.hash)) AS expected
FROM btc_blocks AS blocks
INNER JOIN btc_blocks AS below ON below.height = blocks.height - 1
WHERE blocks.height BETWEEN {from:UInt32} AND {to:UInt32} AND blocks.prev_hash != below.hash AND blocks.height > 0`,
  },
  {
    what: 'one block a height',
    sql: `
SELECT height, toString(count()) AS held, '1' AS expected
FROM btc_blocks WHERE height BETWEEN {from:UInt32} AND {to:UInt32} GROUP BY height HAVING count() != 1`,
  },
  ...sumCheck('transactions', 'tx_count', 'btc_txs', 'count()'),
  ...sumCheck('inputs', 'input_count', 'btc_inputs', 'count()'),
  ...sumCheck('outputs', 'output_count', 'btc_outputs', 'count()'),
  ...sumCheck('outputs by outpoint', 'output_count', 'btc_outpoints', 'count()'),
  ...sumCheck('inputs by transaction', 'input_count', 'btc_txs', 'sum(input_count)'),
  ...sumCheck('output sum by transaction', 'output_sat', 'btc_txs', 'sum(output_sat)'),
  ...sumCheck('output sum', 'output_sat', 'btc_outputs', 'sum(value_sat)'),
  ...sumCheck('coinbase sum', 'coinbase_sat', 'btc_outputs', 'sumIf(value_sat, is_coinbase)'),
  // Header and transaction count have no witness: four weight units a byte.
  ...sumCheck(
    'weight',
    'weight_wu',
    'btc_txs',
    'sum(weight_wu) + 4 * (80 + multiIf(count() < 253, 1, count() < 65536, 3, 5))',
  ),
  ...sumCheck('inscriptions', 'inscription_count', 'btc_inscriptions', 'count()'),
  {
    what: 'fees',
    sql: `
SELECT blocks.height AS height, toString(blocks.fee_sat) AS held, toString(spent.fee_sat) AS expected
FROM btc_blocks AS blocks
INNER JOIN (
  SELECT inputs.height AS height, sum(ifNull(inputs.prev_value_sat, 0)) - any(outputs.made) AS fee_sat
  FROM btc_inputs AS inputs
  INNER JOIN (
    SELECT height, sum(value_sat) AS made FROM btc_outputs
    WHERE height BETWEEN {from:UInt32} AND {to:UInt32} AND NOT is_coinbase GROUP BY height
  ) AS outputs ON outputs.height = inputs.height
  WHERE inputs.height BETWEEN {from:UInt32} AND {to:UInt32}
  GROUP BY inputs.height
) AS spent ON spent.height = blocks.height
WHERE blocks.height BETWEEN {from:UInt32} AND {to:UInt32} AND blocks.fee_sat IS NOT NULL AND blocks.fee_sat != spent.fee_sat`,
  },
]

function sumCheck(what: string, column: string, table: string, sum: string): { what: string; sql: string }[] {
  return [
    {
      what,
      sql: `
SELECT blocks.height AS height, toString(blocks.${column}) AS held, toString(parts.total) AS expected
FROM btc_blocks AS blocks
LEFT JOIN (
  SELECT height, ${sum} AS total FROM ${table} WHERE height BETWEEN {from:UInt32} AND {to:UInt32} GROUP BY height
) AS parts ON parts.height = blocks.height
WHERE blocks.height BETWEEN {from:UInt32} AND {to:UInt32} AND blocks.${column} != parts.total`,
    },
  ]
}

/** Heights checked by one statement. */
const STRETCH = 10_000

/** Checks a stretch of what readers see; everything held unless bounded. */
export async function verify(
  { warehouse, codec }: { readonly warehouse: Warehouse; readonly codec: BitcoinCodec },
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const ask = async <T>(query: string, query_params: Record<string, unknown>): Promise<T[]> => {
    options.signal?.throwIfAborted()
    const answer = await warehouse.reader.query({ query, query_params, format: 'JSONEachRow' })
    return answer.json<T>()
  }
  const stretches = await ask<{ low: number; high: number; count: string }>(
    `SELECT min(height) AS low, max(height) AS high, toString(count()) AS count FROM btc_blocks
WHERE height BETWEEN {from:UInt32} AND {to:UInt32} GROUP BY intDiv(height, ${STRETCH}) ORDER BY low`,
    { from: options.from ?? 0, to: options.to ?? 0xffff_ffff },
  )
  const blockCount = stretches.reduce((sum, { count }) => sum + Number(count), 0)
  const differences: Difference[] = []
  for (const { low: from, high: to } of stretches) {
    if (differences.length >= MOST) break
    for (const { what, sql } of CHECKS) {
      const rows = await ask<Omit<Difference, 'what'>>(`${sql}\nORDER BY height LIMIT ${MOST}`, { from, to })
      differences.push(...rows.map(row => ({ ...row, what })))
    }
    if (options.source) differences.push(...(await compareWithSource(options.source, codec, ask, from, to)))
  }
  return { blockCount, differences: differences.slice(0, MOST) }
}

type Ask = <T>(query: string, query_params: Record<string, unknown>) => Promise<T[]>
type HeldBlock = {
  readonly height: number
  readonly hash: string
  readonly txids: string
  readonly outputs: string
}

const HELD_SQL = `
SELECT blocks.height AS height, lower(hex(blocks.hash)) AS hash, txs.txids AS txids, made.outputs AS outputs
FROM btc_blocks AS blocks
LEFT JOIN (
  SELECT height, arrayStringConcat(arrayMap(pair -> lower(hex(pair.2)), arraySort(groupArray((tx_index, txid))))) AS txids
  FROM btc_txs WHERE height BETWEEN {from:UInt32} AND {to:UInt32} GROUP BY height
) AS txs ON txs.height = blocks.height
LEFT JOIN (
  SELECT height, concat(toString(count()), ' ', toString(sum(value_sat)), ' ', toString(sum(length(script)))) AS outputs
  FROM btc_outputs WHERE height BETWEEN {from:UInt32} AND {to:UInt32} GROUP BY height
) AS made ON made.height = blocks.height
WHERE blocks.height BETWEEN {from:UInt32} AND {to:UInt32}
ORDER BY height`

/** Decodes the source's blocks again and compares hash, txids and outputs, a hundred heights at a time. */
async function compareWithSource(
  source: BlockSource,
  codec: BitcoinCodec,
  ask: Ask,
  from: number,
  to: number,
): Promise<Difference[]> {
  const differences: Difference[] = []
  const tip = await source.tip()
  for (let low = from; low <= Math.min(to, tip.height); low += 100) {
    const high = Math.min(to, tip.height, low + 99)
    const held = new Map(
      (await ask<HeldBlock>(HELD_SQL, { from: low, to: high })).map(row => [row.height, row]),
    )
    for await (const { height, hash, bytes } of source.blocks(low, high)) {
      const row = held.get(height)
      if (row === undefined) continue
      const block = codec.decodeBlock(bytes)
      const expected = { hash, txids: Buffer.from(block.txs.txid).toString('hex'), outputs: outputsOf(block) }
      for (const what of ['hash', 'txids', 'outputs'] as const)
        if (row[what] !== expected[what])
          differences.push({ height, what, held: row[what], expected: expected[what] })
    }
  }
  return differences
}

function outputsOf({ outputs }: DecodedBlock): string {
  const sum = outputs.valueSat.reduce((total, value) => total + value, 0n)
  const scriptBytes = outputs.scriptLength.reduce((total, length) => total + length, 0)
  return `${outputs.count} ${sum} ${scriptBytes}`
}
