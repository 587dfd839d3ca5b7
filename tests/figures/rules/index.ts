import type { Rule } from '../rule.ts'
import { changes, courses } from './changes.ts'
import { chartTexts } from './chartTexts.ts'
import { counts } from './counts.ts'
import { dated } from './dated.ts'
import { headlines } from './headlines.ts'
import { blockMarks, marks } from './marks.ts'
import { partialSums } from './partialSums.ts'
import { plurals } from './plurals.ts'
import { ratios } from './ratios.ts'
import { rowRatios } from './rowRatios.ts'
import { sameFigure } from './sameFigure.ts'
import { shares } from './shares.ts'
import { oneBridgedSum, sums } from './sums.ts'
import { timeAxis } from './timeAxis.ts'
import { windows } from './windows.ts'
import { zeros } from './zeros.ts'

/** Every rule that pages have to keep. A new one is a file here, a line below, and its cases in `rules.test.ts`. */
export const RULES: readonly Rule[] = [
  sameFigure,
  sums,
  oneBridgedSum,
  partialSums,
  plurals,
  shares,
  zeros,
  headlines,
  marks,
  blockMarks,
  timeAxis,
  changes,
  courses,
  ratios,
  rowRatios,
  counts,
  dated,
  windows,
  chartTexts,
]
