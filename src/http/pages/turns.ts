/** Lets so many run at once, and so many wait; `undefined` is for whoever finds no place. */
export type Turns = <T>(run: () => Promise<T>) => Promise<T> | undefined

export function createTurns(most: number, mostWaiting: number): Turns {
  let running = 0
  const waiting: (() => void)[] = []
  const take = async (): Promise<void> => {
    if (running < most) {
      running += 1
      return
    }
    // Whoever ends hands its place on.
    await new Promise<void>(resolve => waiting.push(resolve))
  }
  const release = () => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return run => {
    if (running >= most && waiting.length >= mostWaiting) return undefined
    return take().then(async () => {
      try {
        return await run()
      } finally {
        release()
      }
    })
  }
}
