/** Loading an archive of a Stacks node would lose, double or accept altered blocks. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { silentLog } from '#kernel/log.ts'
import { recordedMessages } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { STACKS, STACKS_BURN, type Warehouse } from '#warehouse/index.ts'
import { STX_FACT_TABLES } from '#warehouse/tables/stacksBurn.ts'
import { openTestWarehouse, truncateTables } from '#warehouse/testing.ts'
import catalogue from '../../../catalog/stacks/prints.json' with { type: 'json' }
import { digestOf, emptyTables } from '../testing.ts'
import { type ArchiveReport, ingestArchive } from './archiveIngest.ts'
import { createStacksChain } from './stacksChain.ts'

const TIME = '2026-01-01 00:00:00.5+00'

describe('an archive read on threads', skipWithoutShared, () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-archive-'))
  const file = join(folder, 'events.tsv')
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  before(async () => {
    warehouse = await openTestWarehouse()
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await warehouse[Symbol.asyncDispose]()
  })
  beforeEach(() => empty(warehouse))

  async function empty(one: Warehouse): Promise<void> {
    await emptyTables(one, STACKS)
    await emptyTables(one, STACKS_BURN)
    await truncateTables(
      one,
      STX_FACT_TABLES.map(({ name }) => name),
    )
  }

  const lines = (): string[] =>
    [...recordedMessages('mainnet-reorg-scenario1.tsv.gz')].map(
      ([path, message], i) => `${i + 1}\t${TIME}\t${path}\t${JSON.stringify(message)}`,
    )

  async function takeIn(text: string, threads: number, partBytes: number): Promise<ArchiveReport> {
    writeFileSync(file, text)
    await using chain = createStacksChain({
      warehouse,
      codec: openStacksCodec(),
      prints: parsePrintCatalogue(catalogue),
      log: silentLog,
      now: () => 1_700_000_000_000,
      threads,
    })
    await chain.recover()
    return ingestArchive(chain, file, { partBytes })
  }

  const digest = async () => ({
    ...(await digestOf(warehouse, STACKS)),
    ...(await digestOf(warehouse, STACKS_BURN)),
  })

  test('brings the rows that reading in place brings, however it is cut', async () => {
    const text = lines().join('\r\n')
    const inPlace = await takeIn(text, 0, 100_000)
    const expected = await digest()
    assert.ok(inPlace.blocks > 30)
    for (const [threads, partBytes] of [
      [1, 50_000],
      [2, 200_000],
      [5, 10_000_000],
    ] as const) {
      await empty(warehouse)
      const report = await takeIn(text, threads, partBytes)
      assert.deepEqual(report, inPlace, `${threads} threads, ${partBytes} bytes`)
      assert.deepEqual(await digest(), expected)
    }
  })

  test('blocks that are held, and blocks that come twice, are not written again', async () => {
    const all = lines()
    const some = all.filter((_, i) => i % 3 !== 0).join('\n')
    const twice = [...all, ...all].join('\n')
    await takeIn(some, 0, 1e7)
    const inPlace = await takeIn(twice, 0, 300_000)
    const expected = await digest()
    await empty(warehouse)
    await takeIn(some, 2, 1e7)
    const onThreads = await takeIn(twice, 2, 300_000)
    assert.ok(onThreads.blocks > 5 && onThreads.duplicates > onThreads.blocks)
    assert.deepEqual(onThreads, inPlace)
    assert.deepEqual(await digest(), expected)
  })

  test('a line that is none ends it: what stands before is taken in, what stands behind is not', async () => {
    const all = lines()
    const at = 40
    const broken = [...all.slice(0, at), 'no message', ...all.slice(at)].join('\n')
    for (const threads of [0, 3]) {
      await empty(warehouse)
      await assert.rejects(takeIn(broken, threads, 1e7), {
        code: 'archive.line',
        message: `${file}, line ${at + 1}: a line has four columns with tabs between them.`,
      })
      const held = await digest()
      await empty(warehouse)
      await takeIn(all.slice(0, at).join('\n'), 0, 1e7)
      assert.deepEqual(held, await digest())
    }
  })

  test('a block whose transaction was altered is refused alone, with its text', async () => {
    const all = lines()
    const last = all.findLastIndex(line => line.includes('\t/new_block\t') && line.includes('"raw_tx":"0x00'))
    all[last] = all[last]!.replace(/"raw_tx":"0x00000000010400.{8}/, found => `${found.slice(0, -8)}deadbeef`)
    const report = await takeIn(all.join('\n'), 2, 1e7)
    assert.equal(report.refused, 1)
    const kept = await (
      await warehouse.guest.query({
        query: 'SELECT reason, json FROM stx_kept_messages',
        format: 'JSONCompactEachRow',
      })
    ).json<[string, string]>()
    assert.equal(kept.length, 1)
    assert.match(kept[0]![0], /^Transaction \d+ is called 0x/)
    assert.equal(kept[0]![1], all[last]!.split('\t')[3])
  })
})
