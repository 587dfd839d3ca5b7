import { SourceError } from './errors.ts'

/**
 * Rows of a CSV text without quotes, by column name. Throws `sources.shape` where a column that `columns` names is missing
 * or a row has another length than the head.
 */
export function parseCsv<const Name extends string>(
  text: string,
  columns: readonly Name[],
  file: string,
): Record<Name, string>[] {
  const [head = '', ...lines] = text.replaceAll('\r', '').trimEnd().split('\n')
  const names = head.split(',')
  const places = columns.map(name => {
    const place = names.indexOf(name)
    if (place < 0) {
      throw new SourceError('sources.shape', `${file} has no column ${name}`, {
        facts: { file, column: name },
      })
    }
    return place
  })
  return lines.map((line, i) => {
    const cells = line.split(',')
    if (cells.length !== names.length) {
      throw new SourceError(
        'sources.shape',
        `${file}, line ${i + 2}: ${cells.length} cells, not ${names.length}`,
        {
          facts: { file, line: i + 2 },
        },
      )
    }
    return Object.fromEntries(columns.map((name, n) => [name, cells[places[n]!]!])) as Record<Name, string>
  })
}

/** A decimal text, `1.1e-06` included, in units of 10^-digits, rounded half up; null for an empty one. Throws `sources.shape`. */
export function scaled(text: string, digits: number, where: string): bigint | null {
  if (text === '') return null
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)
  if (match === null) throw new SourceError('sources.shape', `${where}: ${text} is no decimal number`)
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  // One more digit than is kept decides the rounding.
  const shift = digits + 1 - fraction.length + Number(exponent)
  const tenths =
    shift >= 0
      ? BigInt(whole + fraction) * 10n ** BigInt(shift)
      : BigInt(whole + fraction) / 10n ** BigInt(-shift)
  const value = (tenths + 5n) / 10n
  return sign === '-' ? -value : value
}

/** A number; null for an empty cell. Throws `sources.shape`. */
export function decimal(text: string, where: string): number | null {
  if (text === '') return null
  const value = Number(text)
  if (!Number.isFinite(value)) throw new SourceError('sources.shape', `${where}: ${text} is no number`)
  return value
}
