import { type Catalog, GRADES } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, metric } from '../metric.ts'
import { published, REFERENCES, slugsWhere } from './published.ts'

const SOURCE = 'bitcoinlayers.assessments'

const QUESTIONS = [
  {
    id: 'risk.custody',
    name: 'Custody',
    of: 'who holds the bitcoin behind the layer’s tokens',
    why: 'Whether someone else can take the coins.',
    misleads:
      'The grade is for the layer’s main bridge. Other tokens on the layer can have other custodians.',
  },
  {
    id: 'risk.data',
    name: 'Data availability',
    of: 'whether anyone can get the data that prove what he owns',
    why: 'Users without the data cannot exit without help.',
    misleads: 'Data that is public today may not be stored by anyone.',
  },
  {
    id: 'risk.operators',
    name: 'Operators',
    of: 'who may order or refuse transactions',
    why: 'Whether a user can be censored.',
    misleads: 'Many operators with one company’s software on one cloud count as many.',
  },
  {
    id: 'risk.finality',
    name: 'Finality',
    of: 'what it takes to roll back the layer’s history',
    why: 'When a payment on the layer is as good as done.',
    misleads: 'Finality on the layer is not finality of a withdrawal. Read it with exit.time.',
  },
] as const

/** Grades of trust as published, and when they changed. */
export function riskMetrics({ layers }: Catalog): Metric[] {
  const graded = slugsWhere(layers, ({ assessments }) => assessments.length > 0)
  const shared = {
    entityKind: 'layer',
    entities: graded,
    sources: [SOURCE],
    cadence: 'recorded',
    since: { day: '2023-12-01' },
    references: [REFERENCES.bitcoinLayers],
  } as const
  return [
    ...QUESTIONS.flatMap(({ of, ...question }) =>
      published({
        ...shared,
        ...question,
        unit: 'grade',
        type: 'Float64',
        definition: `Published grade of ${of}, on the day of the assessment: 1 is little to trust, 5 critical.`,
        how: `Place of the published word in ${GRADES.join(', ')}. It is Bitcoin Layers’ grade with its date and link, without changes by us.`,
        direction: 'down',
        needs: 'No published grade. The layer is under review, or the question does not apply.',
      }),
    ),
    ...(graded.length === 0
      ? []
      : [
          metric({
            ...shared,
            id: 'risk.changed_at',
            name: 'Assessments that changed',
            unit: 'grades',
            definition:
              'Number of the four grades that an assessment published on the day gave for the first time or changed.',
            why: 'Whether the words on a page of trust are of this year.',
            how: 'Each day with an assessment is a point; a grade counts where it differs from the one before it.',
            misleads:
              'A new assessment without a change is a point at 0: it was looked at, and nothing moved.',
            sql: `WITH
  grades AS (
    SELECT
      o.metric AS question, o.day AS day, argMax(o.value, o.observed_at) AS grade, max(o.observed_at) AS seen
    FROM latest_observations AS o
    WHERE o.metric IN (${QUESTIONS.map(({ id }) => `'${id}'`).join(', ')}) AND o.entity = {entity:String}
    GROUP BY question, day
  ),
  steps AS (
    SELECT
      day, grade, seen,
      lagInFrame(grade, 1, toFloat64(0)) OVER (PARTITION BY question ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS before
    FROM grades
  )
SELECT
  day, '' AS key, toInt64(countIf(grade != before)) AS value, 'whole' AS state, '${SOURCE}' AS source,
  CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height, max(seen) AS as_of
FROM steps
WHERE day ${RANGE}
GROUP BY day
ORDER BY day`,
            aggregate: 'sum',
            calendar: 'reported',
            direction: 'neither',
            needs: 'No published assessment.',
          }),
        ]),
  ]
}
