/** A process that shares engine and store of a folder and writes to both, as one that follows a chain does. Started by the outage drill. */
import { setTimeout as delay } from 'node:timers/promises'
import { silentLog } from '#kernel/log.ts'
import { openStore } from '#store/index.ts'
import { openWarehouse } from '#warehouse/index.ts'
import { observations } from '#warehouse/tables/observations.ts'
import { testSchema } from '#warehouse/testing.ts'

const [home = '', name = ''] = process.argv.slice(2)
const FIRST_DAY = Date.parse('2020-01-01T00:00:00Z')
const PAUSE_MS = 500

await using warehouse = await openWarehouse({
  home,
  memoryBytes: 512 * 2 ** 20,
  log: silentLog,
  schema: await testSchema(),
})
await using store = await openStore({ home, log: silentLog })
process.on('disconnect', () => process.exit())
process.send?.('open')

/** Does the work again and again and tells when each turn that succeeded had begun. */
async function keepWriting(
  what: 'engine' | 'store',
  write: (turn: number) => Promise<unknown>,
): Promise<void> {
  for (let turn = 0; ; turn++) {
    const beganAt = Date.now()
    // What was lost with a process is written by the next turn.
    await write(turn).then(
      () => process.send?.({ what, beganAt }),
      () => {},
    )
    await delay(PAUSE_MS)
  }
}

await Promise.all([
  keepWriting('engine', turn =>
    warehouse.insertRows(observations, [
      {
        ...{ metric: 'tvl.total', entity: 'rootstock', breakdown: '', amount: null, value: 1e8 + turn },
        ...{ source: 'defillama.tvl', observedAt: Math.floor(Date.now() / 1000) },
        day: new Date(FIRST_DAY + (turn % 2_000) * 86_400_000).toISOString().slice(0, 10),
      },
    ]),
  ),
  keepWriting('store', () =>
    store.query(
      'INSERT INTO assay.leases VALUES ($1, $1, now()) ON CONFLICT (name) DO UPDATE SET holder = excluded.holder',
      [name],
    ),
  ),
])
