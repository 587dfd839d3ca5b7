/**
 * In the browser's scripts in the place of React Router's discovery of routes (`vite.config.ts`): every page brings the whole map of
 * addresses, so nothing is asked for in parts.
 */
export const isFogOfWarEnabled = (): boolean => false
export const useFogOFWarDiscovery = (): void => {}
export const getPatchRoutesOnNavigationFunction = (): undefined => undefined

/** Part of a map of addresses; never asked for where the map is whole. */
export function getPartialManifest(): never {
  throw new Error('The map of addresses is whole')
}
