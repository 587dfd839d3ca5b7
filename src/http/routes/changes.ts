import { z } from 'zod'
import type { Changes } from '../changes.ts'
import { availabilityEvent } from '../outage/schema.ts'
import { type AnyRoute, route } from '../route.ts'

const query = z.strictObject({
  page: z
    .string()
    .startsWith('/')
    .max(2_000)
    .describe('path of the page, any query is ignored: only changes of its data are sent'),
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
    summary:
      'Server-sent events: `change` when the data of a page may have changed, `availability` when the data engine goes away or is back',
    query,
    answer: { schema: z.union([change, availabilityEvent]), isStream: true },
    problems: [429],
    kept: 'never',
    handle: async ({ query: { page }, asker, signal }) => {
      const [path = '/'] = page.split('?')
      return { events: changes.of(path, asker, signal) }
    },
  }),
]
