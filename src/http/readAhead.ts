import type { DataVersion } from './cache/dataVersion.ts'
import type { ApiFor } from './createApi.ts'

/** After a change, more changes often follow: a commit is followed by its rollups. */
const QUIET_MS = 1_500

/** Those whose histories are kept, the one that most ranges take first. */
const GRAINS = ['day', 'week', 'month'] as const

/** Hundreds of histories that change with a recording or once a day, each asked for by the readers of one page: those wait for their first one. */
const RARELY_ASKED: ReadonlySet<string> = new Set(['treasury', 'index', 'pool', 'signal', 'ecosystem'])

/** New blocks alone change nothing in it for half a minute. */
const figuresOf = (version: DataVersion): string => version.byPart().get('figures') ?? ''

/**
 * Reads the history of every metric after each change of the data, one after the other, so that the first reader of an
 * address finds it read: a whole history costs what a month costs (`readRows`), and most of it is the engine's planning.
 * Whoever asks meanwhile is served beside it. Failures are left to those who ask.
 */
export function openReadAhead(
  apiFor: ApiFor,
  version: DataVersion,
  /** What is drawn before all else: the page that most begin with. */
  first: () => Promise<unknown> = async () => {},
): AsyncDisposable & {
  /** Returns once a reading of the data as they are has come to its end. */
  settled(): Promise<void>
} {
  const api = apiFor({ address: 'read ahead' })
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> = Promise.resolve()
  let next = Promise.withResolvers<void>()

  /** Whether it came to its end before the data changed again. */
  async function readAll(known: string): Promise<boolean> {
    const isOver = (): boolean => isClosed || figuresOf(version) !== known
    await first().catch(() => {})
    const day = new Date().toISOString().slice(0, 10)
    const entries = await api.metrics().catch(() => [])
    for (const grain of GRAINS) {
      for (const { id, entities, grains, entityKind } of entries) {
        if (RARELY_ASKED.has(entityKind)) continue
        for (const entity of grains.includes(grain) ? entities : []) {
          if (isOver()) return false
          await api.series({ id, entity, grain, from: day, to: day }).catch(() => {})
        }
      }
    }
    return !isOver()
  }

  function schedule(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      reading = reading
        .then(() => readAll(figuresOf(version)))
        .then(isWhole => {
          if (!isWhole) return
          next.resolve()
          next = Promise.withResolvers()
        })
    }, QUIET_MS)
    timer.unref()
  }

  version.onChange(changed => {
    if (changed.has('figures')) schedule()
  })
  schedule()
  return {
    settled: () => next.promise,
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      await reading
    },
  }
}
