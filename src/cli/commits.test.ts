/** Open pages would not learn of new blocks, or would learn of them before they are readable. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Table } from '#kernel/table.ts'
import { BITCOIN, type Warehouse } from '#warehouse/index.ts'
import { createBell, isCommitted, tellingCommits } from './commits.ts'

const NEVER_MS = 1_000_000
const live = new AbortController().signal

test('a bell that rings ends a wait, also one that begins after it rang, and once', async () => {
  const bell = createBell()
  bell.ring()
  bell.ring()
  await bell.rung(NEVER_MS, live)
  let isOver = false
  const second = bell.rung(NEVER_MS, live).then(() => {
    isOver = true
  })
  await new Promise(setImmediate)
  assert.equal(isOver, false)
  bell.ring()
  await second
})

test('a wait ends with its time and with its signal', async () => {
  const bell = createBell()
  await bell.rung(1, live)
  const stop = new AbortController()
  const waiting = bell.rung(NEVER_MS, stop.signal)
  stop.abort()
  await waiting
  await bell.rung(NEVER_MS, stop.signal)
})

test('commits and batches taken back are told once they are written; what no reader sees is not', async () => {
  const events: string[] = []
  const insertRows = async (table: Table) => void events.push(table.name)
  const say = (message: string) => void events.push(isCommitted(message) ? 'told' : message)
  const warehouse = tellingCommits({ insertRows } as unknown as Warehouse, say)
  const decide = (...reasons: string[]) =>
    warehouse.insertRows(BITCOIN.log, reasons.map(reason => ({ reason })) as never)
  await decide('begun')
  await decide('')
  await decide('removed')
  await decide('', 'reorg')
  await warehouse.insertRows(BITCOIN.stale, [{ reason: '' }] as never)
  const log = BITCOIN.log.name
  assert.deepEqual(events, [log, log, 'told', log, log, 'told', BITCOIN.stale.name])
})
