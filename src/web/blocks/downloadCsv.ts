type Cell = string | number | boolean | null

/** A cell as RFC 4180 has it; a text that a spreadsheet would run as a formula is kept a text. */
function cellText(cell: Cell): string {
  const text = cell === null ? '' : String(cell)
  const safe = typeof cell === 'string' && /^[=+@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Hands the reader rows as a CSV file. */
export function downloadCsv(name: string, head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const text = [head, ...rows].map(row => row.map(cellText).join(',')).join('\r\n')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}
