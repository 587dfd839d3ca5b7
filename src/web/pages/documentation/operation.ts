import type { ApiOperation } from '#http/context.ts'

const STACKS_ADDRESS = 'SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC'

/** Values that the bundled data answer, by the path behind `/api/v1` and the name of the parameter. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/metrics/{id}': { id: 'fees.total' },
  '/metrics/{id}/entry': { id: 'fees.total' },
  '/metrics/{id}/watches': { id: 'fees.total' },
  '/series': { figures: 'fees.total@bitcoin,blocks.count@bitcoin' },
  '/compare': { metrics: 'tvl.total,token.price', entities: 'stacks,rootstock,bitcoin' },
  '/signals/{id}': { id: 'price-200d' },
  '/signals/{id}/record': { id: 'price-200d' },
  '/treasuries/{id}': { id: 'strategy' },
  '/treasuries/{id}/tables/{table}': { id: 'strategy', table: 'evidence' },
  '/treasuries/tables/{table}': { table: 'holders' },
  '/indices/tables/{table}': { table: 'indices' },
  '/indices/{id}/tables/{table}': { id: 'bitcoin-defi', table: 'members' },
  '/stacks/tables/{table}': { table: 'clarity-words' },
  '/developers/tables/{table}': { table: 'repositories' },
  '/opportunities/tables/{table}': { table: 'opportunities' },
  '/applications/{slug}/tables/{table}': { table: 'pools' },
  '/bitcoin/blocks/{block}': { block: '170' },
  '/bitcoin/blocks/{block}/txs': { block: '170' },
  '/bitcoin/txs/{txid}': { txid: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16' },
  '/stacks/blocks/{block}': { block: '51451' },
  '/stacks/blocks/{block}/txs': { block: '51451' },
  '/stacks/txs/{txid}': { txid: '337a91dedda069ca5f4fc78a1761d27bd0159e6209ada1be920cd67bc79a2406' },
  '/stacks/addresses/{address}': { address: STACKS_ADDRESS },
  '/stacks/yields/{address}': { address: STACKS_ADDRESS },
  '/addresses/{address}/balances': { address: STACKS_ADDRESS },
  '/stacks/contracts/{contract}': { contract: 'SP000000000000000000002Q6VF78.pox' },
  '/stacks/names/{name}': { name: 'ware.btc' },
  '/stacks/coins/{kind}': { kind: 'meme' },
  '/layers/{slug}': { slug: 'rootstock' },
  '/{layer}/blocks/{block}': { block: '4481139' },
  '/pages/{name}': { name: 'About' },
  '/documentation/{name}': { name: 'sql' },
  '/reports/{key}': { key: 'what-layers-pay-bitcoin' },
}
/** Of parameters that mean the same wherever they stand. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  entity: 'bitcoin',
  layer: 'rootstock',
  slug: 'alex',
  q: 'mstr',
}

/** An example of what a required parameter may be; undefined where the bundled data have none. */
export const exampleOf = (path: string, name: string): string | undefined =>
  EXAMPLES[path.replace('/api/v1', '')]?.[name] ?? EVERYWHERE[name]

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

/** How a program takes an answer. */
type Taking = 'json' | 'text' | 'bytes'
const BY_FORMAT: Readonly<Record<string, Taking>> = {
  csv: 'text',
  sql: 'text',
  parquet: 'bytes',
  arrow: 'bytes',
}

/** By the format that is asked for, else by what the operation answers with. */
export function takingOf({ media }: ApiOperation, values: Readonly<Record<string, string>>): Taking {
  const asked = BY_FORMAT[values.format ?? '']
  if (asked !== undefined) return asked
  if (media.length === 0 || media.some(type => type.includes('json'))) return 'json'
  return media.some(type => /text|xml/.test(type)) ? 'text' : 'bytes'
}

const TAKEN = {
  json: { javascript: 'json()', python: '.json()' },
  text: { javascript: 'text()', python: '.text' },
  bytes: { javascript: 'arrayBuffer()', python: '.content' },
} as const satisfies Record<Taking, unknown>

/** The same request from a shell, from JavaScript and from Python; `taking` is how its answer is read. */
export function programsOf(
  method: string,
  url: string,
  body: string | undefined,
  taking: Taking,
): { name: string; text: string }[] {
  const json = body === undefined ? undefined : compact(body)
  const { javascript, python } = TAKEN[taking]
  return [
    {
      name: 'curl',
      text: [
        'curl',
        ...(method === 'GET' ? [] : ['-X', method]),
        ...(json === undefined ? [] : ['-H', quoted('content-type: application/json'), '-d', quoted(json)]),
        ...(taking === 'bytes' ? ['--output', 'answer'] : []),
        quoted(url),
      ].join(' '),
    },
    {
      name: 'JavaScript',
      text:
        method === 'GET'
          ? `const answer = await fetch(${JSON.stringify(url)})\nconst told = await answer.${javascript}`
          : `const answer = await fetch(${JSON.stringify(url)}, {\n  method: ${JSON.stringify(method)},${json === undefined ? '' : `\n  headers: { 'content-type': 'application/json' },\n  body: JSON.stringify(${json}),`}\n})\nconst told = await answer.${javascript}`,
    },
    {
      name: 'Python',
      text: `import requests\n\ntold = requests.${method.toLowerCase()}(${JSON.stringify(url)}${json === undefined ? '' : `, data=${JSON.stringify(json)}, headers={"content-type": "application/json"}`})${python}`,
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
