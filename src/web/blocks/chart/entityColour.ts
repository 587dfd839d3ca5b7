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
])

/** Name of the colour token, without the dashes, in which a figure of one entity is drawn. */
export const entityColour = (entity: string): string =>
  COLOURED.has(entity) ? `series-${entity}` : 'series-2'
