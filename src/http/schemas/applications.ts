import { z } from 'zod'
import { CELL_FORMS } from '#explorer/index.ts'
import { asOf, day } from './common.ts'
import { origin } from './directory.ts'

/** Every application has one name, that of its file in the catalogue. */
export const applicationSlug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .describe('name of an application, as its page has it')

export const application = z
  .strictObject({
    slug: applicationSlug,
    name: z.string(),
    category: z.string(),
    sentence: z.string().nullable().describe('what it is, in our words'),
    layers: z.array(z.string()),
    token: z
      .strictObject({ id: z.string(), symbol: z.string(), name: z.string() })
      .nullable()
      .describe('its own token'),
    links: z.record(z.string(), z.string()),
    contracts: z.array(z.strictObject({ layer: z.string(), address: z.string(), role: z.string() })),
    audits: z
      .array(
        z.strictObject({
          when: z.string().describe('month or day'),
          by: z.string().nullable(),
          what: z.string(),
          url: z.string().nullable(),
        }),
      )
      .describe('newest first'),
    incidents: z
      .array(z.strictObject({ day, what: z.string(), lossUsd: z.number().nullable(), url: z.string() }))
      .describe('newest first'),
    events: z.array(z.strictObject({ day, label: z.string(), note: z.string() })).describe('oldest first'),
    notCovered: z.array(z.string()).describe('figures that are not available, with the reason'),
    origin,
  })
  .meta({ id: 'Application', description: 'Catalog entry of one application.' })

export const applicationTable = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    sub: z.string().describe('meaning and time of a row'),
    empty: z.string().describe('why there may be no row'),
    columns: z.array(
      z.strictObject({
        key: z.string().describe('name of the column in the rows'),
        label: z.string(),
        form: z
          .enum(CELL_FORMS)
          .describe(
            'how a cell reads; `amount`: base units, with `<key>_decimals` and `<key>_symbol` beside it',
          ),
        unit: z.string().exactOptional(),
        title: z.string().exactOptional(),
        isOptional: z.boolean().exactOptional(),
      }),
    ),
    rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
    sql: z.string().describe('the statement as it ran'),
    asOf,
  })
  .meta({
    id: 'ApplicationTable',
    description: 'One table of an application, with the statement that it came from.',
  })
