import { Change } from '#web/blocks/Change.tsx'
import { CountStrip } from '#web/blocks/CountStrip.tsx'
import { KpiStrip } from '#web/blocks/Kpi.tsx'
import { Sparkline } from '#web/blocks/Sparkline.tsx'
import { TrustGlyph } from '#web/blocks/TrustGlyph.tsx'
import { figureText } from '#web/format/figure.ts'
import type { BookPage } from '../bookPage.ts'
import { HUGE, kpiOf, LONG_NAME, OVERDUE, STALE, waveOf } from '../made.ts'

export const FIGURE_PAGES: readonly BookPage[] = [
  {
    name: 'kpi',
    title: 'Key figures',
    component: 'src/web/blocks/Kpi.tsx',
    states: [
      {
        name: 'as usual: up, down, unchanged, of a part of a day, with gaps',
        draw: () => (
          <KpiStrip
            figures={[
              kpiOf({ label: 'Fees, day' }),
              kpiOf({ label: 'Exit cost', change: 0.21 }),
              kpiOf({
                label: 'Transactions',
                unit: 'tx',
                value: 412_345,
                change: -0.12,
              }),
              kpiOf({ label: 'Unchanged', change: 0, unit: 'USD', value: 96_512.4 }),
              kpiOf({ label: 'Today', state: 'partial', change: null }),
              kpiOf({
                label: 'With gaps',
                state: 'incomplete',
                spark: waveOf(30).map((v, i) => (i % 7 === 3 ? null : v)),
              }),
            ]}
          />
        ),
      },
      {
        name: 'stale, overdue, and figures that are not known',
        draw: () => (
          <KpiStrip
            figures={[
              kpiOf({ label: 'Stale', asOf: STALE, day: '2026-01-29' }),
              kpiOf({ label: 'Overdue', asOf: OVERDUE, day: '2025-11-02', change: -0.87 }),
              kpiOf({
                label: 'Not known',
                value: null,
                absent: 'No source was reached: each of them is asked again in an hour',
              }),
              kpiOf({
                label: 'Not known, and a long reason',
                value: null,
                absent:
                  'The blocks before 2017 are not held on this server, so that what was spent then cannot be told apart from what was lost',
              }),
            ]}
          />
        ),
      },
      {
        name: 'days with gaps alone, beside one that is whole; none that is known',
        draw: () => (
          <>
            <KpiStrip
              figures={[
                kpiOf({ label: 'Whole' }),
                kpiOf({
                  label: 'Gaps alone',
                  value: null,
                  absent:
                    'Every day with a figure has gaps: 12 from 2026-01-02 to 2026-01-31. Its assay view shows them.',
                }),
              ]}
            />
            <KpiStrip
              figures={['Volume, day', 'Traders, day', 'Fees, day'].map(label =>
                kpiOf({
                  label,
                  value: null,
                  absent:
                    'Every day with a figure has gaps: 12 from 2026-01-02 to 2026-01-31. Its assay view shows them.',
                }),
              )}
            />
          </>
        ),
      },
      {
        name: 'sizes: 1.2 × 10^24, 5 × 10^-9, zero, below zero, a change of many times',
        draw: () => (
          <KpiStrip
            figures={[
              kpiOf({
                label: 'Huge, dollars',
                unit: 'USD',
                value: HUGE,
                change: 123_456,
                changeRange: 'max',
              }),
              kpiOf({ label: 'Huge, satoshis', value: HUGE }),
              kpiOf({ label: 'Huge, counted', unit: 'tx', value: HUGE, change: -0.99999 }),
              kpiOf({ label: 'Tiny', unit: 'USD', value: 5e-9, change: 1e-9 }),
              kpiOf({ label: 'Zero', value: 0, spark: Array(30).fill(0), change: 0 }),
              kpiOf({
                label: 'Below zero',
                unit: 'USD',
                value: -48_211.37,
                spark: waveOf(30, { top: 1, least: -4 }),
              }),
            ]}
          />
        ),
      },
      {
        name: 'long names, one figure alone',
        draw: () => (
          <>
            <KpiStrip
              figures={[
                kpiOf({ label: LONG_NAME, unit: 'wei.RBTC', value: 1.5e22 }),
                kpiOf({ label: `${LONG_NAME}, day` }),
              ]}
            />
            <KpiStrip figures={[kpiOf({ label: 'Alone' })]} />
          </>
        ),
      },
    ],
  },
  {
    name: 'small-figures',
    title: 'Counts, changes, shapes and grades',
    component: 'src/web/blocks/CountStrip.tsx',
    states: [
      {
        name: 'counts that lead to what was counted',
        draw: () => (
          <CountStrip
            label="Made counts"
            counts={[
              { label: 'Layers', text: '63', about: 'of which 41 are alive', to: '?a' },
              {
                label: 'Bitcoins held',
                text: '1,204,331 BTC',
                full: '1,204,331.12345678 BTC',
                about: 'on 31 Jan 2026',
                to: '?b',
              },
              { label: LONG_NAME, text: '0', about: 'none is known', to: '?c' },
              { label: 'Huge', text: figureText(HUGE, 'BTC').text, about: LONG_NAME, to: '?d' },
            ]}
          />
        ),
      },
      {
        name: 'changes',
        draw: () => (
          <ul className="samples">
            {([0.5, -0.5, 0, 1e-7, -1, 123_456] as const).map(change => (
              <li key={change}>
                <Change change={change} range="30d" />
                <Change change={change} range="max" />
                <Change change={change} />
              </li>
            ))}
          </ul>
        ),
      },
      {
        name: 'shapes: as usual, with gaps, flat, huge, one value, none',
        draw: () => (
          <ul className="samples">
            {[
              waveOf(30),
              waveOf(30).map((value, index) => (index > 10 && index < 18 ? null : value)),
              Array<number>(30).fill(4),
              waveOf(30, { top: HUGE, least: -HUGE }),
              [3],
              [],
            ].map(values => (
              <li key={JSON.stringify(values).slice(0, 40)}>
                <Sparkline values={values} />
              </li>
            ))}
          </ul>
        ),
      },
      {
        name: 'how much a holder must trust: graded, not graded, all the worst',
        draw: () => (
          <ul className="samples">
            {[
              [1, 2, 3, 4],
              [5, 5, 5, 5],
              [null, 1, null, 5],
              [null, null, null, null],
            ].map(grades => (
              <li key={grades.join()}>
                <TrustGlyph
                  marks={grades.map((grade, index) => ({
                    label: ['Custody', 'Finality', 'Censorship', 'Upgrades'][index] ?? '',
                    grade,
                    word:
                      grade === null
                        ? null
                        : (['Low', 'Medium', 'High', 'Very High', 'Critical'][grade - 1] ?? null),
                  }))}
                />
              </li>
            ))}
          </ul>
        ),
      },
    ],
  },
]
