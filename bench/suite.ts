/** One line of the table that `npm run bench` prints. */
export type Figure = {
  readonly figure: string
  /** Our value with its unit. */
  readonly ours: string
  /** The peer or limit by name, with its value in the same run; absent where the target is absolute. */
  readonly against?: string
  /** How the two compare, in the direction in which the target is stated. */
  readonly ratio?: number
  /** The target in words; absent for figures that are only stated. */
  readonly target?: string
  readonly isMet?: boolean
}

export type Suite = {
  readonly name: string
  /** What it measures, in one line. */
  readonly about: string
  /** A sentence where the suite cannot run here; undefined where it can. */
  readonly skipReason?: () => string | undefined
  run(context: BenchContext): Promise<readonly Figure[]>
}

export type BenchContext = {
  /** The shorter form: the same figures from less input. */
  readonly isQuick: boolean
  /** A folder of this suite alone, removed when it ends. */
  readonly folder: string
  /** Says what goes on, beside the table. */
  say(line: string): void
}

/** A ratio that should be at least `target`. */
export const atLeast = (ratio: number, target: number): Pick<Figure, 'ratio' | 'target' | 'isMet'> => ({
  ratio,
  target: `≥ ${target}×`,
  isMet: ratio >= target,
})

/** A ratio that should be at most `target`. */
export const atMost = (ratio: number, target: number): Pick<Figure, 'ratio' | 'target' | 'isMet'> => ({
  ratio,
  target: `≤ ${target}×`,
  isMet: ratio <= target,
})

/** An absolute figure that should be at most `limit`. */
export const within = (
  value: number,
  limit: number,
  unit: string,
): Pick<Figure, 'ours' | 'target' | 'isMet'> => ({
  ours: `${rounded(value)} ${unit}`,
  target: `≤ ${limit} ${unit}`,
  isMet: value <= limit,
})

/** Three significant digits, thousands in groups. */
export function rounded(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}
