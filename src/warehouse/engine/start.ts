import type { Confinement } from './confinement.ts'
import { noFilesOf } from './folder.ts'
import type { UserDecision } from './user.ts'

/** What the parent tells the engine process, as JSON on its standard input. */
export type EngineStart = {
  readonly folder: string
  readonly token: string
  /** The engine's own budget; the process needs about 150 MB beside it. */
  readonly memoryBytes: number
  /** Reads of ours that run at once. */
  readonly readers: number
  /** How long it stays after the last lease has ended. */
  readonly graceMs: number
  /** How long a user query may keep the engine busy before it ends itself, ms; by the query's time limit unless given. */
  readonly mostBusyMs?: number
}

/** What the engine process prints once it listens. */
export type Listening = {
  readonly port: number
  readonly confinement?: Confinement
}

/** Where a running engine is found; kept in `endpoint.json`. The process number is that which the system gave. */
export type Endpoint = Listening & {
  readonly pid: number
  /** Whom it runs as. Absent where an older program has started it. */
  readonly user?: UserDecision
}

/** The first line of an engine process, checked; undefined for anything else. */
export function readListening(line: string): Listening | undefined {
  try {
    const { port, confinement } = JSON.parse(line)
    return Number.isInteger(port) && port > 0 && port < 65_536 ? { port, confinement } : undefined
  } catch {
    return undefined
  }
}

/** What the engine process needs of its parent's environment; the rest holds secrets of other services. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH']

/** The environment of the engine process: named variables of the parent and its own. */
export function engineEnvironment(parent: Readonly<NodeJS.ProcessEnv>): Record<string, string> {
  const passed = PASSED_ON.flatMap(name => {
    const value = parent[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(passed), TZ: 'UTC', UV_THREADPOOL_SIZE: '24', NODE_OPTIONS: '' }
}

/** Server settings: the engine's defaults would take most of the machine. */
export function serverArguments({ folder, memoryBytes }: EngineStart): string[] {
  const share = (part: number) => Math.floor(memoryBytes * part)
  const settings: Record<string, number | string> = {
    user_files_path: noFilesOf(folder),
    max_server_memory_usage: memoryBytes,
    merges_mutations_memory_usage_soft_limit: share(0.3),
    mark_cache_size: share(0.06),
    primary_index_cache_size: share(0.03),
    index_mark_cache_size: share(0.02),
    index_uncompressed_cache_size: 0,
    uncompressed_cache_size: 0,
    query_condition_cache_size: share(0.01),
    compiled_expression_cache_size: 16 * 2 ** 20,
    vector_similarity_index_cache_size: 0,
    text_index_tokens_cache_size: 0,
    text_index_header_cache_size: 0,
    text_index_postings_cache_size: 0,
    unique_key_index_cache_size_bytes: 0,
    iceberg_metadata_files_cache_size: 0,
    parquet_metadata_cache_size: 0,
    max_thread_pool_size: 200,
    max_io_thread_pool_size: 16,
    background_pool_size: 2,
    background_schedule_pool_size: 2,
  }
  return Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
}
