import { type Catalog, GRADES, TRUST_CATEGORIES } from '#catalog/index.ts'
import type { EntityFigure } from './live.ts'
import type { SourceDeclaration } from './source.ts'

export const assessments: SourceDeclaration = {
  id: 'bitcoinlayers.assessments',
  name: 'Trust assessments (Bitcoin Layers, as kept in the catalog)',
  url: 'https://www.bitcoinlayers.org',
  licence: 'MIT',
  rank: 10,
  cadenceSeconds: null,
  about:
    'The grade of each of four questions of trust, 1 (Low) to 5 (Critical), on the day of the assessment; questions without a grade are left out. Each file in catalog/layers names the page and the commit that it was read from.',
}

/** Grades of the catalogue’s assessments as figures `risk.…`, value = place in `GRADES` from 1. */
export const assessmentFigures = ({ layers }: Catalog): EntityFigure[] =>
  layers.flatMap(({ slug, assessments }) =>
    assessments.flatMap(({ day, grades }) =>
      TRUST_CATEGORIES.flatMap(category => {
        const place = (GRADES as readonly unknown[]).indexOf(grades[category])
        return place < 0 ? [] : [{ metric: `risk.${category}`, entity: slug, day, value: place + 1 }]
      }),
    ),
  )
