import { Command } from 'commander'
import type { Catalog } from '#catalog/index.ts'
import {
  type Asked,
  askOnce,
  missingKey,
  nameOf,
  prepareJobs,
  readSourceStates,
} from '#ingest/sources/index.ts'
import { AssayError, ConfigError } from '#kernel/errors.ts'
import { LIVE_SOURCES } from '#sources/all.ts'
import type { LiveSource, SourceRequest } from '#sources/live.ts'
import { askedSources, createRunnerOf, openStoreOf, type Rooms, stacksCalls } from '../main.ts'
import { keepSources } from './keepSources.ts'
import { printLine } from './output.ts'
import { stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'

export const sourcesCommand = (): Command => {
  const command = new Command('sources').description('sources that are polled')
  command
    .command('list', { isDefault: true })
    .description('every source, and the state of its requests')
    .action(() => withRooms(list))
  command
    .command('check')
    .description('poll once and print the figures as JSON lines, without storing them')
    .argument('<source>', 'id of the source, as in `assay sources`')
    .argument('[about]', 'subject of the request; default: the first of the source')
    .action((id: string, about: string | undefined) => withRooms(rooms => check(rooms, id, about)))
  command
    .command('run')
    .description('poll now and store new figures, also while the site is running')
    .argument('<source>', 'id of the source')
    .argument('[about]', 'subject of the request; default: all')
    .action((id: string, about: string | undefined) => withRooms(rooms => runNow(rooms, id, about)))
  command
    .command('follow')
    .description('poll every source on its schedule, as `start` does')
    .action(() => withRooms(rooms => keepSources(rooms, stopSignal())))
  return command
}

/** The source of that id and its request about that. Throws where there is none, naming those that there are. */
function demandRequests(
  catalog: Catalog,
  id: string,
  about: string | undefined,
): [LiveSource, SourceRequest[]] {
  const source = LIVE_SOURCES.find(known => known.id === id)
  if (source === undefined)
    throw new ConfigError('sources.unknown', `No polled source ${id}.`, {
      hint: `Available: ${LIVE_SOURCES.map(known => known.id).join(', ')}.`,
    })
  const requests = source.requests(catalog)
  const chosen = requests.filter(request => about === undefined || request.about === about)
  if (chosen.length === 0)
    throw new ConfigError(
      'sources.unknown',
      about === undefined ? `The catalog has no subject for ${id}.` : `${id} has no request for ${about}.`,
      about === undefined ? {} : { hint: `Available: ${requests.map(request => request.about).join(', ')}.` },
    )
  return [source, chosen]
}

function demandKey(source: LiveSource, { config }: Rooms): void {
  const variable = missingKey(source, config.sources.keys)
  if (variable !== undefined)
    throw new ConfigError('sources.no_key', `${source.id} requires a key.`, {
      hint: `Set ${variable}.`,
    })
}

async function check(rooms: Rooms, id: string, about: string | undefined): Promise<void> {
  const { config, warehouse, catalog } = rooms
  const [source, [request]] = demandRequests(catalog, id, about)
  demandKey(source, rooms)
  if (request === undefined) return
  const asked = await askOnce(
    {
      warehouse,
      catalog,
      keys: config.sources.keys,
      mirror: config.sources.mirrorUrl,
      stacks: stacksCalls(config),
      now: Date.now,
    },
    source,
    request,
    { etag: null, lastModified: null, suspects: null },
  )
  demandAnswer(nameOf({ source: id, about: request.about }), asked)
  for (const { observedAt, ...row } of [...asked.rows.observations, ...asked.rows.prices]) {
    const line = { ...row, observedAt: new Date(observedAt * 1000).toISOString() }
    const text = JSON.stringify(line, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    if (!(await printLine(text))) return
  }
  for (const { reason } of asked.rows.refused) console.error(`Refused value: ${reason}`)
  if (asked.outcome === 'same')
    console.error(`${source.id} ${request.about}: the response is valid, and all of it is already stored.`)
}

function demandAnswer(
  name: string,
  { outcome, code, reason }: Pick<Asked, 'outcome' | 'code' | 'reason'>,
): void {
  if (outcome === 'refused') throw new AssayError(code ?? '', `${name}: the response is refused. ${reason}`)
  if (outcome === 'failed') throw new AssayError(code ?? '', `${name}: no response. ${reason}`)
}

async function runNow(rooms: Rooms, id: string, about: string | undefined): Promise<void> {
  const [source, requests] = demandRequests(rooms.catalog, id, about)
  demandKey(source, rooms)
  await using store = await openStoreOf(rooms)
  const runner = createRunnerOf(rooms, store, [source])
  const asked = askedSources(rooms.config)
  // Where no site has run yet the store knows no job; one that this installation does not ask by itself stays unknown.
  if (asked.some(known => known.id === id))
    await prepareJobs(store, {
      sources: asked,
      catalog: rooms.catalog,
      jobs: createRunnerOf(rooms, store).jobs,
      now: new Date(),
    })
  const signal = stopSignal()
  const faults: string[] = []
  for (const request of requests) {
    const name = nameOf({ source: id, about: request.about })
    const run = await runner.run({ source: id, about: request.about }, { isManual: true, signal })
    if (run === undefined) {
      faults.push(`${name}: it is being polled now, or its host is paused. See \`assay sources\``)
      continue
    }
    if (
      !(await printLine(
        `${name}: ${run.outcome}, ${run.figures} figures stored${run.refused?.length ? `, ${run.refused.length} values refused` : ''}${run.reason ? `. ${run.reason}` : ''}`,
      ))
    )
      return
    if (run.outcome === 'refused' || run.outcome === 'failed') faults.push(name)
  }
  if (faults.length > 0)
    throw new AssayError(
      'sources.run',
      `${faults.length} of ${requests.length} requests brought nothing: ${faults.join('; ')}.`,
    )
}

async function list(rooms: Rooms): Promise<void> {
  const { config, catalog } = rooms
  const asked = new Set(askedSources(config).map(({ id }) => id))
  await using store = await openStoreOf(rooms)
  const { jobs, leaderUntil } = await readSourceStates(store)
  console.log(
    leaderUntil === null ? 'No process is polling on schedule.' : 'A process is polling on schedule.',
  )
  for (const source of LIVE_SOURCES) {
    const variable = missingKey(source, config.sources.keys)
    const why =
      variable !== undefined
        ? `not polled: set ${variable}`
        : asked.has(source.id)
          ? ''
          : 'not polled: excluded by SOURCES'
    const about = source.requests(catalog).length
    console.log(`${source.id} (${source.name})${why === '' ? '' : `, ${why}`}`)
    const known = jobs.filter(job => job.source === source.id)
    if (known.length === 0) console.log(`  ${about} requests, none polled yet`)
    for (const job of known) {
      const words = [
        job.about.padEnd(24),
        `success ${job.lastSuccess?.toISOString() ?? 'never'}`,
        `next ${job.nextRun.toISOString()}`,
        ...(job.outcome === null ? [] : [job.outcome]),
        ...(job.failures > 0 ? [`${job.failures} in a row`] : []),
        ...(job.refusals > 0 ? [`${job.refusals} refused responses stored`] : []),
        ...(job.refusedValues > 0
          ? [`${job.refusedValues} values refused: ${job.refusedNamed[0] ?? ''}`]
          : []),
        ...(job.reason === null ? [] : [job.reason]),
      ]
      console.log(`  ${words.join('  ')}`)
    }
  }
}
