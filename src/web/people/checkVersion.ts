/**
 * Looks whether the server has another version than these scripts are of (`takeVersion` decides what of it). What goes wrong is
 * logged, and the page goes on.
 */
export async function checkVersion(own: string): Promise<void> {
  try {
    const answer = await fetch('/meta.json', { cache: 'no-store' })
    const found: unknown = await answer.json()
    const version = typeof found === 'object' && found !== null ? Reflect.get(found, 'version') : undefined
    if (typeof version !== 'string') throw new Error('It names no version')
    if (version !== own) await (await import('./takeVersion.ts')).takeVersion(own, version)
  } catch (error) {
    console.warn('The version of the server could not be checked', error)
  }
}
