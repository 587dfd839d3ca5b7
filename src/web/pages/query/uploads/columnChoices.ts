import type { UploadDraft } from '#http/contract.ts'
import { counted } from '../../../format/counted.ts'

type Choice = Pick<UploadDraft['columns'][number], 'type' | 'format'>

const CHOICES: readonly (Choice & { readonly label: string })[] = [
  { label: 'Text', type: 'String', format: 'plain' },
  { label: 'Integer', type: 'Int64', format: 'plain' },
  { label: 'Integer, 1,234', type: 'Int64', format: 'commaThousands' },
  { label: 'Integer, 1.234', type: 'Int64', format: 'pointThousands' },
  { label: 'Large integer', type: 'Int256', format: 'plain' },
  { label: 'Large integer, not negative', type: 'UInt256', format: 'plain' },
  { label: 'Decimal', type: 'Decimal(38, 8)', format: 'plain' },
  { label: 'Decimal, 1,234.5', type: 'Decimal(38, 8)', format: 'commaThousands' },
  { label: 'Decimal, 1.234,5', type: 'Decimal(38, 8)', format: 'pointThousands' },
  { label: 'Decimal, 18 places', type: 'Decimal(76, 18)', format: 'plain' },
  { label: 'Floating point', type: 'Float64', format: 'plain' },
  { label: 'Date, 2026-12-31', type: 'Date', format: 'plain' },
  { label: 'Date, 31/12/2026', type: 'Date', format: 'dayFirst' },
  { label: 'Date, 12/31/2026', type: 'Date', format: 'monthFirst' },
  { label: 'Date and time', type: 'DateTime', format: 'plain' },
  { label: 'True or false', type: 'Bool', format: 'plain' },
]

export const keyOf = ({ type, format }: Choice): string => `${type}|${format}`

/** Types that a reader can choose, with the one that the column has. */
export function choicesFor(column: Choice): readonly (Choice & { readonly label: string })[] {
  const isListed = CHOICES.some(choice => keyOf(choice) === keyOf(column))
  if (isListed) return CHOICES
  const scale = /^Decimal\(\d+, ?(\d+)\)$/.exec(column.type)?.[1]
  const places = scale === undefined ? column.type : `Decimal, ${counted(Number(scale), 'place')}`
  return [{ ...column, label: `${places}${EXAMPLE[column.format]}` }, ...CHOICES]
}

const EXAMPLE: Readonly<Record<Choice['format'], string>> = {
  plain: '',
  dayFirst: '',
  monthFirst: '',
  commaThousands: ', 1,234.5',
  pointThousands: ', 1.234,5',
}

/** The name of an upload that a file suggests: small letters, digits and underscores. */
export function nameOf(fileName: string): string {
  const words = fileName
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_\d]+|_+$/g, '')
    .slice(0, 60)
  return words === '' ? 'my_table' : words
}
