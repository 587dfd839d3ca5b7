import { fileURLToPath } from 'node:url'
import { testCatalog } from '#catalog/testing.ts'
import { addressOf } from '#chains/bitcoin/index.ts'
import { createAcrossExplorer } from '#explorer/across/index.ts'
import { silentLog } from '#kernel/log.ts'
import { readEvmCatalog } from '#metrics/evmCatalog.ts'
import { addressDays } from '#metrics/rollups/addressDays.ts'
import { refreshRollups } from '#metrics/rollups/refresh.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { median, timed } from './measure.ts'
import { atLeast, type Figure, rounded, type Suite, within } from './suite.ts'

const CATALOG = fileURLToPath(new URL('../catalog', import.meta.url))
const START_S = 1_600_000_000
const BLOCK_S = 600
/** A year of blocks of six hundred outputs, seven of ten of them spent within two months. */
const BLOCKS = 52_560
const OUTPUTS_A_BLOCK = 600
const SPENT_OF_TEN = 7
const LONGEST_BLOCKS = 8_640
/** Those that are paid again and again; three of five outputs go to an address that nobody uses twice. */
const REGULARS = 200_000
const OUTPUTS_A_STATEMENT = 5_000_000
const ASKED = 1_000
const LIMIT_MS = 2_000

/** Balances of a thousand addresses of Bitcoin as days are counted behind the tip, against base rows that lie by height. */
export const balances: Suite = {
  name: 'balances',
  about: 'balances of a thousand addresses of Bitcoin over a long history, counted by day against base rows',
  async run({ isQuick, say }) {
    await using warehouse = await openTestWarehouse({ memoryBytes: 2 ** 31 })
    const blocks = isQuick ? BLOCKS / 10 : BLOCKS
    const outputs = blocks * OUTPUTS_A_BLOCK
    say(`${rounded(outputs / 1e6)} M outputs in ${rounded(blocks)} blocks`)
    await fill(warehouse, blocks)
    const across = createAcrossExplorer({
      reader: warehouse.reader,
      catalog: { evm: [], tokens: [], protocols: [], collections: [] },
      layers: () => readEvmCatalog(CATALOG),
      network: 'mainnet',
    })
    const lines = await addressesOf(warehouse, outputs)
    const ask = async (): Promise<{ ms: number; told: string }> => {
      const times: number[] = []
      let told = ''
      for (let round = 0; round < 5; round++)
        times.push(
          await timed(async () => {
            told = JSON.stringify((await across.balances(lines)).balances)
          }),
        )
      say(times.map(ms => `${rounded(ms)} ms`).join(', '))
      return { ms: median(times), told }
    }
    const fromRows = await ask()
    say('counting days')
    const deps = { warehouse, log: silentLog, catalog: await testCatalog() }
    const counting = await timed(() => refreshRollups(deps, undefined, [addressDays]))
    say(`days by address took ${rounded(counting / 1000)} s`)
    const counted = await ask()
    if (counted.told !== fromRows.told) throw new Error('days tell other balances than base rows')
    return figures(lines.length, outputs, counted.ms, fromRows.ms)
  },
}

const figures = (lines: number, outputs: number, ours: number, theirs: number): Figure[] => [
  {
    figure: `balances of ${rounded(lines)} addresses of Bitcoin over ${rounded(outputs / 1e6)} M outputs`,
    against: 'what a reader waits for',
    ...within(ours, LIMIT_MS, 'ms'),
  },
  {
    figure: 'the same against base rows',
    ours: `${rounded(ours)} ms`,
    against: `while no day is counted ${rounded(theirs)} ms`,
    ...atLeast(theirs / ours, 1),
  },
]

/** What the output of this number pays, and to whom. */
const scriptOf = (output: string): string => {
  const owner = `if(${output} % 5 < 3, 1000000000 + ${output}, toUInt64(pow(cityHash64(${output}) % 1000 / 1000, 3) * ${REGULARS}))`
  return `concat(unhex('0014'), MD5(toString(${owner})), substring(MD5(toString(${owner} + 1)), 1, 4))`
}
const satOf = (output: string): string => `1000 + cityHash64(${output} + 1) % 100000000`
const timeAt = (height: string): string => `toDateTime(${START_S} + ${BLOCK_S} * (${height}), 'UTC')`

async function fill({ writer }: Warehouse, blocks: number): Promise<void> {
  await writer.command({
    query: `INSERT INTO base.btc_blocks (batch, height, hash, block_time, median_time)
SELECT 1, number, toFixedString(unhex(leftPad(hex(number), 64, '0')), 32), ${timeAt('number')}, ${timeAt('number')}
FROM numbers(${blocks})`,
  })
  const outputs = blocks * OUTPUTS_A_BLOCK
  for (let from = 0; from < outputs; from += OUTPUTS_A_STATEMENT) {
    const numbers = `numbers(${from}, ${Math.min(OUTPUTS_A_STATEMENT, outputs - from)})`
    const txid = 'toFixedString(concat(MD5(toString(number)), MD5(toString(number + 1))), 32)'
    const made = `intDiv(number, ${OUTPUTS_A_BLOCK})`
    const spent = `${made} + 1 + cityHash64(number, 'spent') % ${LONGEST_BLOCKS}`
    await writer.command({
      query: `INSERT INTO base.btc_outputs (batch, height, block_time, tx_index, txid, vout, value_sat, script_type, script, is_coinbase)
SELECT 1, ${made}, ${timeAt(made)}, number % ${OUTPUTS_A_BLOCK}, ${txid}, 0, ${satOf('number')}, 'v0_p2wpkh', ${scriptOf('number')}, false
FROM ${numbers}`,
    })
    await writer.command({
      query: `INSERT INTO base.btc_inputs (batch, height, block_time, tx_index, txid, vin, prev_txid, prev_vout, is_coinbase, prev_value_sat, prev_script_type, prev_script, prev_height, prev_time)
SELECT 1, ${spent} AS at, ${timeAt('at')}, number % ${OUTPUTS_A_BLOCK}, ${txid}, 0, ${txid}, 0, false, ${satOf('number')}, 'v0_p2wpkh', ${scriptOf('number')}, ${made}, ${timeAt(made)}
FROM ${numbers}
WHERE number % 10 < ${SPENT_OF_TEN} AND at < ${blocks}`,
    })
  }
  await writer.command({
    query: `INSERT INTO base.btc_batches (batch, seq, is_live, from_height, to_height, block_count) VALUES (1, 1, 1, 0, ${blocks - 1}, ${blocks})`,
  })
}

/** Payees of outputs all over the history: those that are paid once and those that are paid often, as they come. */
async function addressesOf({ reader }: Warehouse, outputs: number): Promise<string[]> {
  const answer = await reader.query({
    query: `SELECT lower(hex(script)) AS script
FROM (SELECT DISTINCT ${scriptOf('number')} AS script FROM (SELECT 600 + cityHash64(number) % ${outputs - 600} AS number FROM numbers(${2 * ASKED})))
LIMIT ${ASKED}`,
    format: 'JSONEachRow',
  })
  const rows = await answer.json<{ script: string }>()
  return rows.flatMap(({ script }) => addressOf(Buffer.from(script, 'hex'), 'mainnet') ?? [])
}
