import { type AnyRoute, json, route } from '../route.ts'
import { health, readiness } from './schema.ts'
import { PARTS, type PartState } from './watch.ts'

/** Both answer from memory: neither waits for a part. */
export const healthRoutes = (current: () => readonly PartState[], version: string): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/healthz',
    id: 'readHealth',
    summary: 'Whether pages are served: 503 with the reason during the start, 200 from then on',
    answer: { schema: health },
    problems: [503],
    kept: 'never',
    handle: async () => {
      // Pages are served without the store; only accounts and edited texts need it.
      const needed = current().filter(({ name }) => name !== 'store')
      const missing = needed.find(({ wasReady }) => !wasReady)
      // Cached pages are served while the engine is away. Restarting the server would lose them.
      const away = needed.find(({ isReady }) => !isReady)
      const detail =
        missing?.detail ??
        (away === undefined ? 'Pages are served.' : `Cached pages are served. ${away.detail}`)
      return {
        ...json({ isHealthy: missing === undefined, detail, version }),
        ...(missing && { status: 503 }),
      }
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
      const parts = states.map(({ checkedAtMs, wasReady: _, ...part }) => ({
        ...part,
        checkedAt: checkedAtMs === undefined ? null : new Date(checkedAtMs).toISOString(),
      }))
      return { ...json({ isReady, parts, version }), ...(!isReady && { status: 503 }) }
    },
  }),
]

/** Every part ready: for servers of tests, and where nothing is checked. */
export const allReady = (): readonly PartState[] =>
  PARTS.map(name => ({ name, isReady: true, detail: '', wasReady: true, checkedAtMs: 0 }))
