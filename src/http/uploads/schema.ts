import { z } from 'zod'
import { UPLOAD_FORMATS } from '#queries/index.ts'
import { isoTime } from '../schemas/common.ts'

/** Schemas of uploads: private tables made of files. */

const format = z
  .enum(UPLOAD_FORMATS)
  .describe(
    'how texts of a day or number are read: 31/12/2026 dayFirst, 12/31/2026 monthFirst, 1,234.5 commaThousands, 1.234,5 pointThousands',
  )
const columnName = z.string().min(1).max(120)
const type = z
  .string()
  .max(40)
  .describe('String, Bool, Int64, Int256, UInt256, Decimal(P, S), Float64, Date or DateTime')

export const draftRequest = z.strictObject({
  fileName: z.string().min(1).max(200).describe('name of the file; .tsv separates by tabs'),
  hasHeader: z.enum(['true', 'false']).default('true').describe('whether the first row names the columns'),
})
export const draftId = z.strictObject({ id: z.uuid() })
export const uploadDraft = z
  .strictObject({
    id: z.uuid(),
    fileName: z.string(),
    bytes: z.int(),
    rowCount: z.int(),
    columns: z.array(
      z.strictObject({
        name: z.string(),
        header: z.string().describe('as the file has it'),
        type,
        format,
        nulls: z.int().describe('empty cells'),
        doubt: z
          .strictObject({
            reason: z.string(),
            count: z.int(),
            rows: z
              .array(z.strictObject({ row: z.int(), value: z.string() }))
              .describe('the first of them; rows count from 1, the header included'),
          })
          .nullable()
          .describe('values that do not fit the type, or that may mean something else'),
      }),
    ),
    sample: z.array(z.array(z.string().nullable())).describe('the first rows'),
  })
  .meta({ id: 'UploadDraft', description: 'A file that was read but not kept. It is removed after an hour.' })

export const draftChange = z.strictObject({
  columns: z
    .array(z.strictObject({ name: columnName.exactOptional(), type, format: format.default('plain') }))
    .min(1)
    .max(1000)
    .describe('one for each column of the file, in its order'),
})

export const keepRequest = z.strictObject({
  draft: z.uuid(),
  name: z.string().min(1).max(100).describe('small letters, digits and underscores; in SQL uploads.name'),
  mode: z.enum(['create', 'replace', 'append']).default('create'),
  misfits: z
    .enum(['refuse', 'empty'])
    .default('refuse')
    .describe('values that do not fit the type of their column: refuse the upload, or leave them empty'),
})

export const uploadName = z.strictObject({ name: z.string().min(1).max(100) })
export const upload = z
  .strictObject({
    name: z.string(),
    fileName: z.string().describe('of the last file'),
    columns: z.array(z.strictObject({ name: z.string(), type: z.string() })),
    rowCount: z.int(),
    bytes: z.int().describe('size of its files'),
    createdAt: isoTime,
    changedAt: isoTime,
  })
  .meta({ id: 'Upload', description: 'A private table. Only its owner can query it, as uploads.name.' })

export const uploadList = z
  .strictObject({
    uploads: z.array(upload),
    limits: z.strictObject({
      fileBytes: z.int(),
      unpackedBytes: z.int(),
      rows: z.int(),
      columns: z.int(),
      cellCharacters: z.int(),
      tables: z.int().describe('uploads of one user'),
    }),
  })
  .meta({ id: 'Uploads' })
