/** Entities that have a colour of their own everywhere on the site. */
const COLOURED = new Set([
  'bitcoin',
  'stacks',
  'rootstock',
  'bob',
  'merlin',
  'bitlayer',
  'b2-network',
  'core',
  'babylon',
])

/** Colours of the others: those that no entity above has as its own. */
const FURTHER = ['series-2', 'series-3', 'series-5', 'series-10', 'series-4', 'series-9', 'series-7'] as const

/** Name of the colour token, without the dashes, in which a figure of one entity is drawn. */
export const entityColour = (entity: string): string =>
  COLOURED.has(entity) ? `series-${entity}` : FURTHER[0]

/**
 * Colours of entities that stand side by side: their own, or one that follows from their name, so that it stays when others
 * come and go; where two names would take the same, the later one takes the next that is free.
 */
export function entityColours(entities: readonly string[]): Map<string, string> {
  const colours = new Map<string, string>()
  const taken = new Set<string>()
  for (const entity of [...new Set(entities)].toSorted()) {
    const first = placeOf(entity)
    const further = FURTHER.map((_, step) => FURTHER[(first + step) % FURTHER.length] ?? FURTHER[0])
    const colour = COLOURED.has(entity)
      ? `series-${entity}`
      : (further.find(each => !taken.has(each)) ?? further[0] ?? FURTHER[0])
    colours.set(entity, colour)
    taken.add(colour)
  }
  return colours
}

const placeOf = (name: string): number => {
  let sum = 0
  for (let index = 0; index < name.length; index += 1) sum = (sum * 31 + name.charCodeAt(index)) % 1_000_003
  return sum % FURTHER.length
}
