/**
 * Reads a source ahead of whoever asks for its items, by at most `depth` of them, so that what an item takes to come is
 * spent while the one before is used. A failure comes in the place of the item that could not be had; whoever stops early
 * ends the source.
 */
export async function* runAhead<T>(source: AsyncIterable<T>, depth: number): AsyncGenerator<T> {
  const items: T[] = []
  let isWanted = true
  let end: { readonly error?: unknown } | undefined
  let wake = (): void => {}
  const change = (): Promise<void> =>
    new Promise(resolve => {
      wake = resolve
    })
  // One of both waits at a time: the reader for an item, or the source for room.
  const reading = (async () => {
    try {
      for await (const item of source) {
        items.push(item)
        wake()
        while (isWanted && items.length >= depth) await change()
        if (!isWanted) return
      }
      end = {}
    } catch (error) {
      end = { error }
    }
    wake()
  })()
  try {
    while (true) {
      while (items.length === 0 && end === undefined) await change()
      if (items.length > 0) {
        const item = items.shift()!
        wake()
        yield item
      } else if (end && 'error' in end) throw end.error
      else return
    }
  } finally {
    isWanted = false
    wake()
    await reading
  }
}
