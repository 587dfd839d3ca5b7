/** A server that saves uploads. The uploads drill starts and kills it. */
import process from 'node:process'
import { Readable } from 'node:stream'
import { createRandom } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { openStore } from '#store/index.ts'
import { openWarehouse } from '#warehouse/index.ts'
import { OWNER, openQueriesServer } from './queriesServer.ts'

const [home = '', storeUrl = '', seed = '0', first = '0'] = process.argv.slice(2)
await using warehouse = await openWarehouse({ home, memoryBytes: 512 * 2 ** 20, log: silentLog })
await using store = await openStore({ home, url: storeUrl === '' ? undefined : storeUrl, log: silentLog })
await using tool = await openQueriesServer({ home, warehouse, store })
const random = createRandom(Number(seed))
const never = new AbortController().signal
const draw = (count: number) => Math.floor(random() * count)
/** Exits by itself unless it is killed first. */
const CHANGES = 12
for (let at = 0; at < CHANGES; at++) {
  const change = Number(first) + at
  const name = ['a', 'b', 'c'][draw(3)] ?? 'a'
  const isThere = (await tool.uploads.list(OWNER.owner)).some(upload => upload.name === name)
  const mode = isThere ? (['replace', 'append', 'remove'] as const)[draw(3)] : 'create'
  const rows = 1 + draw(30_000)
  const lines = Array.from({ length: mode === 'remove' ? 0 : rows }, (_, row) => `${change},${row}\n`)
  const body = Readable.from([Buffer.from(`change,row\n${lines.join('')}`)])
  if (mode === 'remove') {
    process.send?.({ change, name, mode, rows: 0 })
    await tool.uploads.remove(OWNER.owner, name)
  } else {
    const { id } = await tool.drafts.add(OWNER.owner, { fileName: 'a.csv', hasHeader: true, body }, never)
    process.send?.({ change, name, mode, rows })
    await tool.uploads.keep(
      OWNER.owner,
      { draft: id, name, mode: mode ?? 'create', misfits: 'refuse' },
      never,
    )
  }
  process.send?.({ change, isDone: true })
}
