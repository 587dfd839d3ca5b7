import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { meta, problems, status } from '../schemas/status.ts'

type StateDeps = {
  apiFor: (asker: string) => FullApi
  version: string
}

export const stateRoutes = ({ apiFor, version }: StateDeps): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/status',
    id: 'readStatus',
    summary: 'Indexed ranges, sources and sync progress',
    answer: { schema: status },
    kept: 'never',
    handle: async ({ asker }) => json(await apiFor(asker).status()),
  }),
  route({
    method: 'GET',
    path: '/api/v1/problems',
    id: 'listProblems',
    summary: 'Every kind of problem that this API answers with, what it means and what to do',
    answer: { schema: problems },
    kept: 'data',
    handle: async ({ asker }) => json({ problems: await apiFor(asker).problems() }),
  }),
  ...['/meta.json', '/api/meta.json'].map(path =>
    route({
      method: 'GET',
      path,
      id: path === '/meta.json' ? 'readMeta' : 'readApiMeta',
      summary: 'The version of this site',
      answer: { schema: meta },
      kept: 'never',
      handle: async () => json({ version }),
    }),
  ),
]
