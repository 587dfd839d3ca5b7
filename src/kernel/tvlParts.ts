/** Value that publishers count apart from what is locked: whoever wants it in adds it. */
export const TVL_PARTS = [
  'liquid staking',
  'borrowed',
  'staking',
  'pool2',
  'vesting',
  'double counted',
] as const
export type TvlPart = (typeof TVL_PARTS)[number]
