import { FAILURES } from './failure.ts'

export type SlotOptions = { readonly running: number; readonly waiting: number }

/** A place to run; give it back exactly once. */
export type Slot = { release(): void }

/**
 * Lets a limited number run at once and a limited number wait. Those who wait take turns by `asker`, so one asker with
 * many statements does not hold up the others. Refuses with 202 TOO_MANY_SIMULTANEOUS_QUERIES when the queue is full.
 */
export class Slots {
  readonly #options: SlotOptions
  readonly #waiting = new Map<string, (() => void)[]>()
  #running = 0
  #waitingCount = 0

  constructor(options: SlotOptions) {
    this.#options = options
  }

  async take(asker: string, signal: AbortSignal): Promise<Slot> {
    if (this.#running >= this.#options.running) await this.#wait(asker, signal)
    else this.#running++
    let isHeld = true
    return {
      release: () => {
        if (!isHeld) return
        isHeld = false
        this.#next()
      },
    }
  }

  #wait(asker: string, signal: AbortSignal): Promise<void> {
    const { running, waiting } = this.#options
    if (this.#waitingCount >= waiting)
      throw FAILURES.busy(
        `Too many simultaneous queries: ${running} run and ${waiting} wait already. Try again in a moment.`,
      )
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#remove(asker, start)
        reject(FAILURES.cancelled())
      }
      if (signal.aborted) return reject(FAILURES.cancelled())
      signal.addEventListener('abort', leave, { once: true })
      const line = this.#waiting.get(asker) ?? []
      line.push(start)
      this.#waiting.set(asker, line)
      this.#waitingCount++
    })
  }

  /** The freed place goes to the asker who has waited longest for a turn; who has more to run goes to the end. */
  #next(): void {
    const [first] = this.#waiting
    if (first === undefined) {
      this.#running--
      return
    }
    const [asker, line] = first
    const start = line.shift()
    this.#waiting.delete(asker)
    if (line.length > 0) this.#waiting.set(asker, line)
    this.#waitingCount--
    start?.()
  }

  #remove(asker: string, start: () => void): void {
    const line = this.#waiting.get(asker)
    const at = line?.indexOf(start) ?? -1
    if (line === undefined || at < 0) return
    line.splice(at, 1)
    this.#waitingCount--
    if (line.length === 0) this.#waiting.delete(asker)
  }
}
