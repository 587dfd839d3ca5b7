import { z } from 'zod'
import { canonicalSearch } from '../cache/answerCache.ts'
import type { Changes } from '../changes.ts'
import { type AnyRoute, route } from '../route.ts'

const query = z.strictObject({
  page: z
    .string()
    .startsWith('/')
    .max(2_000)
    .describe('address of the page, path and query: only what it rests on is told'),
})

const change = z
  .strictObject({
    parts: z
      .array(z.string())
      .describe('parts of the data that changed: chains, `head.<chain>`, `prices`, `of.<metric>`'),
  })
  .describe('data of each event `change`')

export const changeRoutes = (changes: Changes): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/changes',
    id: 'streamChanges',
    summary: 'Server-sent events: one `change` each time that what a page shows may have changed',
    query,
    answer: { schema: change, isStream: true },
    problems: [429],
    kept: 'never',
    handle: async ({ query: { page }, asker, signal }) => {
      const [path = '/', search = ''] = page.split(/\?(.*)/s)
      const told = changes.of(path + canonicalSearch(search), asker, signal)
      return { events: events(told) }
    },
  }),
]

async function* events(told: AsyncIterable<readonly string[]>) {
  for await (const parts of told) yield { name: 'change', data: { parts } }
}
