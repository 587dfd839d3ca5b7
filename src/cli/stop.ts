import process from 'node:process'

/** Aborted at the first SIGINT or SIGTERM; the second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(1)
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return controller.signal
}

/** Settles once the signal is aborted. */
export const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
