import { fileURLToPath } from 'node:url'
import { createAcrossExplorer } from '#explorer/across/index.ts'
import { silentLog } from '#kernel/log.ts'
import { readEvmCatalog } from '#metrics/evmCatalog.ts'
import { refreshCallHours } from '#metrics/rollups/callHours.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { median, timed } from './measure.ts'
import { atLeast, type BenchContext, type Figure, rounded, type Suite, within } from './suite.ts'

const CATALOG = fileURLToPath(new URL('../catalog', import.meta.url))
const START_S = 1_760_000_000 - (1_760_000_000 % 3600)
const HOURS = 48
/** A block every three seconds, as on Core. */
const BLOCK_S = 3
const BLOCKS = (HOURS * 3600) / BLOCK_S
const CALLS_A_BLOCK = 8
const ADDRESSES = 1_000

/** Contracts by calls of 24 hours, from a commit to the answer, against counting the calls themselves; balances of many. */
export const hot: Suite = {
  name: 'hot',
  about: 'hot contracts of 24 hours behind the tip, and balances of a thousand addresses',
  async run(context) {
    await using warehouse = await openTestWarehouse({ memoryBytes: 2 ** 31 })
    const perBlock = context.isQuick ? CALLS_A_BLOCK / 4 : CALLS_A_BLOCK
    context.say(`${rounded(BLOCKS * perBlock)} calls of two days in ${rounded(BLOCKS)} blocks`)
    await fill(warehouse, perBlock)
    await refreshCallHours({ warehouse, log: silentLog }, 'all')
    return [...(await behindTip(warehouse, perBlock, context)), await manyBalances(warehouse)]
  },
}

/** Rows of blocks of Core from `first` on, committed as one batch. Contracts and callers are few for many calls, as they are. */
export async function addBlocks(
  { writer }: Warehouse,
  batch: number,
  first: number,
  count: number,
  perBlock: number,
): Promise<void> {
  const at = (height: string) => `toDateTime(${START_S} + ${BLOCK_S} * (${height}), 'UTC')`
  const address = (seed: string) =>
    `toFixedString(substring(MD5(toString(${seed})) || MD5(toString(${seed} + 1)), 1, 20), 20)`
  for (const query of [
    `INSERT INTO base.evm_blocks (chain, batch, height, hash, block_time)
SELECT 'core', ${batch}, ${first} + number, toFixedString(unhex(leftPad(hex(${first} + number), 64, '0')), 32), ${at(`${first} + number`)}
FROM numbers(${count})`,
    `INSERT INTO base.evm_txs (chain, batch, height, block_time, tx_index, kind, sender, recipient, method, is_success, fee_wei, gas_price_wei)
SELECT 'core', ${batch}, ${first} + intDiv(number, ${perBlock}) AS block, ${at('block')}, number % ${perBlock}, 'legacy',
  ${address('intHash32(number) % 20000')}, ${address('1000000 + toUInt32(pow(intHash32(number + 7) % 1000, 2) / 500)')},
  unhex('a9059cbb'), intHash32(number) % 10 > 0, 1000, 1
FROM numbers(${count * perBlock})`,
    `INSERT INTO base.evm_transfers (chain, batch, height, block_time, tx_index, log_index, standard, token, sender, recipient, amount)
SELECT 'core', ${batch}, ${first} + intDiv(number, ${perBlock}) AS block, ${at('block')}, number % ${perBlock}, number % ${perBlock}, 'erc20',
  ${address('1000000 + intHash32(number + 7) % 300')}, ${address('intHash32(number) % 20000')},
  ${address('intHash32(number + 3) % 20000')}, 1 + number % 100
FROM numbers(${count * perBlock})`,
    `INSERT INTO base.evm_batches (chain, batch, seq, is_live, from_height, to_height, block_count)
VALUES ('core', ${batch}, ${batch}, 1, ${first}, ${first + count - 1}, ${count})`,
  ])
    await writer.command({ query })
}

const fill = (warehouse: Warehouse, perBlock: number): Promise<void> =>
  addBlocks(warehouse, 1, 0, BLOCKS, perBlock)

const explorerOf = async ({ reader }: Warehouse) =>
  createAcrossExplorer({
    reader,
    catalog: { evm: [], tokens: [], protocols: [], collections: [] },
    layers: () => readEvmCatalog(CATALOG),
    network: 'mainnet',
  })

async function behindTip(
  warehouse: Warehouse,
  perBlock: number,
  { isQuick, say }: BenchContext,
): Promise<Figure[]> {
  const across = await explorerOf(warehouse)
  await across.hotContracts({ span: '24h' })
  const rounds = isQuick ? 3 : 9
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    await addBlocks(warehouse, 2 + round, BLOCKS + round, 1, perBlock)
    ours.push(
      await timed(async () => {
        await refreshCallHours({ warehouse, log: silentLog }, 'newest')
        await across.hotContracts({ span: '24h' })
      }),
    )
    theirs.push(await timed(() => countCalls(warehouse)))
  }
  say(`commit to answer ${ours.map(ms => rounded(ms)).join(', ')} ms`)
  return [
    {
      figure: 'hot contracts of 24 h, from a commit to the answer',
      against: 'what a block may take',
      ...within(median(ours), 1000, 'ms'),
    },
    {
      figure: 'the same against counting the calls',
      ours: `${rounded(median(ours))} ms`,
      against: `calls, callers and growth from rows ${rounded(median(theirs))} ms`,
      ...atLeast(median(theirs) / median(ours), 1),
    },
  ]
}

/** What the page tells, from the calls themselves. */
async function countCalls({ reader }: Warehouse): Promise<void> {
  const answer = await reader.query({
    query: `WITH (SELECT max(block_time) FROM evm_blocks) AS tip
SELECT contract, countIf(block_time > tip - 86400) AS calls, uniqExactIf(sender, block_time > tip - 86400) AS callers,
  countIf(is_success = false AND block_time > tip - 86400) AS failed, countIf(block_time <= tip - 86400) AS before,
  sumMap([toStartOfHour(block_time)], [1]) AS trend
FROM chain_calls
WHERE block_time > tip - 172800
GROUP BY contract
ORDER BY calls DESC
LIMIT 200`,
    format: 'JSONEachRow',
  })
  await answer.json()
}

async function manyBalances(warehouse: Warehouse): Promise<Figure> {
  const across = await explorerOf(warehouse)
  const answer = await warehouse.reader.query({
    query: `SELECT DISTINCT concat('0x', lower(hex(sender))) AS address FROM evm_transfers LIMIT ${ADDRESSES}`,
    format: 'JSONEachRow',
  })
  const lines = (await answer.json<{ address: string }>()).map(({ address }) => address)
  let count = 0
  const times: number[] = []
  for (let round = 0; round < 3; round++)
    times.push(
      await timed(async () => {
        count = (await across.balances(lines)).balances.length
      }),
    )
  return {
    figure: `balances of ${rounded(lines.length)} addresses, ${rounded(count)} of them`,
    against: 'what a reader waits for',
    ...within(median(times), 2000, 'ms'),
  }
}
