import type { Asker } from './api.ts'
import type { DataVersion } from './cache/dataVersion.ts'
import type { SeriesQuery } from './contract.ts'
import type { ApiFor } from './createApi.ts'

/** After a change, more changes often follow: a commit is followed by its rollups. */
const QUIET_MS = 1_500

/** Most histories that are read anew after a change: those that readers asked for last. */
const MOST_ASKED = 300

/** Hundreds of histories that change with a recording or once a day, each asked for by the readers of one page: those wait for their first one. */
const RARELY_ASKED: ReadonlySet<string> = new Set(['treasury', 'index', 'pool', 'signal', 'ecosystem'])

type History = Pick<SeriesQuery, 'id' | 'entity' | 'grain'>

/** New blocks alone change nothing in it for half a minute. */
const figuresOf = (version: DataVersion): string => version.byPart().get('figures') ?? ''

/** The same answers, and which histories were asked for, the newest first. */
export function noteHistories(apiFor: ApiFor): { apiFor: ApiFor; asked: () => readonly History[] } {
  const noted = new Map<string, History>()
  const note = ({ id, entity, grain }: History): void => {
    const history = { id, entity, ...(grain && { grain }) }
    const key = JSON.stringify(history)
    noted.delete(key)
    noted.set(key, history)
    const [oldest] = noted.keys()
    if (noted.size > MOST_ASKED && oldest !== undefined) noted.delete(oldest)
  }
  return {
    apiFor: (asker: Asker) => {
      const api = apiFor(asker)
      return {
        ...api,
        series: query => {
          note(query)
          return api.series(query)
        },
      }
    },
    asked: () => [...noted.values()].reverse(),
  }
}

/**
 * Reads histories before anybody waits for them: once the daily one of every metric and then what is named as last, and after
 * each change of the data those that were asked for last, one after the other. A whole history costs what a month costs (`readRows`), and most of it is the
 * engine's planning; all of them after each change would keep the engine busy for ever. Whoever asks meanwhile is served
 * beside it. Failures are left to those who ask.
 */
export function openReadAhead(
  apiFor: ApiFor,
  version: DataVersion,
  {
    asked = () => [],
    first = async () => {},
    last = [],
  }: {
    /** Histories that readers asked for, the newest first. */
    asked?: () => readonly History[]
    /** What is drawn before all else: the page that most begin with. */
    first?: () => Promise<unknown>
    /** What is read once, after all histories: answers that rest on recordings and stay for long, and cost much the first time. */
    last?: readonly (() => Promise<unknown>)[]
  } = {},
): AsyncDisposable & {
  /** Returns once a reading of the data as they are has come to its end. */
  settled(): Promise<void>
} {
  const api = apiFor({ address: 'read ahead' })
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> = Promise.resolve()
  let next = Promise.withResolvers<void>()
  /** What is left of the first reading: a change does not begin it again. */
  let rest: (() => Promise<unknown>)[] | undefined

  /** Whether it came to its end before the data changed again. */
  async function readAll(known: string): Promise<boolean> {
    const isOver = (): boolean => isClosed || figuresOf(version) !== known
    await first().catch(() => {})
    const day = new Date().toISOString().slice(0, 10)
    const read = (history: History) => api.series({ ...history, from: day, to: day }).catch(() => {})
    for (const history of asked()) {
      if (isOver()) return false
      await read(history)
    }
    rest ??= [...(await everyDaily()).map(history => () => read(history)), ...last]
    for (let task = rest[0]; task !== undefined; task = rest[0]) {
      if (isOver()) return false
      await task().catch(() => {})
      rest.shift()
    }
    return !isOver()
  }

  async function everyDaily(): Promise<History[]> {
    const metrics = await api.metrics().catch(() => [])
    return metrics
      .filter(({ entityKind, grains }) => grains.includes('day') && !RARELY_ASKED.has(entityKind))
      .flatMap(({ id, entities }) => entities.map(entity => ({ id, entity, grain: 'day' as const })))
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
