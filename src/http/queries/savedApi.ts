import { AccountError, type ApiKey, demandPerson, displayName, personKey } from '#accounts/index.ts'
import type { Log } from '#kernel/log.ts'
import type { Person } from '#kernel/people.ts'
import { boundStatements, type QueryTool, type SavedQuery, type SavedQueryChange } from '#queries/index.ts'
import { asking } from '../apiError.ts'
import type {
  ChangedQuery,
  QueryVersion,
  SavedQuery as SavedQueryAnswer,
  SavedQueries as SavedQueryList,
} from '../contract.ts'
import { chartOf, savedOf, summaryOf } from './answers.ts'
import { ownerOf, requireOwner, type Who } from './callers.ts'
import { changeWarnings } from './changeWarnings.ts'

export type KeysOf = (person: Person) => Promise<readonly Pick<ApiKey, 'queries'>[]>

/** The author of a save, with their public name. */
const authorOf = (who: Who) => ({
  key: requireOwner(who, 'write:own'),
  name: displayName(demandPerson(who.person)),
})

/** Saved queries with their versions and stars. `keysOf` lists the API keys of a user. */
export function createSavedApi(tool: QueryTool, keysOf: KeysOf, log: Pick<Log, 'warn'>) {
  const { results, history, saved } = tool
  /** Pins the newest results of a saved query. */
  const pinResultsOf = async (sql: string, { person }: Who): Promise<void> => {
    const texts = [sql, ...boundStatements(sql)]
    const owner = personKey(demandPerson(person))
    for (const result of await history.resultsOf(owner, texts)) {
      // Finding a result that another process stored makes it known here, so it can be pinned.
      await results.find(result)
      await results.pin(result, owner)
    }
  }

  const warningsOf = async (before: SavedQuery, after: SavedQuery, { person }: Who): Promise<string[]> => {
    const author = demandPerson(person)
    const keys = after.isOwn ? await keysOf(author) : []
    return changeWarnings(tool, {
      before,
      after,
      author: personKey(author),
      keys: keys.filter(({ queries }) => queries?.includes(after.id)).length,
    })
  }

  /** Runs the steps after a save. If a failure here were returned as an error, the next save would conflict with the saved one. */
  const onceSaved = async <T>(id: string, follow: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await follow()
    } catch (cause) {
      log.warn('A query was saved, but a step after the save failed.', { id, cause: String(cause) })
      return undefined
    }
  }

  return {
    list: ({ person }: Who, ofPublic: { search?: string; offset?: number }): Promise<SavedQueryList> =>
      asking(async () => {
        const { own, starred, team, public: shown } = await saved.list(ownerOf(person, 'read:own'), ofPublic)
        return {
          own: own.map(summaryOf),
          starred: starred.map(summaryOf),
          team: team.map(summaryOf),
          public: shown.map(summaryOf),
        }
      }),
    read: (id: string, { person }: Who): Promise<SavedQueryAnswer> =>
      asking(async () => savedOf(await saved.get(id, ownerOf(person, 'read:own')))),
    versions: (id: string, { person }: Who): Promise<{ versions: QueryVersion[] }> =>
      asking(async () => ({
        versions: (await saved.versions(id, ownerOf(person, 'read:own'))).map(
          ({ savedAt, parameters, chart, ...version }) => ({
            ...version,
            parameters: { ...parameters },
            chart: chartOf(chart),
            savedAt: savedAt.toISOString(),
          }),
        ),
      })),
    create: (change: SavedQueryChange, who: Who): Promise<SavedQueryAnswer> =>
      asking(async () => {
        const query = savedOf(await saved.create(change, authorOf(who)))
        await onceSaved(query.id, () => pinResultsOf(change.sql, who))
        return query
      }),
    change: (id: string, change: SavedQueryChange, who: Who): Promise<ChangedQuery> =>
      asking(async () => {
        const author = authorOf(who)
        const before = await saved.get(id, author.key)
        const after = await saved.change(id, change, author)
        const warnings = (await onceSaved(id, () => warningsOf(before, after, who))) ?? []
        await onceSaved(id, () => pinResultsOf(change.sql, who))
        return { ...savedOf(after), warnings }
      }),
    remove: (id: string, who: Who): Promise<void> =>
      // Users without the feature can still stop sharing.
      asking(() => saved.remove(id, ownerOf(demandPerson(who.person), 'write:own') ?? '')),
    /** Refuses queries saved by others, because only the key’s owner may change what it runs. */
    requireOwn: (ids: readonly string[], person: Person): Promise<void> =>
      asking(async () => {
        const own = await saved.ownOf(ids, personKey(person))
        const missing = ids.find(id => !own.includes(id))
        if (missing !== undefined)
          throw new AccountError('accounts.form', `You have no saved query ${missing}.`, {
            hint: 'A key can be limited only to queries that you saved. Save a copy of the query first.',
          })
      }),
    star: (id: string, isStarred: boolean, who: Who): Promise<SavedQueryAnswer> =>
      asking(async () => {
        const owner = ownerOf(demandPerson(who.person), 'write:own') ?? ''
        return savedOf(await saved.star(id, owner, isStarred))
      }),
  }
}
