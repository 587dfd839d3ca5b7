import type { z } from 'zod'
import type * as comments from './queries/comments/schema.ts'
import type * as schedules from './queries/schedules/schema.ts'
import type * as queries from './queries/schema.ts'
import type * as across from './schemas/across.ts'
import type * as applications from './schemas/applications.ts'
import type * as assets from './schemas/assets.ts'
import type * as balances from './schemas/balances.ts'
import type * as billing from './schemas/billing.ts'
import type * as bitcoin from './schemas/bitcoin.ts'
import type * as cms from './schemas/cms.ts'
import type * as common from './schemas/common.ts'
import type * as compare from './schemas/compare.ts'
import type * as content from './schemas/content.ts'
import type * as developers from './schemas/developers.ts'
import type * as directory from './schemas/directory.ts'
import type * as features from './schemas/features.ts'
import type * as indices from './schemas/indices.ts'
import type * as layers from './schemas/layers.ts'
import type * as metrics from './schemas/metrics.ts'
import type * as opportunities from './schemas/opportunities.ts'
import type * as sbtc from './schemas/sbtc.ts'
import type * as search from './schemas/search.ts'
import type * as signals from './schemas/signals.ts'
import type * as sql from './schemas/sql.ts'
import type * as stacks from './schemas/stacks.ts'
import type * as stacksCoins from './schemas/stacksCoins.ts'
import type * as state from './schemas/status.ts'
import type * as treasuries from './schemas/treasuries.ts'
import type * as yields from './schemas/yields.ts'
import type * as teams from './teams/schema.ts'
import type * as uploads from './uploads/schema.ts'
import type { GRAINS, RANGES, SQL_FORMATS, UNITS } from './vocabulary.ts'

/**
 * What the pages and the API say to each other. The server's in-process client and the browser's client carry the same
 * `Api`. Every shape is the one that the schema of the same name checks, so the API document says the same. Amounts are
 * decimal strings, other integers numbers up to 2^53 − 1. Times are ISO-8601 in UTC, days `YYYY-MM-DD`, hashes lower-case
 * hex in display order.
 */
export { amountUnit } from './amountUnit.ts'
export {
  BACKTEST_NUMBERS,
  GRAINS,
  INDEX_REBALANCES,
  INDEX_WEIGHTINGS,
  RANGES,
  SQL_FORMATS,
  UNITS,
} from './vocabulary.ts'

export type Grain = (typeof GRAINS)[number]
export type UnitView = (typeof UNITS)[number]
export type Range = (typeof RANGES)[number]
export type SqlFormat = (typeof SQL_FORMATS)[number]

/** How old and how complete a figure is. */
export type AsOf = z.infer<typeof common.asOf>
export type ChainAsOf = z.infer<typeof common.chainAsOf>
export type SourceRef = z.infer<typeof common.sourceRef>
/** application/problem+json (RFC 9457). */
export type Problem = z.infer<typeof common.problem>
/** What one code of a problem means, and what to do about it. */
export type ProblemKind = z.infer<typeof common.problemKind>

/** A `{name:Type}` of a metric's SQL. */
export type SqlParameter = z.infer<typeof metrics.sqlParameter>
/** A metric as `/api/v1/metrics` lists it: the fields of `metrics.md` under those names. */
export type MetricEntry = z.infer<typeof metrics.metricEntry>
/** One bucket of one line. `value` is null for "not known", never 0. */
export type Point = z.infer<typeof metrics.point>
export type Restatement = z.infer<typeof metrics.restatement>
/** Another source's figure for a day that a better source covers. */
export type Difference = z.infer<typeof metrics.difference>
export type Series = z.infer<typeof metrics.series>
/** What alerts on a figure would have told over the days of a series. */
export type Watched = z.infer<typeof metrics.watched>
/** A figure that is one point of a series with its change over a range. */
export type Figure = z.infer<typeof metrics.figure>

/** Newest figures of many metrics of many layers. */
export type Comparison = z.infer<typeof compare.comparison>
export type ComparedFigure = Comparison['figures'][number]
export type ComparedEntity = Comparison['entities'][number]
export type ComparisonQuery = {
  metrics: readonly { id: string; grain: 'day' | 'week' | 'month' }[]
  entities: readonly string[]
  changeRange: Range
  unit?: UnitView
}

export type SeriesQuery = {
  id: string
  entity: string
  /** First and last day, inclusive; left out: all there is. */
  from?: string
  to?: string
  /** A span up to the newest day, in place of `from`. */
  range?: Range
  grain?: Grain
  unit?: UnitView
  /** Only these values of the breakdown. */
  breakdown?: string[]
  /** Switches of the metric to turn on. */
  switches?: string[]
  /** Without what else is said of the same days: restatements and differences stay empty. For the pages' charts. */
  figuresOnly?: boolean
}

export type SqlRequest = z.infer<typeof sql.sqlRequest>
export type SqlColumn = z.infer<typeof sql.sqlColumn>
export type SqlAnswer = z.infer<typeof sql.sqlAnswer>

export type QueryRun = z.infer<typeof queries.queryRun>
export type QueryRunEvent = z.infer<typeof queries.queryRunEvent>
export type QueryResult = z.infer<typeof queries.queryResult>
export type CitedResult = z.infer<typeof queries.citedResult>
export type LatestQueryResult = z.infer<typeof queries.latestResult>
export type ResultFilter = z.infer<typeof queries.resultFilter>
export type ResultPage = z.infer<typeof queries.resultPage>
export type ResultChart = z.infer<typeof queries.resultChart>
export type ColumnProfile = z.infer<typeof queries.columnProfile>
export type QueryEstimate = z.infer<typeof queries.queryEstimate>
export type QuerySchema = z.infer<typeof queries.querySchema>
export type TableCoverage = z.infer<typeof queries.tableCoverage>
export type QueryDialect = z.infer<typeof queries.queryDialect>
export type QueryExample = z.infer<typeof queries.queryExample>
export type QueryHistory = z.infer<typeof queries.runHistory>
export type SavedQuery = z.infer<typeof queries.savedQuery>
export type ChangedQuery = z.infer<typeof queries.changedQuery>
export type SavedQueries = z.infer<typeof queries.savedQueries>
export type QueryVersion = z.infer<typeof queries.queryVersion>
export type Team = z.infer<typeof teams.team>
export type TeamInvitation = z.infer<typeof teams.newInvitation>
export type QueryComments = z.infer<typeof comments.queryComments>
export type QuerySchedule = z.infer<typeof schedules.querySchedule>
export type TeamList = z.infer<typeof teams.teamList>
export type Upload = z.infer<typeof uploads.upload>
export type UploadDraft = z.infer<typeof uploads.uploadDraft>
export type Uploads = z.infer<typeof uploads.uploadList>

export type BlockSummary = z.infer<typeof bitcoin.blockSummary>
export type BlocksQuery = z.infer<typeof bitcoin.blocksQuery>
export type BlockPage = z.infer<typeof bitcoin.blockPage>
export type BlockDetail = z.infer<typeof bitcoin.blockDetail>
export type LayerOpView = z.infer<typeof bitcoin.layerOp>
export type CounterpartView = z.infer<typeof common.counterpart>
export type TxSummary = z.infer<typeof bitcoin.txSummary>
export type TxInputView = z.infer<typeof bitcoin.txInput>
export type TxOutputView = z.infer<typeof bitcoin.txOutput>
export type TxDetail = z.infer<typeof bitcoin.txDetail>

export type StacksBlockSummary = z.infer<typeof stacks.stacksBlockItem>
export type StacksBlockDetail = z.infer<typeof stacks.stacksBlock>
export type StacksTxSummary = z.infer<typeof stacks.stacksTxItem>
export type StacksTxDetail = z.infer<typeof stacks.stacksTx>
export type StacksPostCondition = StacksTxDetail['postConditions'][number]
export type StacksSentence = z.infer<typeof stacks.stacksSentence>
export type StacksTransferView = z.infer<typeof stacks.stacksTransfer>
export type StacksPrintView = z.infer<typeof stacks.stacksPrint>
export type StacksNamesAnswer = z.infer<typeof stacks.stacksNames>
export type StacksContractDetail = z.infer<typeof stacks.stacksContract>
export type StacksNameDetail = z.infer<typeof stacks.stacksName>
export type StacksCoin = z.infer<typeof stacksCoins.coin>
export type StacksCoins = z.infer<typeof stacksCoins.coinsPage>
export type StacksAddressDetail = z.infer<typeof stacks.stacksAddress>
export type StacksBurnBlock = z.infer<typeof stacks.burnBlockItem>
export type StacksTableAnswer = ApplicationTable

export type SbtcDepositView = z.infer<typeof sbtc.sbtcDeposit>
export type SbtcWithdrawalView = z.infer<typeof sbtc.sbtcWithdrawal>
export type SbtcDepositDetail = z.infer<typeof sbtc.sbtcDepositDetail>
export type SbtcFlowStep = NonNullable<SbtcDepositDetail['flow']>['steps'][number]
export type SbtcWithdrawalDetail = z.infer<typeof sbtc.sbtcWithdrawalDetail>
export type SbtcSummary = z.infer<typeof sbtc.sbtcSummary>
export type SbtcTypical = SbtcSummary['typical']
export type SbtcDepositsQuery = z.infer<typeof sbtc.sbtcDepositsQuery>
export type SbtcWithdrawalsQuery = z.infer<typeof sbtc.sbtcWithdrawalsQuery>

export type StacksYieldDetail = z.infer<typeof yields.stacksYield>
export type StacksYieldRow = StacksYieldDetail['rows'][number]

export type LayerDirectory = z.infer<typeof directory.directory>
export type DirectoryLayer = z.infer<typeof directory.directoryItem>
export type LayerProfile = z.infer<typeof directory.layerProfile>
/** Where a fact of the catalogue was read. */
export type Origin = LayerProfile['origin']
export type TrustCategory = z.infer<typeof directory.trustCategory>
export type PublishedGrade = NonNullable<DirectoryLayer['grades'][TrustCategory]>
/** What happened to a chain on a day: a flag on time axes. */
export type ChainEvent = { day: string; label: string; note: string }

export type Application = z.infer<typeof applications.application>
export type Treasury = z.infer<typeof treasuries.treasury>
export type MarketIndex = z.infer<typeof indices.marketIndex>
export type IndexList = z.infer<typeof indices.indexList>
export type BacktestQuery = Omit<z.infer<typeof indices.backtestQuery>, 'format'>
export type BacktestAnswer = z.infer<typeof indices.backtestAnswer>
export type Opportunity = z.infer<typeof opportunities.opportunity>
export type ApplicationTable = z.infer<typeof applications.applicationTable>

export type SignalSummary = z.infer<typeof signals.signalItem>
export type SignalList = z.infer<typeof signals.signalList>
export type SignalDetail = z.infer<typeof signals.signalDetail>
export type SignalRecordView = z.infer<typeof signals.record>
export type SignalComposite = z.infer<typeof signals.composite>
export type SignalRecords = z.infer<typeof signals.signalRecords>

export type LayerAbout = z.infer<typeof layers.layerAbout>
export type LayerBlockSummary = z.infer<typeof layers.layerBlockItem>
export type LayerBlockAnswer = z.infer<typeof layers.layerBlock>
export type LayerHeaderView = z.infer<typeof layers.layerHeader>
export type LayerTxSummary = z.infer<typeof layers.layerTxItem>
export type LayerTxDetail = z.infer<typeof layers.layerTx>
export type LayerTransferView = z.infer<typeof layers.layerTransfer>
export type LayerEventView = z.infer<typeof layers.layerEvent>
export type LayerAccountDetail = z.infer<typeof layers.layerAccount>
export type LayerContractLists = z.infer<typeof layers.layerContracts>

export type ChainHeldView = z.infer<typeof across.chainHeld>
export type HotContractsAnswer = z.infer<typeof across.hotContracts>
export type PopularCallsAnswer = z.infer<typeof across.popularCalls>
export type DeployedAnswer = z.infer<typeof across.deployed>
export type DeployedSummaryAnswer = z.infer<typeof across.deployedSummary>
export type FamiliesAnswer = z.infer<typeof across.families>
export type BalancesAnswer = z.infer<typeof balances.balances>
export type TokensAnswer = z.infer<typeof assets.fungibleTokens>
export type CollectionsAnswer = z.infer<typeof assets.collections>
export type MintsAnswer = z.infer<typeof assets.mints>
export type ValueLockedAnswer = z.infer<typeof assets.valueLocked>
export type SpanQuery = Omit<z.infer<typeof across.spanQuery>, 'format'>

export type SearchResult = z.infer<typeof search.searchResult>
export type SearchAnswer = z.infer<typeof search.searchAnswer>

export type Page<Item> = { items: Item[]; next: string | null; asOf: AsOf }

/** Where base rows stand: what is held, from where, how far. */
export type Status = z.infer<typeof state.status>
export type Schedule = z.infer<typeof state.schedule>

/** Blocks, transactions, contracts and addresses of Stacks. */
export type StacksApi = {
  blocks(query: { before?: number; limit?: number }): Promise<Page<StacksBlockSummary>>
  block(heightOrHash: string): Promise<StacksBlockDetail>
  blockTxs(heightOrHash: string, query: { after?: number; limit?: number }): Promise<Page<StacksTxSummary>>
  tx(txid: string): Promise<StacksTxDetail>
  contract(contract: string): Promise<StacksContractDetail>
  address(address: string): Promise<StacksAddressDetail>
  burnBlocks(query: { before?: number; limit?: number }): Promise<Page<StacksBurnBlock>>
  /** A table of ours. Throws `http.stacks_table`. */
  table(id: string): Promise<StacksTableAnswer>
  name(name: string): Promise<StacksNameDetail>
  /** Names of an address in the blocks held, the one that stands beside it first. */
  namesOf(address: string): Promise<string[]>
  coins(kind: 'meme' | 'stable'): Promise<StacksCoins>
  readonly sbtc: SbtcApi
  /** What an address got for stacking, cycle by cycle. */
  yield(address: string): Promise<StacksYieldDetail>
}

/** Deposits into sBTC and withdrawals from it, followed over both chains. */
export type SbtcApi = {
  summary(): Promise<SbtcSummary>
  deposits(query: SbtcDepositsQuery): Promise<Page<SbtcDepositView>>
  withdrawals(query: SbtcWithdrawalsQuery): Promise<Page<SbtcWithdrawalView>>
  deposit(id: string, query: { throughContracts?: boolean }): Promise<SbtcDepositDetail>
  withdrawal(requestId: string): Promise<SbtcWithdrawalDetail>
}

/** One EVM layer: what the catalogue says of it, its blocks, transactions, contracts and addresses. */
export type LayerApi = {
  about(): Promise<LayerAbout>
  blocks(query: { before?: number; limit?: number }): Promise<Page<LayerBlockSummary>>
  headers(query: { before?: number; limit?: number }): Promise<Page<LayerHeaderView>>
  block(heightOrHash: string): Promise<LayerBlockAnswer>
  blockTxs(heightOrHash: string, query: { after?: number; limit?: number }): Promise<Page<LayerTxSummary>>
  tx(hash: string): Promise<LayerTxDetail>
  account(address: string): Promise<LayerAccountDetail>
  contracts(): Promise<LayerContractLists>
}

/** What is asked of all chains at once. */
export type AcrossApi = {
  /** What is held of each chain up to its newest block. */
  held(): Promise<{ held: ChainHeldView[]; asOf: AsOf }>
  hotContracts(query: SpanQuery): Promise<HotContractsAnswer>
  popularCalls(query: SpanQuery): Promise<PopularCallsAnswer>
  /** Throws `explorer.cursor`. */
  deployed(query: Omit<z.infer<typeof across.deployedQuery>, 'format'>): Promise<DeployedAnswer>
  deployedSummary(query: z.infer<typeof across.chainQuery>): Promise<DeployedSummaryAnswer>
  families(): Promise<FamiliesAnswer>
  tokens(query: z.infer<typeof across.chainQuery>): Promise<TokensAnswer>
  collections(query: z.infer<typeof across.chainQuery>): Promise<CollectionsAnswer>
  mints(query: z.infer<typeof across.chainQuery>): Promise<MintsAnswer>
  valueLocked(): Promise<ValueLockedAnswer>
  /** Of one address, with its history. */
  balancesOf(address: string): Promise<BalancesAnswer>
  manyBalances(request: z.infer<typeof balances.balancesRequest>): Promise<BalancesAnswer>
}

/** What the catalogue says of every Bitcoin layer, those without a node of ours too. */
export type DirectoryApi = {
  list(): Promise<LayerDirectory>
  /** Throws `http.layer` with the nearest names. */
  layer(slug: string): Promise<LayerProfile>
  /** Upgrades and incidents of a chain, oldest first; none of a name that the catalogue tells nothing of. */
  events(entity: string): Promise<ChainEvent[]>
  /** Names of protocols by the slugs under which their figures are kept: ours and those of publishers. */
  protocolNames(): Promise<Readonly<Record<string, string>>>
}

/** What the catalogue says of applications. */
export type ApplicationsApi = {
  /** Throws `http.application` with the nearest names. */
  profile(slug: string): Promise<Application>
  /** Throws `http.application`, `http.application_table` with the nearest names. */
  table(slug: string, table: string): Promise<ApplicationTable>
}

export type Ecosystem = developers.EcosystemList['items'][number]

/** Who builds: counts, never people. */
export type DevelopersApi = {
  list(): Promise<developers.EcosystemList>
  /** Throws `http.developer_table` with the nearest names. */
  table(table: string): Promise<ApplicationTable>
}

/** Named rights of the asker; empty for who does not sign in. */
export type Features = features.Features
export type WrittenPage = content.WrittenPage
export type WrittenBlock = content.Block
export type WrittenInline = content.Inline
export type GuideList = content.GuideList
export type Report = content.Report
export type ReportFigure = content.ReportFigure
export type ReportList = content.ReportList
export type Plans = billing.Plans
export type OwnSubscription = billing.OwnSubscription
export type GatedItem = cms.GatedItem
export type GatedText = cms.GatedText
export type PageItem = cms.PageItem
export type AdItem = cms.AdItem
export type AdCounts = cms.AdCounts
export type TextEntries = cms.TextEntries
export type OpenedText = cms.OpenedText
export type TextPreview = cms.TextPreview
export type PictureList = cms.PictureList

/** What editors wrote. */
export type ContentApi = {
  /** Throws `http.page` with the nearest names. */
  page(name: string): Promise<WrittenPage>
  /** Chapters of the documentation, in their order. */
  guides(): Promise<GuideList>
  /** Throws `http.page` with the nearest names. */
  guide(name: string): Promise<WrittenPage>
  /** The newest first. */
  reports(): Promise<ReportList>
  /**
   * With its numbers as published beside now; of one that needs a feature title, summary, sources and chart alone. Throws
   * `http.report` with the nearest keys.
   */
  report(key: string): Promise<Report>
  /** When advertisements run that are not over: start and end of each, ms. */
  adWindows(): Promise<(readonly [startMs: number, endMs: number])[]>
  /** Pieces for who has a feature, each below the page at its path, without their texts. */
  gated(): Promise<GatedItem[]>
  /** Example queries, by topic. */
  queryExamples(): Promise<QueryExample[]>
}

/** Holders of bitcoin, as the catalogue has them, and tables about them. */
export type TreasuriesApi = {
  list(): Promise<{ items: Treasury[] }>
  /** Throws `http.treasury` with the nearest names. */
  profile(id: string): Promise<Treasury>
  /** Throws `http.treasury_table` with the nearest names. */
  table(table: string): Promise<ApplicationTable>
  /** Of one holder. Throws `http.treasury`, `http.treasury_table` with the nearest names. */
  tableOf(id: string, table: string): Promise<ApplicationTable>
}

/** Indices of tokens, as the catalogue has them, tables about them, and the builder. */
export type IndicesApi = {
  list(): Promise<IndexList>
  /** Throws `http.index_table` with the nearest names. */
  table(table: string): Promise<ApplicationTable>
  /** Of one index. Throws `http.index`, `http.index_table` with the nearest names. */
  tableOf(id: string, table: string): Promise<ApplicationTable>
  /** Throws `http.parameter` for a token that none of the indices may hold. */
  backtest(query: BacktestQuery): Promise<BacktestAnswer>
}

export type OpportunitiesApi = {
  list(): Promise<{ items: Opportunity[] }>
  /** Throws `http.opportunity_table` with the nearest names. */
  table(table: string): Promise<ApplicationTable>
}

/** The signals of Alpha21, as the catalogue has them, with their records. */
export type SignalsApi = {
  list(): Promise<SignalList>
  /** Throws `http.signal` with the nearest names. */
  signal(id: string): Promise<SignalDetail>
  /** What follows the signals of each year that had a record by then. */
  composite(): Promise<SignalComposite>
  records(): Promise<SignalRecords>
  /** The record of a signal, with the statement that gives it. Throws `http.signal` with the nearest names. */
  table(id: string): Promise<ApplicationTable>
}

/**
 * Everything a page may ask. The in-process client answers on the server, the HTTP client in the browser. Errors of the
 * in-process client are AssayErrors with a `status`, those of the HTTP client carry the `Problem`.
 */
export type Api = {
  metrics(): Promise<MetricEntry[]>
  metric(id: string, entityKind?: string, entity?: string): Promise<MetricEntry>
  series(query: SeriesQuery, signal?: AbortSignal): Promise<Series>
  /** What alerts on the metric’s watches would have told over the days that are asked for. */
  watched(query: SeriesQuery): Promise<Watched>
  /** The newest figure, up to the day `to` if one is given. */
  figure(query: {
    id: string
    entity: string
    changeRange: Range
    to?: string
    unit?: UnitView
  }): Promise<Figure>
  compare(query: ComparisonQuery): Promise<Comparison>
  blocks(query: BlocksQuery): Promise<BlockPage>
  block(heightOrHash: string): Promise<BlockDetail>
  blockTxs(heightOrHash: string, query: { after?: number; limit?: number }): Promise<Page<TxSummary>>
  tx(txid: string): Promise<TxDetail>
  readonly stacks: StacksApi
  readonly directory: DirectoryApi
  readonly applications: ApplicationsApi
  readonly content: ContentApi
  readonly developers: DevelopersApi
  readonly treasuries: TreasuriesApi
  readonly indices: IndicesApi
  readonly opportunities: OpportunitiesApi
  readonly signals: SignalsApi
  readonly across: AcrossApi
  /** Of a name that is no layer every question throws `explorer.layer`. */
  layer(layer: string): LayerApi
  /** What has such a name, or is held under such an id, the best first. */
  search(query: { q: string; limit: number }): Promise<SearchAnswer>
  sql(request: SqlRequest, signal?: AbortSignal): Promise<SqlAnswer>
  /** The same for a query from the query tool, with values from its form. */
  formSql(request: SqlRequest, signal?: AbortSignal): Promise<SqlAnswer>
  status(): Promise<Status>
  /** What can be bought on this server. */
  plans(): Promise<Plans>
  /** Every kind of problem that the API answers with. */
  problems(): Promise<ProblemKind[]>
}
