import type { Cell } from '#kernel/sqlCells.ts'

/** Rows as CSV with a header line (RFC 4180): CRLF line ends, null as an empty field. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [header, ...rows].map(row => row.map(csvField).join(','))
  return `${lines.join('\r\n')}\r\n`
}

/** A text that a spreadsheet would run as a formula is kept from that by a leading apostrophe. */
function csvField(value: Cell): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = /^[=+@\t\r]|^-(?!\d+(?:\.\d+)?$)/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
