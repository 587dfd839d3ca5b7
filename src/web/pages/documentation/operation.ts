import type { ApiOperation } from '#http/context.ts'

/** Values that the bundled data answer, by the path and the name of the parameter; a name alone holds on all paths. */
const EXAMPLES: Readonly<Record<string, string>> = {
  '/api/v1/metrics/{id}': 'fees.total',
  '/api/v1/metrics/{id}/entry': 'fees.total',
  '/api/v1/metrics/{id}/watches': 'fees.total',
  '/api/v1/signals/{id}': 'price-200d',
  '/api/v1/signals/{id}/record': 'price-200d',
  '/api/v1/treasuries/{id}': 'strategy',
  '/api/v1/treasuries/{id}/tables/{table}': 'evidence',
  '/api/v1/treasuries/tables/{table}': 'holders',
  '/api/v1/indices/{id}/tables/{table}': 'constituents',
  '/api/v1/stacks/tables/{table}': 'clarity-words',
  '/api/v1/developers/tables/{table}': 'repositories',
  '/api/v1/opportunities/tables/{table}': 'opportunities',
  '/api/v1/applications/{slug}/tables/{table}': 'pools',
  '/api/v1/bitcoin/blocks/{block}': '170',
  '/api/v1/bitcoin/blocks/{block}/txs': '170',
  '/api/v1/stacks/blocks/{block}': '51451',
  '/api/v1/stacks/blocks/{block}/txs': '51451',
  '/api/v1/stacks/txs/{txid}': '337a91dedda069ca5f4fc78a1761d27bd0159e6209ada1be920cd67bc79a2406',
  '/api/v1/bitcoin/txs/{txid}': 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  '/api/v1/stacks/addresses/{address}': 'SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC',
  '/api/v1/stacks/yields/{address}': 'SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC',
  '/api/v1/addresses/{address}/balances': 'SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC',
  '/api/v1/stacks/contracts/{contract}': 'SP000000000000000000002Q6VF78.pox',
  '/api/v1/layers/{slug}': 'rootstock',
  '/api/v1/pages/{name}': 'About',
  '/api/v1/documentation/{name}': 'sql',
  '/api/v1/reports/{key}': 'what-layers-pay-bitcoin',
  entity: 'bitcoin',
  layer: 'rootstock',
  slug: 'alex',
  q: 'mstr',
}

/** An example of what a required parameter may be; undefined where the bundled data have none. */
export function exampleOf(path: string, name: string): string | undefined {
  const own = path.endsWith(`{${name}}`) || path.split('/').slice(0, -1).join('/').endsWith(`{${name}}`)
  return (own ? EXAMPLES[path] : undefined) ?? EXAMPLES[name]
}

/** Names of an operation’s values in an address: apart from what else a page may be told. */
export const fieldOf = (name: string): string => `p.${name}`

/** What the form holds: of the address, else an example of what has to be given. */
export const valuesOf = (
  { path, parameters }: ApiOperation,
  query: URLSearchParams,
): Record<string, string> =>
  Object.fromEntries(
    parameters.map(({ name, isRequired }) => [
      name,
      query.get(fieldOf(name)) ?? (isRequired ? (exampleOf(path, name) ?? '') : ''),
    ]),
  )

/** The address that asks an operation with these values; what is left empty is left out. */
export function addressOf(
  { path, parameters }: ApiOperation,
  values: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams()
  let address = path
  for (const { name, place } of parameters) {
    const value = values[name] ?? ''
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value))
    else if (value !== '') query.set(name, value)
  }
  return query.size === 0 ? address : `${address}?${query}`
}

/** What a request with a body begins with, by path. */
const BODIES: Readonly<Record<string, unknown>> = {
  '/api/v1/sql': { sql: 'SELECT height, fee_sat FROM btc_blocks ORDER BY height DESC LIMIT 5' },
  '/api/v1/addresses/balances': { addresses: ['SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC'] },
}
export const bodyOf = ({ path, hasBody }: ApiOperation): string | undefined =>
  hasBody ? JSON.stringify(BODIES[path] ?? {}, null, 2) : undefined

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The same request from a shell, from JavaScript and from Python. */
export function programsOf(
  method: string,
  url: string,
  body: string | undefined,
): { name: string; text: string }[] {
  const json = body === undefined ? undefined : compact(body)
  return [
    {
      name: 'curl',
      text: [
        'curl',
        ...(method === 'GET' ? [] : ['-X', method]),
        ...(json === undefined ? [] : ['-H', quoted('content-type: application/json'), '-d', quoted(json)]),
        quoted(url),
      ].join(' '),
    },
    {
      name: 'JavaScript',
      text:
        method === 'GET'
          ? `const answer = await fetch(${JSON.stringify(url)})\nconst told = await answer.json()`
          : `const answer = await fetch(${JSON.stringify(url)}, {\n  method: ${JSON.stringify(method)},${json === undefined ? '' : `\n  headers: { 'content-type': 'application/json' },\n  body: JSON.stringify(${json}),`}\n})\nconst told = await answer.json()`,
    },
    {
      name: 'Python',
      text: `import requests\n\ntold = requests.${method.toLowerCase()}(${JSON.stringify(url)}${json === undefined ? '' : `, data=${JSON.stringify(json)}, headers={"content-type": "application/json"}`}).json()`,
    },
  ]
}

/** JSON on one line; what is none stays as it was typed. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
