import type { Log } from '#kernel/log.ts'
import { type FileReaderConfig, openFileReader, type StatementProgress } from '#warehouse/index.ts'
import type { Executor } from './execute.ts'
import { createResults, type Results } from './results/createResults.ts'
import { openResultFiles } from './results/resultFiles.ts'
import { createRuns, type Runs, type RunsDeps } from './runs/createRuns.ts'

export type QueryTool = AsyncDisposable & {
  readonly executor: Executor
  readonly runs: Runs
  readonly results: Results
}

export type QueryToolConfig = {
  readonly reader: Omit<FileReaderConfig, 'log'>
  /** How much disk all stored results may take, bytes. */
  readonly resultBytes: number
  readonly executor: Executor
  readonly warehouse: { progressOf(queryId: string): Promise<StatementProgress | undefined> }
  readonly data: RunsDeps['data']
  readonly onEnd?: RunsDeps['onEnd']
  readonly log: Log
}

/** Runs of user queries with stored results. The engine that reads results starts with the first of them. */
export async function openQueryTool({
  reader: readerConfig,
  resultBytes,
  executor,
  warehouse,
  data,
  onEnd,
  log,
}: QueryToolConfig): Promise<QueryTool> {
  await using opening = new AsyncDisposableStack()
  const reader = opening.use(await openFileReader({ ...readerConfig, log }))
  const files = await openResultFiles(reader.folder, resultBytes, log)
  const results = createResults(reader, files)
  const runs = createRuns({
    executor,
    results,
    files,
    progressOf: id => warehouse.progressOf(id),
    data,
    ...(onEnd && { onEnd }),
    log,
  })
  const opened = opening.move()
  return { executor, runs, results, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
