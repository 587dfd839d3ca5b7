/** Stacking events would be missing from pages and yields. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { createStacksChain } from '#ingest/stacks/stacksChain.ts'
import { silentLog } from '#kernel/log.ts'
import { recordedMessages, stacksVectors } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import prints from '../../../catalog/stacks/prints.json' with { type: 'json' }
import { ask } from '../ask.ts'

let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
before(async () => {
  warehouse = await openTestWarehouse()
  if (skipWithoutShared.skip) return
  const chain = createStacksChain({
    warehouse,
    codec: openStacksCodec(),
    prints: parsePrintCatalogue(prints),
    log: silentLog,
    now: () => 1_700_000_000_000,
  })
  await chain.recover()
  const messages = [...recordedMessages('regtest-epoch-3-transition.tsv.gz')]
  await chain.apply(
    messages.map(([path, json]) => ({ path, json: JSON.stringify(json), receivedAtMs: null })),
    'archive',
  )
})
after(() => warehouse[Symbol.asyncDispose]())

type Published = { input: { request: string }; expected: Record<string, unknown> }
const answerTo = (request: string) => {
  const found = stacksVectors<Published>('api-answers-pox-cycles').find(
    ({ input }) => input.request === request,
  )
  assert.ok(found, request)
  return found.expected
}
const read = <Row>(sql: string) => ask<Row>(warehouse.guest, sql)

test(
  'cycles with their signers, weights and stacks are the published answer',
  skipWithoutShared,
  async () => {
    const { results } = answerTo('/extended/v2/pox/cycles')
    // Cycle 11 had no signers yet: not known here, 0 in the answer.
    assert.deepEqual(
      await read(`SELECT c.height AS block_height, c.cycle AS cycle_number, concat('0x', lower(hex(any(b.hash)))) AS index_block_hash,
  toUInt32(ifNull(any(c.signer_count), 0)) AS total_signers, toString(ifNull(any(c.stacked_ustx), 0)) AS total_stacked_amount, toUInt32(sum(s.weight)) AS total_weight
FROM stx_cycles AS c
INNER JOIN stx_blocks AS b ON b.height = c.height
LEFT JOIN stx_signers AS s ON s.cycle = c.cycle AND s.height = c.height
GROUP BY c.height, c.cycle ORDER BY c.cycle DESC`),
      results,
    )
  },
)

test(
  'signers of a cycle with the stackers behind them are the published answer',
  skipWithoutShared,
  async () => {
    const { results } = answerTo('/extended/v2/pox/cycles/14/signers') as {
      results: Record<string, unknown>[]
    }
    const found = await read<
      Record<string, unknown>
    >(`SELECT concat('0x', lower(hex(w.signing_key))) AS signing_key,
  toString(w.stacked_ustx) AS stacked_amount, 100 * w.stacked_share AS stacked_amount_percent, w.weight AS weight,
  100 * w.weight_share AS weight_percent,
  toUInt32(countIf(s.kind = 'pooled')) AS pooled_stacker_count, toUInt32(countIf(s.kind = 'solo')) AS solo_stacker_count
FROM stx_signer_weights AS w
LEFT JOIN stx_stackers AS s ON s.cycle = w.cycle AND s.signer_key = w.signing_key
WHERE w.cycle = 14
GROUP BY w.signing_key, w.stacked_ustx, w.stacked_share, w.weight, w.weight_share ORDER BY w.weight DESC`)
    assert.equal(found.length, results.length)
    for (const [i, { signer_address: _, ...expected }] of results.entries())
      for (const [name, value] of Object.entries(expected))
        if (typeof value === 'number') assert.ok(Math.abs(Number(found[i]?.[name]) - value) < 1e-9, name)
        else assert.equal(found[i]?.[name], value, name)
  },
)

test(
  'stackers of a signer are the published answer, in each of their cycles',
  skipWithoutShared,
  async () => {
    const key = '038e3c4529395611be9abf6fa3b6987e81d402385e3d605a073f42f407565a4a3d'
    const { results } = answerTo(`/extended/v2/pox/cycles/14/signers/0x${key}/stackers`) as {
      results: { stacker_address: string; stacked_amount: string; stacker_type: string }[]
    }
    const rows = await read<
      Record<string, unknown>
    >(`SELECT cycle, stacker, toString(amount_ustx) AS amount, kind, operation
FROM stx_stackers WHERE lower(hex(signer_key)) = '${key}' ORDER BY cycle`)
    const [one] = results
    assert.deepEqual(
      rows,
      [
        [12, 'stack-stx'],
        [13, 'stack-extend'],
        [14, 'stack-extend'],
      ].map(([cycle, operation]) => ({
        cycle,
        stacker: one?.stacker_address,
        amount: one?.stacked_amount,
        kind: one?.stacker_type,
        operation,
      })),
    )
  },
)
