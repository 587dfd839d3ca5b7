import { cacheAfter, type Reloads } from './states/cacheBuster.ts'

/** Session storage keeps the reloads of a tab under this name; the early script reads and writes it too. */
export const RELOADS_KEY = 'reloads'

function readReloads(): Reloads {
  try {
    return JSON.parse(sessionStorage.getItem(RELOADS_KEY) ?? '{}') as Reloads
  } catch {
    return {}
  }
}

/** Where the server's version is newer than these scripts' own, clears caches and loads the page again, once for each version. */
export async function takeVersion(own: string, found: string): Promise<void> {
  const { name, reloads } = cacheAfter(readReloads(), { type: 'version', own, found })
  if (name !== 'reloading') return
  // Without a place to note it the page would load again and again.
  sessionStorage.setItem(RELOADS_KEY, JSON.stringify(reloads))
  for (const key of await (globalThis.caches?.keys() ?? [])) await caches.delete(key)
  window.location.reload()
}
