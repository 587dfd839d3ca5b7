const DASHES = ['none', '7 4', '2 3', '10 3 2 3', '4 2', '12 4', '1 4', '8 2 2 2 2 2'] as const

/** Dash pattern of the n-th line, so that lines differ without colour. */
export const dashOf = (index: number): string => DASHES[index % DASHES.length] ?? 'none'
