import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quantile } from './measure.ts'
import { openLoad } from './site/load.ts'
import { openSite } from './site/openSite.ts'
import { publicPages } from './site/publicPages.ts'
import { record } from './site/record.ts'
import { rounded, type Suite, within } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READERS = 200
const LIMIT_MS = 500
/** Ranges that readers choose beside the one that a page begins with. */
const CHOICES = ['', '?range=30d', '?range=1y', '?range=max&unit=usd']

/** Many readers at once, each on the next page of the site as soon as the last has come: more than people do. */
export const readers: Suite = {
  name: 'readers',
  about: `${READERS} readers at once on mixed pages of one process, without a pause between two pages`,
  async run({ folder, isQuick, say }) {
    await using site = await openSite({ root: ROOT, command: 'app', home: join(folder, 'home') })
    const paths = (await publicPages()).flatMap(path => CHOICES.map(choice => site.origin + path + choice))
    const [first = site.origin, ...others] = paths
    // Drawn once, as on a server that has had readers before.
    for (const path of paths) await record(path)
    using load = openLoad()
    say(`${paths.length} addresses`)
    const { requests, ms, latencies, failures } = await load.ask({
      urls: [first, ...others],
      connections: READERS,
      ms: isQuick ? 10_000 : 60_000,
    })
    for (const failure of failures.slice(0, 5)) say(failure)
    return [
      {
        figure: `${READERS} readers, p99 of ${requests} pages`,
        ...within(quantile(latencies, 0.99), LIMIT_MS, 'ms'),
        against: `median ${rounded(quantile(latencies, 0.5))} ms, worst ${rounded(quantile(latencies, 1))} ms, ${rounded((1000 * requests) / ms)} pages/s`,
      },
      { figure: 'of these, pages that failed', ...within(failures.length, 0, 'pages') },
    ]
  },
}
