/** A wrong setting would start the server in a state that the operator did not ask for. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { KEY_VARIABLES, layerVariables, readConfig as read, VARIABLES } from './config.ts'

const { evm } = await testCatalog()
const readConfig = (env: Record<string, string>, layers: Parameters<typeof read>[1] = evm) =>
  read(env, layers)
const ALL: Readonly<Record<string, { readonly about: string; readonly fallback?: string | undefined }>> = {
  ...VARIABLES,
  ...layerVariables(evm),
}

test('an empty environment gives the defaults of the README', () => {
  const config = readConfig({})
  assert.equal(config.port, 4400)
  assert.equal(config.publicUrl, 'http://localhost:4400')
  assert.match(config.home, /\.assay$/)
})

test('every wrong variable is named at once, with its value and the reason', () => {
  assert.throws(
    () => readConfig({ PORT: 'abc', BITCOIN_NETWORK: 'moon', CLICKHOUSE_CLUSTER: 'c' }),
    error => {
      assert(error instanceof Error)
      for (const part of [
        'PORT: "abc"',
        'BITCOIN_NETWORK: "moon"',
        'CLICKHOUSE_CLUSTER: needs CLICKHOUSE_URL',
      ]) {
        assert(error.message.includes(part), `${part} is missing in: ${error.message}`)
      }
      return true
    },
  )
})

/** One wrong value of each variable that has a rule, and the words that say what would be right. */
const WRONG: readonly (readonly [name: string, value: string, words: RegExp])[] = [
  ['PORT', 'abc', /must be a whole number from 1 to 65535/],
  ['PORT', '0x50', /must be a whole number from 1 to 65535/],
  ['PORT', '70000', /must be a whole number from 1 to 65535/],
  ['CLICKHOUSE_PORT', '0', /must be a whole number from 1 to 65535/],
  ['CLICKHOUSE_PORT', '4400', /is the port of the web server/],
  ['PUBLIC_URL', 'assay.example', /must be an http or https address/],
  ['PUBLIC_API_URL', 'api', /must be an http or https address, or a path/],
  ['PUBLIC_API_URL', '/v1', /must end with \/api/],
  ['PUBLIC_API_URL', 'https://api.example/api', /must be of the origin of PUBLIC_URL/],
  ['TRUST_PROXY', 'everyone', /must be addresses or networks/],
  ['DOCS_URL', 'ftp://example.org', /must be an http or https address, or a path/],
  ['SIGNUP_URL', 'pricing', /must be an http or https address, or a path/],
  ['NEWSLETTER_URL', 'javascript:alert(1)', /must be an http or https address, or a path/],
  ['SOCIAL_URL', 'x', /must be an http or https address, or a path/],
  ['SUPPORT_ADDRESS', 'ST000000000000000000002AMW42H', /must be a Stacks address/],
  ['SUPPORT_ADDRESS', 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ8', /must be a Stacks address/],
  ['CLICKHOUSE_URL', 'tcp://127.0.0.1:9000', /must be an http or https address/],
  ['CLICKHOUSE_USER', 'reader', /needs CLICKHOUSE_URL beside it/],
  ['CLICKHOUSE_PASSWORD', 'hunter2', /needs CLICKHOUSE_URL beside it/],
  ['CLICKHOUSE_PEOPLE_USER', 'reader', /needs CLICKHOUSE_URL beside it/],
  ['CLICKHOUSE_PEOPLE_PASSWORD', 'hunter2', /needs CLICKHOUSE_PEOPLE_USER beside it/],
  ['CLICKHOUSE_CLUSTER', 'c', /needs CLICKHOUSE_URL beside it/],
  ['UPLOAD_FILE_MB', '0', /must be a whole number from 1 to /],
  ['UPLOAD_DRAFTS_MB', '0', /must be a whole number from 1 to /],
  ['UPLOAD_TABLES', '1.5', /must be a whole number from 1 to /],
  ['QUERY_RESULTS_MB', '1', /must be a whole number from 64 to /],
  ['WAREHOUSE_MEMORY_MB', '1', /must be a whole number of megabytes, at least /],
  ['WAREHOUSE_MEMORY_MB', '99999999999', /is more than this machine has: \d+ MB/],
  ['WAREHOUSE_CONFINEMENT', 'yes', /must be `on` or `off`/],
  ['WAREHOUSE_USER', 'clickhouse', /must be `auto`, `off` or a user and a group by number/],
  ['WAREHOUSE_USER', '0:0', /other than root/],
  ['WAREHOUSE_USER', '1000:0', /other than root/],
  ['WAREHOUSE_USER', '4294967295:1', /must be `auto`/],
  ['BITCOIN_NETWORK', 'moon', /must be one of mainnet, testnet3, testnet4, signet, regtest/],
  ['BITCOIN_RPC_URL', 'localhost:8332', /must be an http or https address/],
  ['BITCOIN_RPC_USER', 'a', /needs BITCOIN_RPC_URL beside it/],
  ['BITCOIN_RPC_PASSWORD', 'hunter2', /needs BITCOIN_RPC_URL beside it/],
  ['BITCOIN_RPC_COOKIE', '/a', /needs BITCOIN_RPC_URL beside it/],
  ['BITCOIN_REST_URL', '127.0.0.1', /must be an http or https address/],
  ['BITCOIN_START_HEIGHT', '-1', /must be a whole number from 0/],
  ['BITCOIN_START_HEIGHT', '1e3', /must be a whole number from 0/],
  ['ROOTSTOCK_RPC_URL', 'localhost:4444', /must be http or https addresses, separated by commas/],
  ['ROOTSTOCK_START_HEIGHT', '7', /needs ROOTSTOCK_RPC_URL beside it/],
  ['BOB_RPC_URL', 'localhost:4444', /must be http or https addresses, separated by commas/],
  ['BOB_START_HEIGHT', '7', /needs BOB_RPC_URL beside it/],
  ['MERLIN_RPC_URL', 'localhost:4444', /must be http or https addresses, separated by commas/],
  ['MERLIN_START_HEIGHT', '7', /needs MERLIN_RPC_URL beside it/],
  ['BITLAYER_RPC_URL', 'localhost:4444', /must be http or https addresses, separated by commas/],
  ['BITLAYER_START_HEIGHT', '7', /needs BITLAYER_RPC_URL beside it/],
  ['B2_NETWORK_RPC_URL', 'localhost:4444', /must be http or https addresses, separated by commas/],
  ['B2_NETWORK_START_HEIGHT', '7', /needs B2_NETWORK_RPC_URL beside it/],
  ['CORE_RPC_URL', 'localhost:4444', /must be http or https addresses, separated by commas/],
  ['CORE_START_HEIGHT', '7', /needs CORE_RPC_URL beside it/],
  ['STACKS_OBSERVER_PORT', '0', /must be a whole number from 1 to 65535/],
  ['STACKS_RPC_URL', 'localhost:20443', /the value must be http or https addresses, separated by commas/],
  ['STACKS_API_URL', 'api.hiro.so', /must be http or https addresses, separated by commas, or `off`/],
  ['STACKS_START_HEIGHT', '-1', /must be a whole number from 0/],
  ['DATABASE_URL', 'localhost:5432', /the value must be a postgres address/],
  ['SOURCES', 'defillama', /must be `on`, `off`, or ids of sources/],
  ['SOURCES_MIRROR_URL', 'mirror.example', /must be an http or https address/],
  ['DEVELOPERS', 'maybe', /must be `on` or `off`/],
  ['DEVELOPERS_DISK_MB', '1', /16/],
  ['READ_AHEAD', 'yes', /must be `on` or `off`/],
  ['INGEST_CACHE_MB', '1', /must be a whole number of megabytes, at least /],
  ['INGEST_CACHE_MB', '99999999999', /is more than this machine has: \d+ MB/],
  ['INGEST_WORKERS', '0', /must be a whole number from 1 to 64/],
  ['AUTH_DOMAIN', 'tenant/path', /must be a host, or an http or https address/],
  ['AUTH_CLIENT_ID', 'abc', /needs AUTH_DOMAIN beside it/],
  ['ASSAY_OPERATORS', 'ann', /must be emails or Stacks addresses, separated by commas/],
  ['TRIAL_DAYS', '1.5', /must be a whole number from 0 to 365/],
  ['SMTP_URL', 'mail.example:25', /must be an smtp or smtps address/],
  ['MAIL_FROM', 'assay', /must be an email address/],
  ['HUB_HOSTS', 'https://hub.example/path', /must be http or https origins, separated by commas/],
  ['ASIGNA_ORIGINS', '*', /must be http or https origins, separated by commas/],
  ['ANALYTICS_URL', 'x', /must be an http or https address, or a path/],
  ['STRIPE_SECRET_KEY', 'pk_test_1', /the value must be a secret key of Stripe/],
  ['STRIPE_WEBHOOK_SECRET', 'secret', /the value must be a signing secret of Stripe/],
  ['STRIPE_PRICE_MONTHLY', '19', /must be the id of a price of Stripe/],
  ['STRIPE_PRICE_YEARLY', '190', /must be the id of a price of Stripe/],
  ['STRIPE_API_URL', 'http://127.0.0.1:1', /needs STRIPE_SECRET_KEY beside it/],
  ['LOG_LEVEL', 'loud', /must be one of info, warn, error, silent/],
]
/** Any text is a folder, a file or a host until it is used. */
const FREE: readonly string[] = [
  'STACKS_API_KEY',
  'ASSAY_HOME',
  'ASSAY_CATALOG',
  'ASSAY_CONTENT',
  'HOST',
  'BITCOIN_BLOCKS_DIR',
  'AUTH_AUDIENCE',
]

test('a wrong value of any variable is told with its name and what would be right', () => {
  for (const [name, value, words] of WRONG)
    assert.throws(
      () => readConfig({ [name]: value }),
      error => {
        assert(error instanceof Error)
        assert.match(error.message, new RegExp(`^ {2}${name}: `, 'm'))
        assert.match(error.message, words)
        return true
      },
    )
  const told = new Set([...WRONG.map(([name]) => name), ...FREE])
  assert.deepEqual([...told].sort(), Object.keys(ALL).sort())
})

test('the API is at /api of the site, or where the origin of the site says', () => {
  assert.equal(readConfig({}).publicApiUrl, undefined)
  const PUBLIC_URL = 'https://assay.example/'
  const of = (PUBLIC_API_URL: string) => readConfig({ PUBLIC_URL, PUBLIC_API_URL }).publicApiUrl
  assert.equal(of('https://assay.example/api/'), undefined)
  assert.equal(of('/figures/api'), 'https://assay.example/figures/api')
  assert.equal(of('https://assay.example/figures/api/'), 'https://assay.example/figures/api')
})

test('REST stands in place of JSON-RPC', () => {
  const { bitcoin } = readConfig({ BITCOIN_REST_URL: 'http://127.0.0.1:8332' })
  assert.equal(bitcoin.restUrl, 'http://127.0.0.1:8332')
  assert.equal(bitcoin.rpcUrl, undefined)
})

test('a secret is never repeated in an error', () => {
  assert.throws(
    () => readConfig({ BITCOIN_RPC_URL: 'ftp://me:hunter2@127.0.0.1', CLICKHOUSE_URL: 'me:hunter2@host' }),
    error => !String(error).includes('hunter2'),
  )
  assert.throws(
    () => readConfig({ CLICKHOUSE_PASSWORD: 'hunter2', PORT: '0' }),
    error => !String(error).includes('hunter2'),
  )
})

test('each layer has endpoints of its own, several where one is not enough', () => {
  const { layers } = readConfig({
    BOB_RPC_URL: 'https://rpc.gobob.xyz, http://127.0.0.1:8545,public',
    BOB_START_HEIGHT: '12',
    CORE_RPC_URL: 'public',
  })
  assert.deepEqual(layers, {
    bob: { endpoints: ['https://rpc.gobob.xyz', 'http://127.0.0.1:8545', 'public'], startHeight: 12 },
    core: { endpoints: ['public'], startHeight: undefined },
  })
  assert.throws(
    () => readConfig({ BOB_RPC_URL: 'https://rpc.example/v1/hunter2,localhost' }),
    error => /BOB_RPC_URL: the value/.test(String(error)) && !String(error).includes('hunter2'),
  )
})

test('the variables of a layer follow from the name of its file, and are checked for each that the catalogue has', () => {
  const layers = [{ id: 'mezzo-2' }]
  const { layers: followed } = readConfig({ MEZZO_2_RPC_URL: 'public', BOB_RPC_URL: 'nonsense' }, layers)
  assert.deepEqual(followed, { 'mezzo-2': { endpoints: ['public'], startHeight: undefined } })
  assert.throws(
    () => readConfig({ MEZZO_2_RPC_URL: 'hunter2', MEZZO_2_START_HEIGHT: 'x' }, layers),
    error =>
      /MEZZO_2_RPC_URL: the value must be http or https addresses/.test(String(error)) &&
      /MEZZO_2_START_HEIGHT: "x" must be a whole number/.test(String(error)) &&
      !String(error).includes('hunter2'),
  )
  assert.throws(() => readConfig({ MEZZO_2_START_HEIGHT: '7' }, layers), /needs MEZZO_2_RPC_URL beside it/)
})

test('Stacks is followed from the public API of the main network unless something else is said', () => {
  const { stacks } = readConfig({})
  assert.deepEqual([stacks.apis, stacks.isApiChosen, stacks.chainId], [['https://api.hiro.so'], false, 1])
  assert.deepEqual(readConfig({ STACKS_API_URL: 'off' }).stacks.apis, [])
  const regtest = readConfig({ BITCOIN_NETWORK: 'regtest' }).stacks
  assert.deepEqual([regtest.apis, regtest.chainId], [[], 0x8000_0000])
  const own = readConfig({ BITCOIN_NETWORK: 'regtest', STACKS_API_URL: 'http://127.0.0.1:3999' }).stacks
  assert.deepEqual(own.apis, ['http://127.0.0.1:3999'])
  assert.throws(
    () => readConfig({ STACKS_API_URL: 'off', STACKS_API_KEY: 'hunter2' }),
    error => /STACKS_API_KEY: needs an address/.test(String(error)) && !String(error).includes('hunter2'),
  )
})

test('an empty value is an absent one', () => {
  assert.equal(readConfig({ PORT: '' }).port, 4400)
})

test('payments are configured whole, and nothing else than Stripe answers for real money', () => {
  const env = {
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_PRICE_MONTHLY: 'price_1',
  }
  assert.deepEqual(readConfig(env).stripe, {
    secretKey: 'sk_live_1',
    webhookSecret: 'whsec_1',
    prices: { monthly: 'price_1', yearly: undefined },
    apiUrl: undefined,
  })
  assert.equal(readConfig({}).stripe, undefined)
  const url = 'http://127.0.0.1:12111'
  assert.equal(
    readConfig({ ...env, STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_API_URL: url }).stripe?.apiUrl,
    url,
  )
  for (const [wrong, words] of [
    [{ ...env, STRIPE_WEBHOOK_SECRET: '' }, /STRIPE_SECRET_KEY: needs STRIPE_WEBHOOK_SECRET/],
    [{ ...env, STRIPE_PRICE_MONTHLY: '' }, /needs STRIPE_PRICE_MONTHLY or STRIPE_PRICE_YEARLY/],
    [{ ...env, STRIPE_API_URL: url }, /STRIPE_API_URL: is for tests/],
  ] as const)
    assert.throws(() => readConfig(wrong), words)
})

test('the README documents every variable with its default', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const [name, { fallback, about }] of Object.entries(ALL)) {
    const row = `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${about} |`
    assert(readme.includes(row), `the README lacks the row: ${row}`)
  }
  for (const [name, { about }] of Object.entries(KEY_VARIABLES))
    assert(readme.includes(`| \`${name}\` |  | ${about} |`), `the README lacks a row of ${name}: ${about}`)
})

test('publishers are asked on the main network unless something else is said', () => {
  const idsOf = (env: Record<string, string>) => readConfig(env).sources.ids
  assert.equal(idsOf({}), undefined)
  assert.deepEqual(idsOf({ SOURCES: 'off' }), [])
  assert.deepEqual(idsOf({ SOURCES: 'defillama.tvl' }), ['defillama.tvl'])
  assert.deepEqual(idsOf({ BITCOIN_NETWORK: 'regtest' }), [])
  assert.equal(idsOf({ BITCOIN_NETWORK: 'regtest', SOURCES: 'on' }), undefined)
})

test('proxies are addresses or networks, not names', () => {
  assert.deepEqual(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy, ['10.0.0.0/8', '::1'])
  assert.throws(() => readConfig({ TRUST_PROXY: 'everyone' }), /TRUST_PROXY: "everyone"/)
})
