import type { Status } from '#http/contract.ts'

export type SourceRequest = Status['schedule']['requests'][number]

/** A source with all its requests in one line of a table. */
export type AskedSource = {
  readonly id: string
  readonly publisher: string
  /** What of the publisher's it is. */
  readonly what: string
  readonly state: 'answers' | 'failing' | 'new' | 'not_asked'
  readonly needs: string
  readonly cadenceSeconds: number
  readonly requests: number
  /** Of these, whose last run brought nothing. */
  readonly failing: number
  readonly refusals: number
  /** Values refused of the last answers that were otherwise used. */
  readonly refusedValues: number
  readonly lastSuccess: string | null
  readonly nextRun: string | null
  readonly runs: number
  readonly failedRuns: number
}

const hasFailed = ({ state }: SourceRequest): boolean => state === 'refused' || state === 'failed'

/** Requests by source, publishers in the order of their names. */
export function askedSources(requests: readonly SourceRequest[]): AskedSource[] {
  return [...Map.groupBy(requests, ({ source }) => source)]
    .map(([id, of]) => {
      const [first] = of as [SourceRequest, ...SourceRequest[]]
      const [publisher, what] = nameParts(first.name)
      const failing = of.filter(hasFailed).length
      const isAsked = first.needs === ''
      return {
        id,
        publisher,
        what,
        state: !isAsked
          ? ('not_asked' as const)
          : failing > 0
            ? ('failing' as const)
            : of.some(({ state }) => state === 'answers')
              ? ('answers' as const)
              : ('new' as const),
        needs: first.needs,
        cadenceSeconds: first.cadenceSeconds,
        requests: of.length,
        failing,
        refusals: sum(of.map(({ refusals }) => refusals)),
        refusedValues: sum(of.map(({ refusedValues }) => refusedValues)),
        lastSuccess: latest(of.map(({ lastSuccess }) => lastSuccess)),
        nextRun: earliest(of.map(({ nextRun }) => nextRun)),
        runs: sum(of.map(({ runs }) => runs)),
        failedRuns: sum(of.map(({ failedRuns }) => failedRuns)),
      }
    })
    .toSorted((a, b) => a.publisher.localeCompare(b.publisher, 'en') || a.what.localeCompare(b.what, 'en'))
}

/** Requests that brought nothing the last time, or were answered elsewhere, or of which answers or values were refused; the longest failing first. */
export const inNeed = (requests: readonly SourceRequest[]): SourceRequest[] =>
  requests
    .filter(
      request =>
        hasFailed(request) || request.refusals > 0 || request.refusedValues > 0 || request.reason !== null,
    )
    .toSorted(
      (a, b) => b.failures - a.failures || b.refusals - a.refusals || b.refusedValues - a.refusedValues,
    )

/** Why a request is in need, as sentences; undefined where nothing is known. */
export function reasonOf({ reason, refusedValues, refusedNamed }: SourceRequest): string | undefined {
  const [first] = refusedNamed
  const count = `${refusedValues} ${refusedValues === 1 ? 'value' : 'values'} refused, the rest used.`
  const sentences = [
    ...(reason === null ? [] : [reason]),
    ...(refusedValues === 0 ? [] : [count, ...(first === undefined ? [] : [first])]),
  ]
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

/** `DefiLlama: TVL by chain` is of DefiLlama; a name of one part is a publisher's. */
export function nameParts(name: string): [publisher: string, what: string] {
  const at = name.indexOf(': ')
  return at < 0 ? [name, name] : [name.slice(0, at), name.slice(at + 2)]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
const known = (times: readonly (string | null)[]): string[] => times.filter(time => time !== null).sort()
const latest = (times: readonly (string | null)[]): string | null => known(times).at(-1) ?? null
const earliest = (times: readonly (string | null)[]): string | null => known(times)[0] ?? null
