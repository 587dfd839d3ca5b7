import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { isAddress } from '#chains/stacks/index.ts'
import { NETWORKS } from '#kernel/bitcoin.ts'
import { ConfigError } from '#kernel/errors.ts'
import { type EvmLayer, rpcVariableOf, startVariableOf } from '#kernel/evm.ts'
import { CHAIN_IDS } from '#kernel/stacks.ts'
import { zodWords } from '#kernel/zodWords.ts'
import { LIVE_SOURCES } from '#sources/all.ts'
import type { UserChoice } from '#warehouse/index.ts'

const MEGABYTE = 1024 * 1024
const machineMegabytes = (): number => Math.floor(totalmem() / MEGABYTE)

/** Digits alone: what a person may have meant by `1e3` or `0x50` is not guessed. */
function wholeNumber(least: number, most: number, error = `must be a whole number from ${least} to ${most}`) {
  return z
    .string()
    .regex(/^\d{1,15}$/, { error, abort: true })
    .transform(Number)
    .refine(value => value >= least && value <= most, { error })
}

const MAX_USER = 2 ** 32 - 2
/** `uid:gid` of a user that is not root. */
const engineUser = z
  .string()
  .refine(text => /^[1-9]\d*:[1-9]\d*$/.test(text) && text.split(':').every(id => Number(id) <= MAX_USER))
  .transform(text => {
    const [uid = 0, gid = 0] = text.split(':').map(Number)
    return { uid, gid }
  })

/** More than the machine has would fail only once it is needed, and in words that name no variable. */
const megabytes = (least: number) =>
  wholeNumber(
    least,
    Number.MAX_SAFE_INTEGER,
    `must be a whole number of megabytes, at least ${least}`,
  ).refine(value => value <= machineMegabytes(), {
    error: () => `is more than this machine has: ${machineMegabytes()} MB`,
  })

const url = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
const address = z.union([url, z.string().startsWith('/')], {
  error: 'must be an http or https address, or a path',
})

/** The word for the endpoints that the catalogue lists of a layer. */
export const PUBLIC_ENDPOINTS = 'public'

const isEndpoint = (text: string): boolean =>
  text === PUBLIC_ENDPOINTS || /^https?:$/.test(URL.parse(text)?.protocol ?? '')

const endpoint = z.string().refine(isEndpoint, {
  error: `must be http or https addresses, separated by commas, or \`${PUBLIC_ENDPOINTS}\``,
})

/** The public API of Stacks, asked where nothing else is said. */
const PUBLIC_STACKS_API = 'https://api.hiro.so'
/** The word for no public API, and for no publisher. */
const OFF = 'off'
/** The word for every publisher. */
const ON = 'on'

const addresses = (others: string) =>
  z
    .string()
    .transform(text => text.split(',').map(part => part.trim()))
    .pipe(
      z.array(
        z.string().refine(text => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
          error: `must be http or https addresses, separated by commas${others}`,
        }),
      ),
    )

/** Texts separated by commas, each of which must be one that `isOne`; `off` is none. */
const list = (isOne: (text: string) => boolean, error: string) =>
  z
    .string()
    .transform(text => (text === OFF ? [] : text.split(',').map(part => part.trim())))
    .refine(parts => parts.every(isOne), { error })

const holder = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text) || /^S[0-9A-Z]{28,40}$/.test(text)
const webOrigin = (text: string): boolean => {
  const parsed = URL.parse(text)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.origin === text.replace(/\/$/, '')
}

/** The two variables of each EVM layer; their names follow from its id (`kernel/evm.ts`). */
const endpoints = z
  .string()
  .transform(text => text.split(',').map(part => part.trim()))
  .pipe(z.array(endpoint))
const startHeight = wholeNumber(0, 0xffff_ffff)

export type NamedLayer = { readonly id: EvmLayer; readonly name: string }

/** The variables of these EVM layers, two each: what they are for. The README's table has those of the catalogue that comes with the program. */
export const layerVariables = (layers: readonly NamedLayer[]): Readonly<Record<string, { about: string }>> =>
  Object.fromEntries(
    layers.flatMap(({ id, name }) => [
      [
        rpcVariableOf(id),
        {
          about: `JSON-RPC of ${name}: addresses separated by commas; \`${PUBLIC_ENDPOINTS}\` stands for those of the catalog. With it the site follows the layer`,
        },
      ],
      [
        startVariableOf(id),
        {
          about: `first height to index when following ${name}; default: resume from the indexed blocks, or start at the latest block`,
        },
      ],
    ]),
  )

/**
 * Every environment variable of the house but those of EVM layers, which the catalogue names: what it is for, its default, its
 * check. The README's table is made of this.
 */
export const VARIABLES = {
  ASSAY_HOME: { schema: z.string().min(1), fallback: '.assay', about: 'data folder' },
  ASSAY_CATALOG: {
    schema: z.string().min(1),
    fallback: undefined,
    about: 'folder of the catalog (layers, tokens, protocols); default: the one that comes with the program',
  },
  ASSAY_CONTENT: {
    schema: z.string().min(1),
    fallback: undefined,
    about: 'folder of texts and reports; default: the one that comes with the program',
  },
  PORT: { schema: wholeNumber(1, 65_535), fallback: '4400', about: 'port of the web server' },
  HOST: {
    schema: z.string().min(1),
    fallback: 'localhost',
    about: 'address to listen on; `0.0.0.0` for every interface',
  },
  CLICKHOUSE_PORT: {
    schema: wholeNumber(1, 65_535),
    fallback: undefined,
    about:
      'port of `HOST` where ClickHouse clients such as Grafana and Metabase connect over HTTP, with an API key as password; default: none',
  },
  PUBLIC_URL: {
    schema: url,
    fallback: undefined,
    about: 'origin under which readers reach the site; default `http://localhost:PORT`',
  },
  PUBLIC_API_URL: {
    schema: address.refine(text => /\/api\/?$/.test(text), { error: 'must end with /api' }),
    fallback: '/api',
    about:
      'where pages and programs call the API: a path that ends with `/api`, or an address of the origin of `PUBLIC_URL`',
  },
  TRUST_PROXY: {
    schema: z
      .string()
      .transform(text => text.split(',').map(part => part.trim()))
      .pipe(
        z.array(
          z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
            error: 'must be addresses or networks, separated by commas',
          }),
        ),
      ),
    fallback: undefined,
    about:
      'proxies in front of the site, as addresses or networks separated by commas: their `X-Forwarded-For` identifies readers. Without it all readers behind a proxy share one rate limit',
  },
  SIGNUP_URL: { schema: address, fallback: '/pricing', about: 'target of Sign Up' },
  ANALYTICS_URL: {
    schema: address,
    fallback: undefined,
    about:
      'where page views are reported, with the reader’s consent: a URL, or a path of this site; default: nothing is reported',
  },
  NEWSLETTER_URL: {
    schema: address,
    fallback: '/reports/feed.xml',
    about: 'target of Newsletter and Get Updates; default: the feed of the reports',
  },
  DOCS_URL: {
    schema: address,
    fallback: '/documentation',
    about: 'where `/docs` leads: an address, or a path of this site',
  },
  SOCIAL_URL: { schema: address, fallback: '/Contact', about: 'target of the social link' },
  SUPPORT_ADDRESS: {
    schema: z.string().refine(text => /^S[PM]/.test(text) && isAddress(text), {
      error: 'must be a Stacks address (SP… or SM…)',
    }),
    fallback: undefined,
    about:
      'Stacks address that Support us on the pricing page sends STX to; without it there is no such button',
  },
  CLICKHOUSE_URL: {
    schema: url,
    fallback: undefined,
    about: 'a ClickHouse server in place of the embedded engine',
  },
  CLICKHOUSE_USER: { schema: z.string(), fallback: undefined, about: 'its user' },
  CLICKHOUSE_PASSWORD: { schema: z.string(), fallback: undefined, about: 'its password' },
  CLICKHOUSE_PEOPLE_USER: {
    schema: z.string(),
    fallback: undefined,
    about:
      'a second, read-only user for user queries (`DEFAULT ROLE NONE`, ClickHouse 24.4 or later); uploads need it; default: the same user',
  },
  CLICKHOUSE_PEOPLE_PASSWORD: { schema: z.string(), fallback: undefined, about: 'its password' },
  CLICKHOUSE_CLUSTER: {
    schema: z.string().min(1),
    fallback: undefined,
    about: 'cluster name: tables become replicated and distributed; not yet proven on a real cluster',
  },
  QUERY_RESULTS_MB: {
    schema: wholeNumber(64, 10_000_000),
    fallback: '2048',
    about: 'disk for stored query results, MB; those that were not opened for longest are removed first',
  },
  UPLOAD_DRAFTS_MB: {
    schema: wholeNumber(1, 1_000_000),
    fallback: '4096',
    about: 'disk for uploaded files not yet saved as a table, MB; the least recently used are removed first',
  },
  UPLOAD_FILE_MB: {
    schema: wholeNumber(1, 10_000),
    fallback: '100',
    about: 'size of a file that a user may upload, and of an upload with what was appended to it, MB',
  },
  UPLOAD_TABLES: {
    schema: wholeNumber(1, 1_000),
    fallback: '20',
    about: 'uploads of one user',
  },
  WAREHOUSE_MEMORY_MB: {
    schema: megabytes(256),
    fallback: '1024',
    about: 'memory that the embedded engine may take, MB',
  },
  WAREHOUSE_CONFINEMENT: {
    schema: z.enum([ON, OFF], { error: `must be \`${ON}\` or \`${OFF}\`` }),
    fallback: ON,
    about:
      'the kernel limits the embedded engine to its own files and no outgoing TCP connections: `on` or `off`; needs Linux 5.19, for connections 6.7. The log of the start and `assay status` say whether it does',
  },
  WAREHOUSE_USER: {
    schema: z.union([z.enum(['auto', OFF]), engineUser], {
      error: `must be \`auto\`, \`${OFF}\` or a user and a group by number, such as \`61100:61100\`, other than root`,
    }),
    fallback: 'auto',
    about:
      'OS user that the embedded engine runs as: `auto` (another user where the server runs as root), `off`, or `uid:gid`, which must be possible or startup fails. The startup log and `assay status` show the user',
  },
  BITCOIN_NETWORK: { schema: z.enum(NETWORKS), fallback: 'mainnet', about: `one of ${NETWORKS.join(', ')}` },
  BITCOIN_RPC_URL: {
    schema: url,
    fallback: undefined,
    about: 'JSON-RPC of a Bitcoin full node; with it the site follows the tip',
  },
  BITCOIN_RPC_USER: { schema: z.string(), fallback: undefined, about: 'user of the node’s JSON-RPC' },
  BITCOIN_RPC_PASSWORD: { schema: z.string(), fallback: undefined, about: 'password of the node’s JSON-RPC' },
  BITCOIN_RPC_COOKIE: {
    schema: z.string().min(1),
    fallback: undefined,
    about: 'path of the node’s `.cookie` file, in place of user and password',
  },
  BITCOIN_REST_URL: {
    schema: url,
    fallback: undefined,
    about: 'REST interface of the node (`rest=1`), in place of JSON-RPC: faster, no password',
  },
  BITCOIN_BLOCKS_DIR: {
    schema: z.string().min(1),
    fallback: undefined,
    about: 'folder of `blk*.dat` files, for `assay backfill --from-files`',
  },
  BITCOIN_START_HEIGHT: {
    schema: wholeNumber(0, 0xffff_ffff),
    fallback: '0',
    about: 'first height to index when following a node',
  },
  STACKS_OBSERVER_PORT: {
    schema: wholeNumber(1, 65_535),
    fallback: undefined,
    about:
      'port of 127.0.0.1 to which a Stacks node posts its events (`events_observer`): the richest source of Stacks',
  },
  STACKS_RPC_URL: {
    schema: addresses(''),
    fallback: undefined,
    about:
      'RPC of Stacks nodes: addresses separated by commas. Blocks prove themselves; how they ended comes from the API beside it',
  },
  STACKS_API_URL: {
    schema: z.union([z.literal(OFF).transform((): string[] => []), addresses(`, or \`${OFF}\``)], {
      error: `must be http or https addresses, separated by commas, or \`${OFF}\``,
    }),
    fallback: PUBLIC_STACKS_API,
    about: `public API of Stacks: addresses separated by commas, or \`${OFF}\`. Followed by default on the main network, unless a node posts its events`,
  },
  STACKS_API_KEY: {
    schema: z.string().min(1),
    fallback: undefined,
    about: 'key of that API: 500 requests a minute in place of 50',
  },
  STACKS_START_HEIGHT: {
    schema: wholeNumber(0, 0xffff_ffff),
    fallback: undefined,
    about:
      'first height to index when following Stacks; default: resume from the indexed blocks, or start at the latest block',
  },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres address' }),
    fallback: undefined,
    about: 'a PostgreSQL server for jobs and state, in place of the embedded store',
  },
  SOURCES: {
    schema: z
      .string()
      .transform(text => text.split(',').map(part => part.trim()))
      .pipe(
        z.array(
          z.enum([ON, OFF, ...LIVE_SOURCES.map(({ id }) => id)], {
            error: `must be \`${ON}\`, \`${OFF}\`, or ids of sources, separated by commas; \`assay sources\` lists them`,
          }),
        ),
      ),
    fallback: ON,
    about: `sources to poll: \`${ON}\`, \`${OFF}\`, or ids of sources, separated by commas. Default: on for mainnet`,
  },
  SOURCES_MIRROR_URL: {
    schema: url,
    fallback: undefined,
    about:
      'address that answers for every publisher as `{mirror}/{host}{path}`: for networks without a way out',
  },
  DEVELOPERS: {
    schema: z.enum([ON, OFF], { error: `must be \`${ON}\` or \`${OFF}\`` }),
    fallback: OFF,
    about:
      'git histories of the catalog’s repositories, cloned and fetched once a day: `on` or `off`; needs git 2.30 and internet',
  },
  DEVELOPERS_DISK_MB: {
    schema: wholeNumber(16, 10_000_000),
    fallback: '4096',
    about: 'disk that these clones may take together, MB; they hold no contents of files',
  },
  READ_AHEAD: {
    schema: z.enum([ON, OFF], { error: `must be \`${ON}\` or \`${OFF}\`` }),
    fallback: ON,
    about:
      'preload histories: `on` or `off`. Off keeps a small machine idle after each start, but the first reader of a figure waits',
  },
  INGEST_CACHE_MB: { schema: megabytes(64), fallback: '256', about: 'memory for the latest outputs, MB' },
  INGEST_WORKERS: {
    schema: wholeNumber(1, 64),
    fallback: undefined,
    about:
      'decoding threads; default: one less than there are cores, for archives of Stacks one a core, at most 8',
  },
  STRIPE_SECRET_KEY: {
    schema: z.string().regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret key of Stripe (sk_… or rk_…)'),
    fallback: undefined,
    about: 'secret key of Stripe: with it, its webhook secret and a price the site sells Premium',
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: z.string().regex(/^whsec_\S+$/, 'must be a signing secret of Stripe (whsec_…)'),
    fallback: undefined,
    about: 'signing secret of the webhook that leads to `/api/v1/billing/webhook`',
  },
  STRIPE_PRICE_MONTHLY: {
    schema: z.string().regex(/^price_\w+$/, 'must be the id of a price of Stripe (price_…)'),
    fallback: undefined,
    about: 'id of the price of Premium for a month, at Stripe',
  },
  STRIPE_PRICE_YEARLY: {
    schema: z.string().regex(/^price_\w+$/, 'must be the id of a price of Stripe (price_…)'),
    fallback: undefined,
    about: 'id of the price of Premium for a year, at Stripe',
  },
  STRIPE_API_URL: {
    schema: url,
    fallback: undefined,
    about: 'address that answers in place of Stripe, for tests: refused with a key for real money',
  },
  AUTH_DOMAIN: {
    schema: z
      .string()
      .refine(text => /^https?:\/\//.test(text) || /^[a-z0-9.-]+(:\d+)?$/i.test(text), {
        error: 'must be a host, or an http or https address',
      })
      .refine(text => URL.canParse(/^https?:/.test(text) ? text : `https://${text}`), {
        error: 'must be a host, or an http or https address',
      }),
    fallback: undefined,
    about:
      'tenant that signs people in (OpenID Connect as Auth0 speaks it), as a host; default: the provider that comes with the program, at `/idp`',
  },
  AUTH_CLIENT_ID: { schema: z.string().min(1), fallback: undefined, about: 'id of this site at that tenant' },
  AUTH_AUDIENCE: {
    schema: z.string().min(1),
    fallback: undefined,
    about: 'what access tokens must be made for; default `PUBLIC_URL/api/v1`',
  },
  ASSAY_OPERATORS: {
    schema: list(holder, 'must be emails or Stacks addresses, separated by commas'),
    fallback: undefined,
    about: 'who may do what operators do: confirmed emails or Stacks addresses, separated by commas',
  },
  TRIAL_DAYS: {
    schema: wholeNumber(0, 365),
    fallback: '0',
    about: 'days for which a new account with a confirmed email may use everything',
  },
  SMTP_URL: {
    schema: z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps address' }),
    fallback: undefined,
    about:
      'mail server for confirmation, password and failed-schedule emails; without it they are printed to the log',
  },
  MAIL_FROM: {
    schema: z.string().regex(/@/, { error: 'must be an email address' }),
    fallback: undefined,
    about: 'whom these mails are from',
  },
  HUB_HOSTS: {
    schema: list(webOrigin, 'must be http or https origins, separated by commas'),
    fallback: 'https://hub.blockstack.org,https://gaia.hiro.so,https://gaia.blockstack.org',
    about: 'origins of Gaia hubs and profiles that a wallet user’s browser may request',
  },
  ASIGNA_ORIGINS: {
    schema: list(webOrigin, 'must be http or https origins, separated by commas'),
    fallback: 'https://stx.asigna.io',
    about: 'origins of wallets that may embed the site in a frame, separated by commas',
  },
  LOG_LEVEL: {
    schema: z.enum(['info', 'warn', 'error', 'silent']),
    fallback: 'info',
    about: 'least level that is printed',
  },
} as const satisfies Record<string, { schema: z.ZodType; fallback: string | undefined; about: string }>

const KEYED = LIVE_SOURCES.flatMap(({ key, name }) => (key === undefined ? [] : [{ ...key, name }]))

/** The keys that publishers take, named by their sources. */
export const KEY_VARIABLES: Readonly<Record<string, { readonly about: string }>> = Object.fromEntries(
  [...Map.groupBy(KEYED, ({ variable }) => variable)].map(([variable, keyed]) => {
    const names = keyed.map(({ name }) => name).join('; ')
    const isDemanded = keyed.some(key => key.isDemanded)
    const what = keyed.find(key => key.what)?.what ?? 'key'
    return [
      variable,
      {
        about: `${what} ${what === 'key' ? 'of' : 'for'} ${names}${isDemanded ? ', which is not polled without one' : ''}`,
      },
    ]
  }),
)

type Variables = typeof VARIABLES
type Read = {
  [K in keyof Variables]: Variables[K]['fallback'] extends string
    ? z.infer<Variables[K]['schema']>
    : z.infer<Variables[K]['schema']> | undefined
}

export type LayerConfig = {
  /** Addresses, or `public` for those of the catalogue. */
  readonly endpoints: readonly string[]
  readonly startHeight: number | undefined
}

export type Config = {
  home: string
  /** Folder of the catalogue in place of the one that comes with the program. */
  catalog: string | undefined
  /** Folder of texts and reports in place of the one that comes with the program. */
  content: string | undefined
  port: number
  host: string
  /** Port for ClickHouse clients; undefined for none. */
  clickhousePort: number | undefined
  publicUrl: string
  /** Address of the API without a closing slash; undefined for `/api` of `publicUrl`. */
  publicApiUrl: string | undefined
  trustProxy: string[] | undefined
  links: {
    signUp: string
    analytics: string | undefined
    newsletter: string | undefined
    social: string | undefined
    docs: string
    /** Stacks address. */
    support: string | undefined
  }
  /** Disk for stored query results, bytes. */
  queryResultBytes: number
  /** Disk for uploaded files not yet saved as a table, bytes. */
  uploadDraftBytes: number
  uploads: { fileBytes: number; tables: number }
  warehouse: {
    url: string | undefined
    user: string | undefined
    password: string | undefined
    peopleUser: string | undefined
    peoplePassword: string | undefined
    cluster: string | undefined
    memoryBytes: number
    isConfined: boolean
    engineUser: UserChoice
  }
  bitcoin: {
    network: Read['BITCOIN_NETWORK']
    rpcUrl: string | undefined
    rpcUser: string | undefined
    rpcPassword: string | undefined
    rpcCookie: string | undefined
    restUrl: string | undefined
    blocksDir: string | undefined
    startHeight: number
  }
  /** The EVM layers whose endpoints are known. */
  layers: Readonly<Record<EvmLayer, LayerConfig>>
  stacks: {
    observerPort: number | undefined
    /** RPC of nodes. */
    nodes: readonly string[]
    /** The public API. */
    apis: readonly string[]
    /** Whether the API was asked for, and is not there by default alone. */
    isApiChosen: boolean
    apiKey: string | undefined
    startHeight: number | undefined
    chainId: number
  }
  /** Where jobs and state live; embedded unless an address is given. */
  store: { url: string | undefined }
  sources: {
    /** Ids of the sources that are asked; undefined for all. */
    ids: readonly string[] | undefined
    mirrorUrl: string | undefined
    /** By variable. */
    keys: Readonly<Record<string, string | undefined>>
  }
  /** Selling of Premium; absent where no payment is configured. */
  stripe:
    | {
        secretKey: string
        webhookSecret: string
        prices: { monthly: string | undefined; yearly: string | undefined }
        apiUrl: string | undefined
      }
    | undefined
  /** Whether histories are read before anybody asks for them. */
  readsAhead: boolean
  /** Histories from which developers are counted. */
  developers: { isOn: boolean; diskBytes: number }
  ingest: { cacheBytes: number; workers: number | undefined }
  /** Who people are, and who signs them in. */
  people: {
    /** Undefined: the embedded provider. */
    tenant: { domain: string; clientId: string } | undefined
    audience: string
    operators: readonly string[]
    trialDays: number
    mail: { url: string; from: string } | undefined
    hubHosts: readonly string[]
    asignaOrigins: readonly string[]
  }
  logLevel: Read['LOG_LEVEL']
}

/** Variables that mean nothing without another one: who sets the one has forgotten the other. */
const NEEDS: readonly (readonly [keyof Variables, keyof Variables])[] = [
  ['CLICKHOUSE_USER', 'CLICKHOUSE_URL'],
  ['CLICKHOUSE_PASSWORD', 'CLICKHOUSE_URL'],
  ['CLICKHOUSE_PEOPLE_USER', 'CLICKHOUSE_URL'],
  ['CLICKHOUSE_PEOPLE_PASSWORD', 'CLICKHOUSE_PEOPLE_USER'],
  ['CLICKHOUSE_CLUSTER', 'CLICKHOUSE_URL'],
  ['BITCOIN_RPC_USER', 'BITCOIN_RPC_URL'],
  ['BITCOIN_RPC_PASSWORD', 'BITCOIN_RPC_URL'],
  ['BITCOIN_RPC_COOKIE', 'BITCOIN_RPC_URL'],
  ['AUTH_DOMAIN', 'AUTH_CLIENT_ID'],
  ['AUTH_CLIENT_ID', 'AUTH_DOMAIN'],
  ['SMTP_URL', 'MAIL_FROM'],
  ['MAIL_FROM', 'SMTP_URL'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY'],
  ['STRIPE_PRICE_MONTHLY', 'STRIPE_SECRET_KEY'],
  ['STRIPE_PRICE_YEARLY', 'STRIPE_SECRET_KEY'],
  ['STRIPE_API_URL', 'STRIPE_SECRET_KEY'],
]

/** Endpoints of services carry their key in the path. */
const hasSecret = (name: string): boolean =>
  name !== 'BITCOIN_RPC_URL' && /PASSWORD|KEY|SECRET|_RPC_URL$|^DATABASE_URL$|^SMTP_URL$/.test(name)

/** What was given, without what is nobody's business: passwords and keys, also those inside an address. */
const shownValue = (name: string, raw: string): string =>
  hasSecret(name) ? 'the value' : `"${raw.replace(/[^/]*@/, '…@')}"`

/** The folder of the catalogue that the environment names; undefined for the one that comes with the program. */
export const catalogOf = ({
  ASSAY_CATALOG,
}: Readonly<Record<string, string | undefined>>): string | undefined =>
  ASSAY_CATALOG ? resolve(ASSAY_CATALOG) : undefined

/** The configuration of this process; `layers` are the EVM layers of the catalogue. Throws one ConfigError that names every wrong variable, its value and the reason. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  layers: readonly Pick<NamedLayer, 'id'>[],
): Config {
  const faults: string[] = []
  /** Undefined where nothing is given, and for a wrong value, which is noted. */
  function readOne<Schema extends z.ZodType>(
    name: string,
    schema: Schema,
    fallback?: string,
  ): z.infer<Schema> | undefined {
    const given = env[name] === '' ? undefined : env[name]
    const raw = given ?? fallback
    if (raw === undefined) return undefined
    const parsed = schema.safeParse(raw, { error: zodWords })
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    faults.push(`${name}: ${shownValue(name, raw)} ${issue?.message}`)
    return undefined
  }
  const read = Object.fromEntries(
    Object.entries(VARIABLES).map(([name, { schema, fallback }]) => [
      name,
      readOne<z.ZodType>(name, schema, fallback),
    ]),
  ) as Read
  const followed = layers.flatMap(({ id }): [EvmLayer, LayerConfig][] => {
    const [rpc, start] = [rpcVariableOf(id), startVariableOf(id)]
    const from = { endpoints: readOne(rpc, endpoints), startHeight: readOne(start, startHeight) }
    if (env[start] && !env[rpc]) faults.push(`${start}: needs ${rpc} beside it`)
    return from.endpoints === undefined ? [] : [[id, { ...from, endpoints: from.endpoints }]]
  })
  if (env.STACKS_API_KEY && env.STACKS_API_URL === OFF)
    faults.push('STACKS_API_KEY: needs an address in STACKS_API_URL beside it')
  for (const [name, needed] of NEEDS)
    if (env[name] && !env[needed]) faults.push(`${name}: needs ${needed} beside it`)
  if (env.STRIPE_SECRET_KEY && !env.STRIPE_PRICE_MONTHLY && !env.STRIPE_PRICE_YEARLY)
    faults.push('STRIPE_SECRET_KEY: needs STRIPE_PRICE_MONTHLY or STRIPE_PRICE_YEARLY beside it')
  if (env.STRIPE_API_URL && env.STRIPE_SECRET_KEY && !env.STRIPE_SECRET_KEY.startsWith('sk_test_'))
    faults.push('STRIPE_API_URL: is for tests, with a key that begins with sk_test_')
  if (read.CLICKHOUSE_PORT !== undefined && read.CLICKHOUSE_PORT === read.PORT)
    faults.push(`CLICKHOUSE_PORT: ${read.CLICKHOUSE_PORT} is the port of the web server`)
  const publicUrl = (read.PUBLIC_URL ?? `http://localhost:${read.PORT}`).replace(/\/$/, '')
  const apiUrl = URL.parse(read.PUBLIC_API_URL, publicUrl)?.href.replace(/\/$/, '')
  // Who asks is proved to our own pages alone: those of another origin are refused.
  if (apiUrl !== undefined && URL.parse(apiUrl)?.origin !== URL.parse(publicUrl)?.origin)
    faults.push(`PUBLIC_API_URL: "${read.PUBLIC_API_URL}" must be of the origin of PUBLIC_URL`)
  if (faults.length > 0) {
    throw new ConfigError(
      'config.invalid',
      `Wrong configuration:\n${faults.map(fault => `  ${fault}.`).join('\n')}\n`,
      { hint: 'The README lists every variable with its default.' },
    )
  }
  return {
    home: resolve(read.ASSAY_HOME),
    catalog: catalogOf(env),
    content: read.ASSAY_CONTENT === undefined ? undefined : resolve(read.ASSAY_CONTENT),
    port: read.PORT,
    host: read.HOST,
    clickhousePort: read.CLICKHOUSE_PORT,
    publicUrl,
    publicApiUrl: apiUrl === `${publicUrl}/api` ? undefined : apiUrl,
    trustProxy: read.TRUST_PROXY,
    links: {
      signUp: read.SIGNUP_URL,
      analytics: read.ANALYTICS_URL,
      newsletter: read.NEWSLETTER_URL,
      social: read.SOCIAL_URL,
      docs: read.DOCS_URL,
      support: read.SUPPORT_ADDRESS,
    },
    queryResultBytes: read.QUERY_RESULTS_MB * MEGABYTE,
    uploadDraftBytes: read.UPLOAD_DRAFTS_MB * MEGABYTE,
    uploads: { fileBytes: read.UPLOAD_FILE_MB * MEGABYTE, tables: read.UPLOAD_TABLES },
    warehouse: {
      url: read.CLICKHOUSE_URL,
      user: read.CLICKHOUSE_USER,
      password: read.CLICKHOUSE_PASSWORD,
      peopleUser: read.CLICKHOUSE_PEOPLE_USER,
      peoplePassword: read.CLICKHOUSE_PEOPLE_PASSWORD,
      cluster: read.CLICKHOUSE_CLUSTER,
      memoryBytes: read.WAREHOUSE_MEMORY_MB * MEGABYTE,
      isConfined: read.WAREHOUSE_CONFINEMENT === ON,
      engineUser: read.WAREHOUSE_USER,
    },
    bitcoin: {
      network: read.BITCOIN_NETWORK,
      rpcUrl: read.BITCOIN_RPC_URL,
      rpcUser: read.BITCOIN_RPC_USER,
      rpcPassword: read.BITCOIN_RPC_PASSWORD,
      rpcCookie: read.BITCOIN_RPC_COOKIE,
      restUrl: read.BITCOIN_REST_URL,
      blocksDir: read.BITCOIN_BLOCKS_DIR,
      startHeight: read.BITCOIN_START_HEIGHT,
    },
    layers: Object.fromEntries(followed),
    stacks: stacksOf(read, Boolean(env.STACKS_API_URL)),
    store: { url: read.DATABASE_URL },
    sources: {
      ids: chosenSources(read, Boolean(env.SOURCES)),
      mirrorUrl: read.SOURCES_MIRROR_URL,
      keys: Object.fromEntries(
        Object.keys(KEY_VARIABLES).map(name => [name, env[name] === '' ? undefined : env[name]]),
      ),
    },
    stripe: stripeOf(read),
    readsAhead: read.READ_AHEAD === ON,
    developers: { isOn: read.DEVELOPERS === ON, diskBytes: read.DEVELOPERS_DISK_MB * MEGABYTE },
    ingest: { cacheBytes: read.INGEST_CACHE_MB * MEGABYTE, workers: read.INGEST_WORKERS },
    people: peopleOf(read, publicUrl),
    logLevel: read.LOG_LEVEL,
  }
}

/** Key and webhook secret come together: `NEEDS` has said so. */
function stripeOf(read: Read): Config['stripe'] {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = read
  if (secretKey === undefined || webhookSecret === undefined) return undefined
  return {
    secretKey,
    webhookSecret,
    prices: { monthly: read.STRIPE_PRICE_MONTHLY, yearly: read.STRIPE_PRICE_YEARLY },
    apiUrl: read.STRIPE_API_URL,
  }
}

/** What people need; a tenant comes with the id of this site there, and a mail server with its sender. */
function peopleOf(read: Read, publicUrl: string): Config['people'] {
  const { AUTH_DOMAIN: domain, AUTH_CLIENT_ID: clientId, SMTP_URL: url, MAIL_FROM: from } = read
  return {
    tenant: domain === undefined || clientId === undefined ? undefined : { domain, clientId },
    audience: read.AUTH_AUDIENCE ?? `${publicUrl}/api/v1`,
    operators: read.ASSAY_OPERATORS ?? [],
    trialDays: read.TRIAL_DAYS,
    mail: url === undefined || from === undefined ? undefined : { url, from },
    hubHosts: read.HUB_HOSTS.map(text => text.replace(/\/$/, '')),
    asignaOrigins: read.ASIGNA_ORIGINS.map(text => text.replace(/\/$/, '')),
  }
}

/** Publishers speak of main networks; on another one they are asked where that is asked for. Undefined for all of them. */
function chosenSources({ SOURCES, BITCOIN_NETWORK }: Read, isChosen: boolean): string[] | undefined {
  if (SOURCES.includes(OFF) || (!isChosen && BITCOIN_NETWORK !== 'mainnet')) return []
  return SOURCES.includes(ON) ? undefined : SOURCES
}

/** The public API by default is that of the main network. */
function stacksOf(read: Read, isApiChosen: boolean): Config['stacks'] {
  const isMain = read.BITCOIN_NETWORK === 'mainnet'
  return {
    observerPort: read.STACKS_OBSERVER_PORT,
    nodes: read.STACKS_RPC_URL ?? [],
    apis: isMain || isApiChosen ? read.STACKS_API_URL : [],
    isApiChosen,
    apiKey: read.STACKS_API_KEY,
    startHeight: read.STACKS_START_HEIGHT,
    chainId: isMain ? CHAIN_IDS.mainnet : CHAIN_IDS.testnet,
  }
}
