/** Names of what may fail to load: a script, a style sheet. */
export const CHUNK_FAILURES = ['ChunkLoadError', 'CSS_CHUNK_LOAD_FAILED'] as const
export type ChunkFailure = (typeof CHUNK_FAILURES)[number]
/** How long a script or a style may take, ms. */
export const CHUNK_TIMEOUT_MS = 120_000

/** Event of the window when the scripts of its page are asked for. */
export const SCRIPTS_BEGIN = 'scriptsbegin'
/** Event of the window on which the early script reloads the page once, or says that it did not help. */
export const CHUNK_FAILED = 'chunkfailed'

export const tellFailure = (failure: ChunkFailure): void => {
  window.dispatchEvent(new CustomEvent(CHUNK_FAILED, { detail: failure }))
}

/** What a part that is loaded on its own gives; one that takes too long has failed, and fails by the name of such failures. */
export function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    tellFailure('ChunkLoadError')
    late.reject(
      Object.assign(new Error('A part of the page did not come in time'), { name: 'ChunkLoadError' }),
    )
  }, CHUNK_TIMEOUT_MS)
  return Promise.race([load(), late.promise]).finally(() => clearTimeout(timer))
}
