/** A missing volume would show as zero. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { testCatalog } from '#catalog/testing.ts'
import { defillamaDexs } from './live/defillamaDexs.ts'
import { explorersRecorded } from './recorded/bitcoinLocked.ts'
import { defillamaDexsRecorded } from './recorded/defillamaDexs.ts'

const textOf = (file: string): string =>
  zstdDecompressSync(readFileSync(new URL(`../../snapshot/series/${file}.zst`, import.meta.url))).toString()

test('a recorded volume of 0 is no figure: 35 days of ALEX are unknown', async () => {
  const text = textOf(defillamaDexsRecorded.file)
  assert.equal(text.split('\n').filter(line => /,ALEX,Stacks,0$/.test(line)).length, 35)
  const figures = [...(defillamaDexsRecorded.observe?.(text, await testCatalog()) ?? [])]
  assert.ok(figures.length > 0)
  assert.ok(figures.every(({ value }) => value !== 0))
  assert.ok(figures.every(({ entity, key }) => entity !== 'alex' && key !== 'alex'))
})

test('a volume of 0 that DefiLlama answers is no figure, for a layer and for an exchange', async () => {
  const day = Date.parse('2026-08-04T00:00:00Z') / 1000
  const json = {
    totalDataChart: [
      [day - 86_400, 0],
      [day, 12],
    ],
    totalDataChartBreakdown: [[day, { ALEX: 0, Bitflow: 12 }]],
  }
  const { observations } = defillamaDexs.read({ about: 'stacks', url: '' }, json, {
    catalog: await testCatalog(),
    seenAt: day + 2 * 86_400,
  } as Parameters<typeof defillamaDexs.read>[2])
  assert.deepEqual(
    observations.map(({ metric, entity, key = '', value }) => [metric, entity, key, value]),
    [
      ['dex.volume', 'stacks', '', 12],
      ['dex.by_protocol', 'stacks', 'bitflow', 12],
      ['dex.volume', 'bitflow', '', 12],
    ],
  )
})

test('explorers report the bitcoin bridged to Stacks, Liquid and Lightning', async () => {
  const figures = [
    ...(explorersRecorded.observe?.(textOf(explorersRecorded.file), await testCatalog()) ?? []),
  ]
  assert.deepEqual(
    figures
      .filter(({ metric }) => metric === 'btc.bridged')
      .map(({ entity, day, amount }) => [entity, day, amount]),
    [
      ['liquid', '2026-08-05', 472_351_505_929n],
      ['stacks', '2026-08-05', 251_751_958_739n],
      ['lightning', '2026-08-05', 418_960_528_640n],
    ],
  )
})
