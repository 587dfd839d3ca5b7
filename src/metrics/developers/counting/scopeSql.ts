import type { Scope } from '../scope.ts'

const list = (items: readonly (string | number)[]): string => `[${items.join(', ')}]`

/** Place of the repository of a commit `c`. */
export const placesSql = ({ parts }: Scope): string =>
  `transform(c.part, ${list(parts.map(({ part }) => `toUInt64(${part})`))}, ${list(parts.map(({ place }) => place))}, 0)`

export const partsSql = ({ parts }: Scope): string => parts.map(({ part }) => part).join(', ')

/** Ecosystems whose counts include a repository, by its place, all together among them. */
export const ecosystemsOf = ({ repositories }: Scope): number[][] => [
  [],
  ...repositories.map(({ ecosystems, isInAll }) => [...(isInAll ? [0] : []), ...ecosystems]),
]

/** The newest day that is counted in any ecosystem, days since 1970. */
export const newestDay = ({ ecosystems }: Scope): number => Math.max(...ecosystems.map(({ end }) => end))
