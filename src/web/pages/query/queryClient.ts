import type {
  ChangedQuery,
  CitedResult,
  QueryComments,
  QueryDialect,
  QueryEstimate,
  QueryExample,
  QueryRun,
  QueryRunEvent,
  QuerySchedule,
  QuerySchema,
  QueryVersion,
  ResultPage,
  SavedQuery,
  TableCoverage,
  TeamList,
} from '#http/contract.ts'
import { apiHref } from '../../apiHref.ts'
import { askPerson } from '../../people/askPerson.ts'
import type { SavedLists } from './useCatalog.ts'

type Headers = () => Promise<Readonly<Record<string, string>>>

export type RunRequest = {
  readonly sql: string
  readonly parameters: Readonly<Record<string, string>>
  readonly isFresh?: boolean
}

/** What a save changes. `basedOn` is the version that the change began from. */
export type SavedQueryChange = Pick<
  SavedQuery,
  'name' | 'about' | 'folder' | 'sql' | 'parameters' | 'chart' | 'visibility'
> & { readonly team?: string; readonly basedOn?: number; readonly forkOf?: string }
export type ScheduleChange = {
  readonly cron: string
  readonly parameters: Readonly<Record<string, string>>
  readonly types: Readonly<Record<string, string>>
  readonly isPaused?: boolean
}
export type HistoryRun = Omit<QueryRun, 'progress' | 'queue'>
export const HISTORY_PAGE = 100
/** Public queries per response. */
export const PUBLIC_PAGE = 200

/** Result pages are answered at once if the query ends within this. */
const WAIT_SECONDS = 0.1
const RETRY_MS = 1_000

export const QUERIES = '/api/v1/queries'

/** Ids come from addresses and storage of the browser: one that is no id must not lead to another place of the API. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
const pathOf = (id: string, rest = ''): string => `${QUERIES}/${encodeURIComponent(id)}${rest}`
const runPath = (id: string, rest = ''): string => `${QUERIES}/runs/${encodeURIComponent(id)}${rest}`

/** The query tool’s part of the API, as asked by whoever is signed in. Everything throws `ApiRefusal`. */
export function createQueryClient(headers: Headers) {
  const person = { headers }
  const post = (path: string, body: object, signal?: AbortSignal) =>
    askPerson(person, QUERIES + path, { method: 'POST', body, ...(signal && { signal }) })
  const read = (id: string) => askPerson(person, runPath(id)) as Promise<QueryRun>

  return {
    run: (request: RunRequest) =>
      post('/runs', { ...request, waitSeconds: WAIT_SECONDS }) as Promise<QueryRun>,
    read,
    cancel: (id: string) =>
      askPerson(person, runPath(id), { method: 'DELETE', isKept: true }) as Promise<QueryRun>,
    estimate: (request: RunRequest, signal: AbortSignal) =>
      post('/estimate', request, signal) as Promise<QueryEstimate>,
    schema: () => askPerson(person, `${QUERIES}/schema`) as Promise<QuerySchema>,
    coverage: (table: string) =>
      askPerson(person, `${QUERIES}/tables/${encodeURIComponent(table)}`) as Promise<TableCoverage>,
    dialect: () => askPerson(person, `${QUERIES}/dialect`) as Promise<QueryDialect>,
    examples: async () =>
      ((await askPerson(person, `${QUERIES}/examples`)) as { examples: QueryExample[] }).examples,
    savedQueries: () => askPerson(person, QUERIES) as Promise<SavedLists>,
    publicQueries: async (search: string, offset: number) => {
      const query = new URLSearchParams({ ...(search !== '' && { search }), offset: String(offset) })
      return ((await askPerson(person, `${QUERIES}?${query}`)) as SavedLists).public
    },
    savedQuery: (id: string) => askPerson(person, pathOf(id)) as Promise<SavedQuery>,
    create: (change: SavedQueryChange) => post('', change) as Promise<SavedQuery>,
    save: (id: string, change: SavedQueryChange) =>
      askPerson(person, pathOf(id), { method: 'PUT', body: change }) as Promise<ChangedQuery>,
    remove: (id: string) => askPerson(person, pathOf(id), { method: 'DELETE' }),
    star: (id: string, isStarred: boolean) =>
      askPerson(person, pathOf(id, '/star'), { method: isStarred ? 'PUT' : 'DELETE' }),
    comments: (id: string) => askPerson(person, pathOf(id, '/comments')) as Promise<QueryComments>,
    comment: (id: string, text: string) =>
      askPerson(person, pathOf(id, '/comments'), {
        method: 'POST',
        body: { text },
      }) as Promise<QueryComments>,
    removeComment: (id: string, comment: string) =>
      askPerson(person, pathOf(id, `/comments/${encodeURIComponent(comment)}`), { method: 'DELETE' }),
    schedule: (id: string) => askPerson(person, pathOf(id, '/schedule')) as Promise<QuerySchedule>,
    setSchedule: (id: string, schedule: ScheduleChange) =>
      askPerson(person, pathOf(id, '/schedule'), { method: 'PUT', body: schedule }) as Promise<QuerySchedule>,
    removeSchedule: (id: string) => askPerson(person, pathOf(id, '/schedule'), { method: 'DELETE' }),
    resultRows: (hash: string, limit: number, offset = 0) =>
      askPerson(
        person,
        `${QUERIES}/results/${encodeURIComponent(hash)}?limit=${limit}&offset=${offset}`,
      ) as Promise<ResultPage>,
    /** A stored result with its query. */
    cited: (hash: string) =>
      askPerson(person, `${QUERIES}/results/${encodeURIComponent(hash)}/query`) as Promise<CitedResult>,
    /** Teams that the reader may share queries with. */
    teams: async () =>
      ((await askPerson(person, '/api/v1/teams')) as TeamList).teams.filter(({ role }) => role !== 'viewer'),
    versions: async (id: string) =>
      ((await askPerson(person, pathOf(id, '/versions'))) as { versions: QueryVersion[] }).versions,
    async history(search: string, before?: string): Promise<readonly HistoryRun[]> {
      const query = new URLSearchParams({
        limit: String(HISTORY_PAGE),
        ...(search !== '' && { search }),
        ...(before !== undefined && { before }),
      })
      const answer = await askPerson(person, `${QUERIES}/runs?${query}`)
      return (answer as { runs: HistoryRun[] }).runs
    },
    async isEquivalent(first: string, second: string): Promise<boolean> {
      const answer = (await post('/equivalence', { first, second })) as { isEquivalent: boolean }
      return answer.isEquivalent
    },

    /** Follows a run to its end. A broken stream is opened again. */
    async follow(id: string, onRun: (run: QueryRunEvent) => void, signal: AbortSignal): Promise<void> {
      for (;;) {
        let last: QueryRun | undefined
        try {
          for await (const run of events(runPath(id, '/events'), await headers(), signal)) {
            last = run
            onRun(run)
          }
        } catch (cause) {
          if (signal.aborted) throw cause
        }
        if (last !== undefined && isEnded(last)) return
        const run = await read(id)
        onRun(run)
        if (isEnded(run)) return
        await new Promise(resolve => setTimeout(resolve, RETRY_MS))
        signal.throwIfAborted()
      }
    },
  }
}

export type QueryClient = ReturnType<typeof createQueryClient>

export const isEnded = ({ state }: Pick<QueryRun, 'state'>): boolean =>
  state === 'succeeded' || state === 'failed' || state === 'cancelled'

/** Runs of an event stream. A browser’s own reader of such streams cannot send who asks. */
async function* events(
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<QueryRunEvent> {
  const answer = await fetch(apiHref(path), { headers: { ...headers, accept: 'text/event-stream' }, signal })
  if (!answer.ok || answer.body === null) return
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const parts = (rest + value.replaceAll('\r\n', '\n')).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const run = runOf(part)
      if (run !== undefined) yield run
    }
  }
}

/** The run that an event holds; other events and comments keep the connection open and hold none. */
export function runOf(event: string): QueryRunEvent | undefined {
  const lines = event.split('\n')
  if (!lines.some(line => /^event: ?run$/.test(line))) return undefined
  const text = lines
    .filter(line => line.startsWith('data:'))
    .map(line => line.slice('data:'.length))
    .join('\n')
  return text === '' ? undefined : (JSON.parse(text) as QueryRunEvent)
}
