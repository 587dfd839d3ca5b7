import { type AnyRoute, json, route } from '../route.ts'
import { health, readiness } from './schema.ts'
import type { PartState } from './watch.ts'

/** Both answer from memory: neither waits for a part. */
export const healthRoutes = (current: () => readonly PartState[], version: string): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/healthz',
    id: 'readHealth',
    summary: 'Whether pages can be served, as of the last check: 200, else 503 with the reason',
    answer: { schema: health },
    problems: [503],
    kept: 'never',
    handle: async () => {
      // Pages are served without the store; only accounts and edited texts need it.
      const down = current().find(({ name, isReady }) => name !== 'store' && !isReady)
      const answer = { isHealthy: down === undefined, detail: down?.detail ?? 'Pages are served.', version }
      return { ...json(answer), ...(down && { status: 503 }) }
    },
  }),
  route({
    method: 'GET',
    path: '/readyz',
    id: 'readReadiness',
    summary: 'Whether engine, store and data are ready, as of the last check: 200, else 503 with the reasons',
    answer: { schema: readiness },
    problems: [503],
    kept: 'never',
    handle: async () => {
      const states = current()
      const isReady = states.every(part => part.isReady)
      const parts = states.map(({ checkedAtMs, ...part }) => ({
        ...part,
        checkedAt: checkedAtMs === undefined ? null : new Date(checkedAtMs).toISOString(),
      }))
      return { ...json({ isReady, parts, version }), ...(!isReady && { status: 503 }) }
    },
  }),
]

/** Every part ready: for servers of tests, and where nothing is checked. */
export const allReady = (): readonly PartState[] =>
  (['engine', 'store', 'data'] as const).map(name => ({ name, isReady: true, detail: '', checkedAtMs: 0 }))
