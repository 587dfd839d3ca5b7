/** Names of what did not load: a script, a style sheet. */
export const CHUNK_ERROR = 'ChunkLoadError'
export const CSS_CHUNK_ERROR = 'CSS_CHUNK_LOAD_FAILED'
/** How long a script or a style may take, ms. */
export const CHUNK_TIMEOUT_MS = 120_000

/** Event of the window when the scripts of its page are asked for. */
export const SCRIPTS_BEGIN = 'scriptsbegin'
/** Event of the window on which the early script loads the page again once (the event is then prevented), or says that it did not help. */
export const CHUNK_FAILED = 'chunkfailed'

/**
 * What a part gives that is loaded on its own; one that fails or takes too long fails by the name of such failures. Where the page is
 * loaded again for it, nothing comes any more. Each `import()` of the pages goes through here (`vite.config.ts`): nobody calls it.
 */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(late.reject, CHUNK_TIMEOUT_MS)
  try {
    return await Promise.race([load(), late.promise])
  } catch (cause) {
    if (!window.dispatchEvent(new Event(CHUNK_FAILED, { cancelable: true }))) return new Promise(() => {})
    throw Object.assign(new Error('A part of the page did not come', { cause }), { name: CHUNK_ERROR })
  } finally {
    clearTimeout(timer)
  }
}

/** Stands in for Vite’s own helper around `import()`: `files` are the scripts that the part needs, so that all come at once. */
export function loadPart<Part>(load: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  for (const file of files) {
    const href = `/${file}`
    if (document.querySelector(`[href="${href}"]`) === null)
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  }
  return loadChunk(load)
}

type Route = { readonly id: string; readonly module: string }

/** Stands in for React Router’s own loading of a page’s module, which loads the page again as often as one fails. */
export async function loadRouteModule(route: Route, loaded: Record<string, unknown>): Promise<unknown> {
  loaded[route.id] ??= await loadChunk(() => import(/* @vite-ignore */ route.module))
  return loaded[route.id]
}
