import { readCatalog } from '#catalog/index.ts'
import { compositeOf } from '#metrics/signals/composite.ts'
import { correctedOf, evaluateSignal } from '#metrics/signals/evaluate.ts'
import { walkOf } from '#metrics/signals/testing.ts'
import { interleave, median } from './measure.ts'
import { type BenchContext, type Figure, rounded, type Suite } from './suite.ts'

const START = '2011-01-01'
/** Fifteen years. */
const DAYS = 5479
const LIMIT_MS = 2000

/** All signals of the catalogue over made series: states, records with every circular shift, grids, walks, composite. */
export const signals: Suite = {
  name: 'signals',
  about: 'all 21 signals of Alpha21 over 15 years of days, one thread',
  async run({ isQuick }: BenchContext): Promise<readonly Figure[]> {
    const catalog = await readCatalog('catalog')
    const closes = walkOf(DAYS, 1)
    const inputs = catalog.signals.map((signal, index) => ({
      signal,
      input: { start: START, figures: walkOf(DAYS, index + 2, signal.coverage < 0.9 ? 0.3 : 0.01), closes },
    }))
    let events = 0
    const all = (): number => {
      const before = performance.now()
      const evaluations = inputs.map(({ signal, input }) => evaluateSignal(signal, input))
      correctedOf(evaluations)
      compositeOf(evaluations, { start: START, closes }, DAYS - 1)
      const took = performance.now() - before
      events = evaluations.reduce((sum, { entries }) => sum + entries.length, 0)
      return took
    }
    const { all: runs } = await interleave({ all: async () => all() }, isQuick ? 3 : 7)
    const took = median(runs!)
    return [
      {
        figure: `${inputs.length} signals, ${DAYS.toLocaleString('en-US')} days, ${events.toLocaleString('en-US')} entries`,
        ours: `${rounded(took)} ms`,
        against: `the limit: ${LIMIT_MS.toLocaleString('en-US')} ms`,
        ratio: took / LIMIT_MS,
        target: '≤ 1×',
        isMet: took <= LIMIT_MS,
      },
    ]
  },
}
