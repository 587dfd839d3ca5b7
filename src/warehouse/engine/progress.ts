import type { Progress } from './control.ts'

const EVERY_MS = 100
const LATER = Symbol()

/**
 * The format `JSONEachRowWithProgress`: lines of rows as the engine writes them, with a line of progress wherever the
 * next rows keep us waiting. The engine repeats its line of column names with each block; readers expect it once.
 */
export async function* withProgress(
  blocks: AsyncGenerator<Buffer>,
  progressOf: () => Promise<Progress | undefined>,
): AsyncGenerator<Uint8Array> {
  let isFirst = true
  try {
    for (;;) {
      const next = blocks.next()
      for (;;) {
        const waited = await Promise.race([next, later()])
        if (waited !== LATER) break
        const progress = await progressOf()
        if (progress !== undefined) yield Buffer.from(`${JSON.stringify({ progress })}\n`)
      }
      const block = await next
      if (block.done) return
      yield isFirst ? block.value : block.value.subarray(block.value.indexOf(0x0a) + 1)
      isFirst = false
    }
  } finally {
    await blocks.return(undefined)
  }
}

const later = (): Promise<typeof LATER> =>
  new Promise(resolve => setTimeout(resolve, EVERY_MS, LATER).unref())
