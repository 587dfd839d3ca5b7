import type { Catalog } from '#catalog/index.ts'
import type { Content } from '#content/index.ts'
import type { Explorer } from '#explorer/index.ts'
import type { Metrics, Standing } from '#metrics/index.ts'
import type { FileAnswer, Queries, QueryRole, TextAnswer, TextForm } from '#queries/index.ts'
import type { NamedPage } from '#search/index.ts'
import type { FileFormat } from '#warehouse/index.ts'
import type { ApiError } from './apiError.ts'
import type {
  Api,
  AsOf,
  ChainAsOf,
  Comparison,
  ComparisonQuery,
  Figure,
  MetricEntry,
  Plans,
  Range,
  Report,
  Schedule,
  Series,
  SeriesQuery,
  SourceRef,
  SqlRequest,
  Status,
  UnitView,
} from './contract.ts'

/** What the metrics room gives. */
export type MetricsDoor = {
  list(standing?: Standing): MetricEntry[] | Promise<MetricEntry[]>
  entry(
    id: string,
    entityKind?: string,
    entity?: string,
    standing?: Standing,
  ): MetricEntry | Promise<MetricEntry>
  standing(): Promise<Standing>
  series(query: Omit<SeriesQuery, 'range'>, signal?: AbortSignal, standing?: Standing): Promise<Series>
  seriesFile(
    series: Pick<Series, 'sql' | 'parameters'>,
    format: FileFormat,
    signal?: AbortSignal,
  ): Promise<Buffer>
  newestDay(query: Omit<SeriesQuery, 'range'>, standing: Standing): Promise<string | null | undefined>
  figure(
    query: { id: string; entity: string; changeRange: Range; to?: string; unit?: UnitView },
    signal?: AbortSignal,
    standing?: Standing,
  ): Promise<Figure>
  comparison(query: ComparisonQuery, standing: Standing, signal?: AbortSignal): Promise<Comparison>
  sources(): SourceRef[] | Promise<SourceRef[]>
} & Pick<Metrics, 'signal' | 'composite' | 'watchedOf'>

/** What stands behind the API. */
export type ApiDeps = {
  metrics: MetricsDoor
  queries: Queries
  explorer: Explorer
  /** The facts that the site is made of. */
  catalog: Catalog
  /** What editors have published now. */
  content: () => Content
  /** The map of the site, for its search; none where there are no pages. */
  pages?: readonly NamedPage[]
  /** Where base rows stand: ingest's own word, with the version and the sources. */
  status(): Promise<Omit<Status, 'schedule'>>
  /** What can be bought on this server. */
  plans(): Promise<Plans>
  /** How publishers are asked; apart, because it is read from another store. */
  schedule(): Promise<Schedule>
}

/** The API with what only HTTP offers: files, cancelling, how old all is. */
export type FullApi = Omit<Api, 'content'> & {
  /** Also the text of a report that needs a feature: routes ask for it once they know who asks. */
  readonly content: Api['content'] & { wholeReport(key: string): Promise<Report> }
  asOf(): Promise<AsOf>
  /** The newest indexed blocks of the chains whose tables a user query reads. */
  asOfSql(sql: string): Promise<ChainAsOf[]>
  /** The answer of `sql` with its rows as text. */
  sqlText(
    request: SqlRequest,
    form: TextForm,
    signal?: AbortSignal,
  ): Promise<TextAnswer & { asOf: ChainAsOf[] }>
  sqlFile(request: SqlRequest, format: FileFormat, signal?: AbortSignal): Promise<FileAnswer>
  /** The points of an answer as a file, all of them. */
  seriesFile(series: Series, format: FileFormat, signal?: AbortSignal): Promise<Buffer>
  cancel(queryId: string): Promise<boolean>
}

/** Who asks, for the limits of people's SQL, and who hears that an answer is missing a part for a passing reason. */
export type Asker = {
  /** Limits count by it: the network, or the person where a person has limits of their own. */
  address: string
  role?: QueryRole
  /** Whose uploads its queries may read. */
  uploadsOf?: string | undefined
  onPassingFailure?: (error: ApiError) => void
}
