/**
 * Carries out requests side by side, at most `depth` at a time, and yields what they bring in the order they were made.
 * A consumer that stops early leaves at most `depth` requests to end on their own.
 */
export async function* readAhead<T>(
  requests: AsyncIterable<() => Promise<T[]>>,
  depth: number,
): AsyncGenerator<T> {
  const running: Promise<T[]>[] = []
  const source = requests[Symbol.asyncIterator]()
  let isDone = false
  try {
    while (true) {
      while (!isDone && running.length < depth) {
        const next = await source.next()
        if (next.done) isDone = true
        else {
          const request = next.value()
          // Reported when its turn comes; until then a failure must not count as unhandled.
          request.catch(() => {})
          running.push(request)
        }
      }
      const first = running.shift()
      if (first === undefined) return
      yield* await first
    }
  } finally {
    await source.return?.()
  }
}
