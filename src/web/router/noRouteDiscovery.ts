/**
 * In the browser's scripts in the place of React Router's discovery of routes (`vite.config.ts`): every page loads all routes at
 * once, so none is fetched later.
 */
export const isFogOfWarEnabled = (): boolean => false
export const useFogOFWarDiscovery = (): void => {}
export const getPatchRoutesOnNavigationFunction = (): undefined => undefined

/** Never called: only pages that load routes in parts ask for it. */
export function getPartialManifest(): never {
  throw new Error('All routes are loaded at once')
}
