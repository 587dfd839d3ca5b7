/** What the server needs: the warehouse engine, the store (PostgreSQL), and the data that it loads at its start. */
export const PARTS = ['engine', 'store', 'data'] as const
export type PartName = (typeof PARTS)[number]

export type PartState = {
  readonly name: PartName
  readonly isReady: boolean
  /** Why it is not ready; empty if it is. */
  readonly detail: string
  /** Whether it has been ready since the start. */
  readonly wasReady: boolean
  /** Unix time in milliseconds; undefined before the first check has ended. */
  readonly checkedAtMs: number | undefined
}

/** Undefined if the part is ready, else the reason. A rejection is a reason too. */
export type Check = () => Promise<string | undefined> | string | undefined

export type HealthWatch = Disposable & {
  /** The state of every part as of its last check, from memory. */
  current(): readonly PartState[]
}

/** How often each part is checked, ms. Opening a store that is down costs more than a question to the engine. */
const EVERY_MS: Readonly<Record<PartName, number>> = { engine: 2_000, store: 10_000, data: 1_000 }
/** A part that has not answered for so long is not ready, ms. */
const TIMEOUT_MS = 5_000

/** Checks every part in the background, so that questions about health never wait for one. */
export function openHealthWatch(
  checks: Readonly<Record<PartName, Check>>,
  { everyMs = EVERY_MS, timeoutMs = TIMEOUT_MS, now = Date.now } = {},
): HealthWatch {
  const states = new Map<PartName, PartState>()
  const timers = new Map<PartName, NodeJS.Timeout>()
  let isClosed = false

  const note = (name: PartName, reason: string | undefined): void => {
    const isReady = reason === undefined
    const wasReady = isReady || states.get(name)?.wasReady === true
    states.set(name, { name, isReady, detail: reason ?? '', wasReady, checkedAtMs: now() })
  }

  async function look(name: PartName): Promise<void> {
    // The check goes on: one at a time, however slow the part is.
    const late = setTimeout(() => note(name, `No answer for ${timeoutMs / 1000} s.`), timeoutMs)
    late.unref()
    try {
      note(name, await checks[name]())
    } catch (cause) {
      note(name, cause instanceof Error ? cause.message : String(cause))
    } finally {
      clearTimeout(late)
      if (!isClosed) timers.set(name, setTimeout(() => void look(name), everyMs[name]).unref())
    }
  }

  for (const name of PARTS) void look(name)
  return {
    current: () =>
      PARTS.map(
        name =>
          states.get(name) ?? {
            name,
            isReady: false,
            detail: 'Not checked yet.',
            wasReady: false,
            checkedAtMs: undefined,
          },
      ),
    [Symbol.dispose]() {
      isClosed = true
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
