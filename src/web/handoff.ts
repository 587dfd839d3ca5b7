/** Id of the element in which the server hands over what the loaders of a page gave (`handoff.server.ts`). */
export const HANDOFF = 'loaded'

/** In the browser: hands React Router what was carried, in place of what it unpacks itself. To be called before it hydrates. */
export function takeHandoff(document: Document): void {
  const json = document.getElementById(HANDOFF)?.textContent
  const context: unknown = Reflect.get(globalThis, '__reactRouterContext')
  if (json === undefined || json === null || typeof context !== 'object' || context === null) return
  const state: unknown = JSON.parse(json)
  Object.defineProperty(context, 'state', { get: () => state, set: () => {} })
}
