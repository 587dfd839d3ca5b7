/** The origin and the API of the site, without a closing slash. */
export type SiteAddress = { readonly publicUrl: string; readonly apiUrl: string }

/** Longest link that carries SQL. */
const LINK_CHARACTERS = 6000

/** The assay view of a figure: definition, SQL, sources and blocks behind it. A day fixes which figure is meant. */
export function assayAddress(
  { publicUrl }: SiteAddress,
  { id, entity, day }: { id: string; entity: string; day?: string | undefined },
): string {
  const query = new URLSearchParams({
    assay: `${id}@${entity}`,
    ...(day !== undefined && { 'assay.day': day }),
  })
  return `${publicUrl}/documentation/metrics/${encodeURIComponent(id)}?${query}`
}

/** The editor with this query; null for one that is too long for a link. */
export function queryAddress(
  { publicUrl }: SiteAddress,
  sql: string,
  parameters: Readonly<Record<string, string>>,
): string | null {
  const values = Object.entries(parameters).map(([name, value]) => [`p.${name}`, value])
  const link = `${publicUrl}/Query?${new URLSearchParams([['sql', sql], ...values] as [string, string][])}`
  return link.length > LINK_CHARACTERS ? null : link
}

/** The page of a stored result: its rows, query and age. */
export const resultAddress = ({ publicUrl }: SiteAddress, hash: string): string =>
  `${publicUrl}/Query?result=${hash}`

/** The provenance file of a stored result. */
export const resultProvenance = ({ apiUrl }: SiteAddress, hash: string): string =>
  `${apiUrl}/v1/queries/results/${hash}/provenance`

/** The provenance file of a figure or series: what it rests on, for `assay check`. */
export function metricProvenance(
  { apiUrl }: SiteAddress,
  id: string,
  query: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${apiUrl}/v1/metrics/${encodeURIComponent(id)}/provenance?${new URLSearchParams(given)}`
}

/** A path of the site as an absolute address. */
export const pageAddress = ({ publicUrl }: SiteAddress, path: string): string =>
  new URL(path, `${publicUrl}/`).href
