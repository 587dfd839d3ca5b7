/**
 * The `source` of a figure names every source whose values are in it: one id, or several by `SOURCES_BY` where it is a sum
 * or a ratio over parts of several publishers.
 */
export const SOURCES_BY = ', '

/** The source ids that a figure names. */
export const sourcesNamed = (source: string): string[] => source.split(SOURCES_BY)

/** Several names as one: each source once, in alphabetical order. */
export const joinSources = (...names: readonly string[]): string =>
  [...new Set(names.flatMap(sourcesNamed))].sort().join(SOURCES_BY)

/** Whether a figure is counted from blocks alone. */
export const isOnChain = (source: string): boolean =>
  sourcesNamed(source).every(name => name.endsWith('.chain'))

/** The publishers that a figure names: `coingecko` of `coingecko.markets.recorded`. */
export const publishersNamed = (source: string): string =>
  [...new Set(sourcesNamed(source).map(name => name.split('.')[0] ?? name))].sort().join(SOURCES_BY)
