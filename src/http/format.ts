import { ApiError, problemOf } from './apiError.ts'
import type { SqlFormat } from './contract.ts'

/** Media types of the forms an answer may take; the first of each is the one sent. */
export const MEDIA_TYPES: Readonly<Record<SqlFormat, readonly [string, ...string[]]>> = {
  json: ['application/json'],
  csv: ['text/csv'],
  arrow: ['application/vnd.apache.arrow.file', 'application/vnd.apache.arrow'],
  parquet: ['application/vnd.apache.parquet', 'application/parquet', 'application/x-parquet'],
}

/** The form asked for by name, else by the Accept header, else JSON. Throws `http.not_acceptable`. */
export function chooseFormat(named: SqlFormat | undefined, accept: string | undefined): SqlFormat {
  if (named !== undefined) return named
  const wishes = (accept ?? '*/*')
    .toLowerCase()
    .split(',')
    .map(part => {
      const [type = '', ...rest] = part.split(';').map(text => text.trim())
      const quality = rest.find(text => text.startsWith('q='))
      return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { type } of wishes) {
    for (const format of FORMATS) {
      if (MEDIA_TYPES[format].includes(type)) return format
    }
    if (type === '*/*' || type === 'application/*' || type === '') return 'json'
    if (type === 'text/*') return 'csv'
  }
  throw new ApiError(
    problemOf('http.not_acceptable', `No form of this answer fits "${accept}".`, {
      errors: [
        { parameter: 'Accept', message: `there are: ${FORMATS.map(f => MEDIA_TYPES[f][0]).join(', ')}` },
      ],
      hint: 'Name the form by `format`: json, csv, arrow or parquet.',
    }),
  )
}

/** Headers of an answer that a browser keeps as a file of this name. */
export const asFile = (name: string): Record<string, string> => ({
  'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"`,
})

const FORMATS: readonly SqlFormat[] = ['json', 'csv', 'arrow', 'parquet']
