/**
 * What people's SQL may not name. The connection is read-only and the engine guards the rest; these lists keep readers to
 * the public views and away from files, the network and the machine, where the engine alone would let them through.
 */

/** Databases that hold the base tables and the engine's own state. */
export const HIDDEN_DATABASES: ReadonlySet<string> = new Set(['base', 'system', 'information_schema'])

/** The table functions that reach nothing outside the query. Every other one is refused. */
export const OPEN_TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'null',
  'numbers',
  'numbers_mt',
  'generateseries',
  'generate_series',
  'values',
  'view',
  'zeros',
  'zeros_mt',
])

/** Table functions that reach files, the network, other tables or the engine, refused wherever a bracket follows them. */
const CLOSED_TABLE_FUNCTIONS = [
  ...['arrowflight', 'arrowstream', 'azureblobstorage', 'cluster', 'clusterallreplicas', 'cosn', 'deltalake'],
  ...[
    'dictionary',
    'eval',
    'executable',
    'file',
    'filecluster',
    'filesystem',
    'fuzzjson',
    'fuzzquery',
    'gcs',
  ],
  ...[
    'generaterandom',
    'hdfs',
    'hdfscluster',
    'hudi',
    'hudicluster',
    'iceberg',
    'input',
    'jdbc',
    'loop',
    'merge',
  ],
  ...['mongodb', 'mysql', 'odbc', 'oss', 'paimon', 'postgresql', 'python', 'redis', 'remote', 'remotesecure'],
  ...['s3', 's3cluster', 'sqlite', 'url', 'urlcluster', 'viewexplain', 'viewifpermitted', 'ytsaurus'],
]

/** Functions that read files, other tables or the network, tell about the machine, or hold a connection. */
const CLOSED_FUNCTIONS = [
  ...[
    'addresstoline',
    'addresstolinewithinlines',
    'addresstosymbol',
    'authenticateduser',
    'authuser',
    'buildid',
  ],
  ...['catboostevaluate', 'connectionid', 'connection_id', 'currentuser', 'current_user', 'demangle'],
  ...['displayname', 'evalmlmethod', 'fqdn', 'fullhostname', 'generateserialid', 'getclienthttpheader'],
  ...['getmacro', 'getmergetreesetting', 'getoskernelversion', 'getserverport', 'getserversetting'],
  ...['hascolumnintable', 'hasthreadfuzzer', 'hostname', 'icebergbucket', 'logtrace', 'serveruuid'],
  ...['session_user', 'showcertificate', 'sleep', 'sleepeachrow', 'tcpport', 'tid', 'user'],
  ...['zookeepersessionuptime', 'structuretocapnprotoschema', 'structuretoprotobufschema'],
]

const CLOSED: ReadonlySet<string> = new Set([...CLOSED_TABLE_FUNCTIONS, ...CLOSED_FUNCTIONS])

/** Families whose members the engine adds to: dictionaries, models, prompts to outside services, table innards. */
const CLOSED_FAMILIES =
  /^(?:ai(?:classify|embed|extract|generate|translate)|azureblob|deltalake|dict(?:get|has|isin)|filesystem|hudi|iceberg|joinget|mergetree|naivebayes|paimon|prometheus|timeseries(?:data|metrics|samples|selector|tags)|transaction)/

/** Whether people's SQL may not call a function or table function of this name. */
export function isClosedFunction(name: string): boolean {
  const lower = name.toLowerCase()
  return CLOSED.has(lower) || CLOSED_FAMILIES.test(lower)
}
