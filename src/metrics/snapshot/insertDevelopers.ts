import { createHash } from 'node:crypto'
import { parseCsv } from '#sources/csv.ts'
import { developersRecorded } from '#sources/developers.ts'
import { SourceError } from '#sources/errors.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { devCommits, devReadings } from '#warehouse/tables/developers.ts'
import type { Records } from './insertRecords.ts'

/** The reading of a recording; those of clones are moments, and later. */
const RECORDED_READING = 1n
const READ_AT = Date.parse(`${developersRecorded.recordedOn}T00:00:00Z`) / 1000
/** The day of the recording was not over. */
const LAST_DAY = new Date((READ_AT - 86_400) * 1000).toISOString().slice(0, 10)

export const DEVELOPER_RECORDS: Readonly<Record<string, Records>> = {
  [developersRecorded.id]: { table: devReadings, insert: insertCommits },
}

const hash64 = (text: string): bigint => createHash('sha256').update(text).digest().readBigUInt64LE()

/** Rows of the recording, a reading a repository; the readings are written last. */
async function insertCommits(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = developersRecorded
  const columns = ['repository', 'author', 'day', 'kind', 'commits', 'head', 'inherited'] as const
  const rows = parseCsv(text, columns, file)
  const byRepository = Map.groupBy(rows, ({ repository }) => repository)
  // A load that was stopped left rows of parts that no reading names: another one has parts of its own.
  const now = Date.now()
  const partOf = new Map([...byRepository.keys()].map(name => [name, hash64(`${source} ${name} ${now}`)]))
  await warehouse.insertRows(
    devCommits,
    rows.map(({ repository, author, day, kind, commits }) => {
      if (!['commit', 'merge', 'bot'].includes(kind))
        throw new SourceError('sources.shape', `${file}: ${kind} is no kind of commit`)
      const address = hash64(`${source} ${author}`)
      return {
        part: partOf.get(repository) ?? 0n,
        day,
        address,
        alias: address,
        name: 0n,
        work: hash64(`${repository} ${author} ${day} ${kind}`),
        isMerge: kind === 'merge',
        bot: kind === 'bot' ? 'recorded' : '',
        isOffClock: false,
        commits: Number(commits),
      }
    }),
  )
  await warehouse.insertRows(
    devReadings,
    [...byRepository].map(([repository, own]) => ({
      repository,
      source,
      reading: RECORDED_READING,
      part: partOf.get(repository) ?? 0n,
      head: own[0]?.head ?? '',
      mailmap: '',
      keyMark: '',
      commits: own.reduce((sum, { commits }) => sum + BigInt(commits), 0n),
      inherited: BigInt(own[0]?.inherited || 0),
      toDay: LAST_DAY,
      readAt: READ_AT,
    })),
  )
}
