/** Units that the label of a figure already says. */
export const COUNTED = new Set([
  'tx',
  'addresses',
  'outputs',
  'blocks',
  'inscriptions',
  'channels',
  'nodes',
  'pools',
  'contracts',
  'tenures',
  '/PH/s/day',
])
