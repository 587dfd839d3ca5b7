type Values = Readonly<Record<string, unknown>>

/**
 * A `Link` to the provenance file of an export (https://www.rfc-editor.org/rfc/rfc8288): the address of the file with the query of the
 * export, without its format.
 */
export function provenanceLink(path: string, { format: _, ...query }: Values = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const values = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return `<${path}${given.length > 0 ? `?${values}` : ''}>; rel="describedby"; type="application/json"; title="Provenance"`
}
