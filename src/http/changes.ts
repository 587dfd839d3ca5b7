import type { AvailabilityWatch } from '#kernel/availability.ts'
import { WIDER_SHARE, widerKey } from '#kernel/callerNetwork.ts'
import { ApiError, problemOf } from './apiError.ts'
import type { AnswerCache } from './cache/answerCache.ts'
import type { DataVersion } from './cache/dataVersion.ts'
import type { Part } from './cache/parts.ts'
import type { AvailabilityEvent } from './outage/schema.ts'

/** What an open page is told: parts of the data that changed, or that the data engine went away or is back. */
export type PageEvent =
  | { readonly name: 'change'; readonly data: { readonly parts: readonly Part[] } }
  | { readonly name: 'availability'; readonly data: AvailabilityEvent }

/** Tells pages that are open when what they show has changed. */
export type Changes = {
  /**
   * Ends with the signal: each time a part of the data changes that the page at this path rests on, whatever its query. A change
   * of the last seconds is told at once: the page may have been drawn before it. So is an outage of the data engine, and from its
   * first one on that there is none: the page may show one that is over. Throws `http.too_many_streams`.
   */
  of(page: string, asker: string, signal: AbortSignal): AsyncGenerator<PageEvent>
}

const MOST_STREAMS = 2_000
const MOST_OF_ASKER = 12
/** From the bytes of a page to its first question, at worst. */
const RECENT_MS = 10_000

/** What a caller counts by: its network, and the /48 around an IPv6 one. */
const keysOf = (asker: string): string[] => [asker, widerKey(asker)].filter(key => key !== undefined)

export type ChangesDeps = {
  readonly version: DataVersion
  readonly cache: Pick<AnswerCache, 'partsOf'>
  readonly availability?: AvailabilityWatch
  readonly now?: () => number
}

export function createChanges({ version, cache, availability, now = Date.now }: ChangesDeps): Changes {
  const streams = new Set<(changed: ReadonlySet<Part> | 'availability') => void>()
  let wasAway = false
  const ofAsker = new Map<string, number>()
  const changedAt = new Map<Part, number>()
  version.onChange(changed => {
    for (const part of changed) changedAt.set(part, now())
    for (const tell of streams) tell(changed)
  })
  availability?.onChange(() => {
    wasAway = true
    for (const tell of streams) tell('availability')
  })

  function availabilityEvent(): PageEvent {
    const isUp = availability?.current().isUp !== false
    const asOf = isUp ? null : new Date(version.checkedAt()).toISOString()
    return { name: 'availability', data: { isUp, asOf } }
  }

  function enter(asker: string): void {
    const open = ofAsker.get(asker) ?? 0
    const wide = widerKey(asker)
    const isAtLimit =
      open >= MOST_OF_ASKER || (wide !== undefined && (ofAsker.get(wide) ?? 0) >= MOST_OF_ASKER * WIDER_SHARE)
    if (streams.size >= MOST_STREAMS || isAtLimit) {
      throw new ApiError(
        problemOf(
          'http.too_many_streams',
          `${isAtLimit ? `Your address has ${open}` : 'This server has too many'} streams of changes open.`,
          { hint: 'Close one, or ask again later.' },
        ),
        { retryAfterSeconds: 30 },
      )
    }
    for (const key of keysOf(asker)) ofAsker.set(key, (ofAsker.get(key) ?? 0) + 1)
  }

  function leave(asker: string): void {
    for (const key of keysOf(asker)) {
      const left = (ofAsker.get(key) ?? 1) - 1
      if (left === 0) ofAsker.delete(key)
      else ofAsker.set(key, left)
    }
  }

  async function* listen(
    parts: ReadonlySet<Part>,
    asker: string,
    signal: AbortSignal,
  ): AsyncGenerator<PageEvent> {
    const due = new Set([...parts].filter(part => now() - (changedAt.get(part) ?? 0) < RECENT_MS))
    let isAvailabilityDue = wasAway || availability?.current().isUp === false
    let wake: () => void = () => {}
    const tell = (changed: ReadonlySet<Part> | 'availability') => {
      if (changed === 'availability') isAvailabilityDue = true
      else for (const part of changed) if (parts.has(part)) due.add(part)
      if (due.size > 0 || isAvailabilityDue) wake()
    }
    const stop = () => wake()
    streams.add(tell)
    signal.addEventListener('abort', stop, { once: true })
    try {
      while (!signal.aborted) {
        if (isAvailabilityDue) {
          isAvailabilityDue = false
          yield availabilityEvent()
          continue
        }
        if (due.size === 0) {
          const woken = Promise.withResolvers<void>()
          wake = woken.resolve
          await woken.promise
          continue
        }
        const parts = [...due]
        due.clear()
        yield { name: 'change', data: { parts } }
      }
    } finally {
      streams.delete(tell)
      signal.removeEventListener('abort', stop)
      leave(asker)
    }
  }

  return {
    of(page, asker, signal) {
      enter(asker)
      return listen(cache.partsOf(`page ${page}`) ?? new Set<Part>(['any']), asker, signal)
    },
  }
}
