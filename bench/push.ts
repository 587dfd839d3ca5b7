import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { silentLog } from '#kernel/log.ts'
import { openWarehouse } from '#warehouse/index.ts'
import { observations } from '#warehouse/tables/observations.ts'
import { quantile } from './measure.ts'
import { CHROMIUM, openBrowser } from './site/browser.ts'
import { openSite } from './site/openSite.ts'
import { type Suite, within } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LIMIT_MS = 2_000
const PATH = '/bitcoin?tab=lightning'
/** Its stream is open by then. */
const STREAM_OPENS_MS = 5_000

/** How long a figure that another process has just written takes to stand on a page that is open. */
export const push: Suite = {
  name: 'push',
  about: 'from the commit of a new figure to an open page that shows it, without a reload',
  skipReason: () => (existsSync(CHROMIUM) ? undefined : `there is no Chromium at ${CHROMIUM}`),
  async run({ isQuick, folder, say }) {
    const home = join(folder, 'home')
    await using site = await openSite({ root: ROOT, command: 'app', home })
    await using warehouse = await openWarehouse({ home, memoryBytes: 2 ** 30, log: silentLog })
    await using browser = await openBrowser()
    const page = await browser.newPage()
    await page.goto(`${site.origin}${PATH}`)
    await wait(STREAM_OPENS_MS)
    say('publishing a figure again and again')
    const waited: number[] = []
    const day = new Date().toISOString().slice(0, 10)
    for (let round = 0; round < (isQuick ? 15 : 60); round++) {
      const nodes = 20_000 + round * 37
      await warehouse.insertRows(observations, [
        {
          metric: 'lightning.nodes',
          entity: 'bitcoin',
          breakdown: '',
          day,
          amount: BigInt(nodes),
          value: null,
          source: 'mempool.space.lightning',
          observedAt: Math.floor(Date.now() / 1000) + round,
        },
      ])
      const committed = performance.now()
      await page.waitForFunction(
        text => document.querySelector('main')?.innerHTML.includes(text),
        nodes.toLocaleString('en-US'),
        { polling: 20 },
      )
      waited.push(performance.now() - committed)
      // Any time between two looks at the data is as likely as any other.
      await wait(500 + Math.random() * 1_000)
    }
    return [
      {
        figure: `new figure on an open page, p95 of ${waited.length}`,
        ...within(quantile(waited, 0.95), LIMIT_MS, 'ms'),
      },
      { figure: 'the same, median', ...within(quantile(waited, 0.5), LIMIT_MS, 'ms') },
    ]
  },
}
