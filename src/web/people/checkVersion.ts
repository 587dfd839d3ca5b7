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

/**
 * Looks whether the server has a newer version than these scripts are of; if so, clears caches and loads the page again, once
 * for each version. What goes wrong is logged, and the page goes on.
 */
export async function checkVersion(own: string): Promise<void> {
  try {
    const answer = await fetch('/meta.json', { cache: 'no-store' })
    const found: unknown = await answer.json()
    const version = typeof found === 'object' && found !== null ? Reflect.get(found, 'version') : undefined
    if (typeof version !== 'string') throw new Error('It names no version')
    const { name, reloads } = cacheAfter(readReloads(), { type: 'version', own, found: version })
    if (name !== 'reloading') return
    // Without a place to note it the page would load again and again.
    sessionStorage.setItem(RELOADS_KEY, JSON.stringify(reloads))
    for (const key of await (globalThis.caches?.keys() ?? [])) await caches.delete(key)
    window.location.reload()
  } catch (error) {
    console.warn('The version of the server could not be checked', error)
  }
}
