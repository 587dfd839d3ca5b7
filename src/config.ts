import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { NETWORKS } from '#kernel/bitcoin.ts'
import { ConfigError } from '#kernel/errors.ts'
import { type EvmLayer, rpcVariableOf, startVariableOf } from '#kernel/evm.ts'
import { CHAIN_IDS } from '#kernel/stacks.ts'
import { zodWords } from '#kernel/zodWords.ts'
import { LIVE_SOURCES } from '#sources/all.ts'

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
          about: `JSON-RPC of ${name}: addresses separated by commas; \`${PUBLIC_ENDPOINTS}\` stands for those of the catalogue. With it the site follows the layer`,
        },
      ],
      [
        startVariableOf(id),
        {
          about: `first height to hold when following ${name}; default: what is held goes on, or the newest block`,
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
    about:
      'folder of the catalogue (layers, tokens, protocols); default: the one that comes with the program',
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
  PUBLIC_URL: {
    schema: url,
    fallback: undefined,
    about: 'origin under which readers reach the site; default `http://localhost:PORT`',
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
      'proxies in front of the site, as addresses or networks separated by commas: their `X-Forwarded-For` tells readers apart',
  },
  NEWSLETTER_URL: {
    schema: address,
    fallback: '/reports',
    about: 'target of Newsletter and Get Updates',
  },
  DOCS_URL: {
    schema: address,
    fallback: '/documentation',
    about: 'where `/docs` leads: an address, or a path of this site',
  },
  SOCIAL_URL: { schema: address, fallback: '/Contact', about: 'target of the social link' },
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
    about: 'a second user that may only read, for people’s SQL; default: the same user',
  },
  CLICKHOUSE_PEOPLE_PASSWORD: { schema: z.string(), fallback: undefined, about: 'its password' },
  CLICKHOUSE_CLUSTER: {
    schema: z.string().min(1),
    fallback: undefined,
    about: 'cluster name: tables become replicated and distributed; not yet proven on a real cluster',
  },
  WAREHOUSE_MEMORY_MB: {
    schema: megabytes(256),
    fallback: '1024',
    about: 'memory that the embedded engine may take, MB',
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
    about: 'REST interface of the node (`rest=1`), in place of JSON-RPC: faster, asks for no password',
  },
  BITCOIN_BLOCKS_DIR: {
    schema: z.string().min(1),
    fallback: undefined,
    about: 'folder of `blk*.dat` files, for `assay backfill --from-files`',
  },
  BITCOIN_START_HEIGHT: {
    schema: wholeNumber(0, 0xffff_ffff),
    fallback: '0',
    about: 'first height to hold when following a node',
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
    about: 'first height to hold when following Stacks; default: what is held goes on, or the newest block',
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
    about: `publishers that are asked by their cadence: \`${ON}\`, \`${OFF}\`, or ids of sources, separated by commas. Asked by default on the main network`,
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
      'git histories of the catalogue’s repositories, cloned and fetched once a day: `on` or `off`; needs git 2.30 and internet',
  },
  DEVELOPERS_DISK_MB: {
    schema: wholeNumber(16, 10_000_000),
    fallback: '4096',
    about: 'disk that these clones may take together, MB; they hold no contents of files',
  },
  INGEST_CACHE_MB: { schema: megabytes(64), fallback: '256', about: 'memory for the newest outputs, MB' },
  INGEST_WORKERS: {
    schema: wholeNumber(1, 64),
    fallback: undefined,
    about:
      'decoding threads; default: one less than there are cores, for archives of Stacks one a core, at most 8',
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
        about: `${what} ${what === 'key' ? 'of' : 'for'} ${names}${isDemanded ? ', which is not asked without one' : ''}`,
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
  publicUrl: string
  trustProxy: string[] | undefined
  links: { newsletter: string | undefined; social: string | undefined; docs: string }
  warehouse: {
    url: string | undefined
    user: string | undefined
    password: string | undefined
    peopleUser: string | undefined
    peoplePassword: string | undefined
    cluster: string | undefined
    memoryBytes: number
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
  /** Histories from which developers are counted. */
  developers: { isOn: boolean; diskBytes: number }
  ingest: { cacheBytes: number; workers: number | undefined }
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
]

/** Endpoints of services carry their key in the path. */
const hasSecret = (name: string): boolean =>
  name !== 'BITCOIN_RPC_URL' && /PASSWORD|KEY|_RPC_URL$|^DATABASE_URL$/.test(name)

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
    publicUrl: (read.PUBLIC_URL ?? `http://localhost:${read.PORT}`).replace(/\/$/, ''),
    trustProxy: read.TRUST_PROXY,
    links: { newsletter: read.NEWSLETTER_URL, social: read.SOCIAL_URL, docs: read.DOCS_URL },
    warehouse: {
      url: read.CLICKHOUSE_URL,
      user: read.CLICKHOUSE_USER,
      password: read.CLICKHOUSE_PASSWORD,
      peopleUser: read.CLICKHOUSE_PEOPLE_USER,
      peoplePassword: read.CLICKHOUSE_PEOPLE_PASSWORD,
      cluster: read.CLICKHOUSE_CLUSTER,
      memoryBytes: read.WAREHOUSE_MEMORY_MB * MEGABYTE,
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
    developers: { isOn: read.DEVELOPERS === ON, diskBytes: read.DEVELOPERS_DISK_MB * MEGABYTE },
    ingest: { cacheBytes: read.INGEST_CACHE_MB * MEGABYTE, workers: read.INGEST_WORKERS },
    logLevel: read.LOG_LEVEL,
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
