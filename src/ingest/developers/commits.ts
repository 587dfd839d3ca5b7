import { createHmac } from 'node:crypto'
import type { BotRule } from '#catalog/index.ts'
import type { RowOf } from '#kernel/table.ts'
import type { devCommits } from '#warehouse/tables/developers.ts'
import { IngestError } from '../errors.ts'
import { type Git, gitFields } from './git.ts'

/** What git tells of a commit; times are texts, since a broken commit has broken ones. */
export type LoggedCommit = {
  readonly hash: string
  readonly authored: string
  readonly committed: string
  readonly parents: string
  /** As the commit has it. */
  readonly address: string
  /** As the mailmap has it. */
  readonly mapped: string
  readonly name: string
  readonly subject: string
}

const FORMAT = ['%H', '%at', '%ct', '%P', '%ae', '%aE', '%aN', '%s'].join('%x00')
const FIELDS = 8
const HASH = /^[0-9a-f]{40}([0-9a-f]{24})?$/

/** The commits of a range, the newest first. Throws `ingest.git`, also where the fields of a commit do not fit. */
export async function* logOf(git: Git, ...range: string[]): AsyncGenerator<LoggedCommit> {
  let fields: string[] = []
  for await (const field of gitFields(
    git,
    'log',
    '--no-show-signature',
    '-z',
    `--format=tformat:${FORMAT}`,
    ...range,
  )) {
    fields.push(field)
    if (fields.length < FIELDS) continue
    const [
      hash = '',
      authored = '',
      committed = '',
      parents = '',
      address = '',
      mapped = '',
      name = '',
      subject = '',
    ] = fields
    fields = []
    if (!HASH.test(hash)) throw new IngestError('ingest.git', 'A commit has fields that do not fit.')
    yield { hash, authored, committed, parents, address, mapped, name, subject }
  }
  if (fields.length > 0) throw new IngestError('ingest.git', 'git stopped in the middle of a commit.')
}

/** Keyed hashes: without the key nobody can try addresses out. */
export type KeyedHash = (kind: 'address' | 'name' | 'work', text: string) => bigint

export const keyedHash =
  (key: Uint8Array): KeyedHash =>
  (kind, text) =>
    // 0 stands for nothing.
    createHmac('sha256', key).update(`${kind}\0${text}`).digest().readBigUInt64LE() || 1n

/** Git's first day; histories brought over from older systems here are younger too. */
const FIRST_SECOND = Date.UTC(2005, 3, 7) / 1000
const DAY_SECONDS = 86_400

/** The second at which it was written: by its author's clock, where that cannot be right by the committer's; undefined where neither can. */
export function writtenAt(
  { authored, committed }: Pick<LoggedCommit, 'authored' | 'committed'>,
  readAt: number,
): number | undefined {
  const [author, committer] = [authored, committed].map(text =>
    /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN,
  ) as [number, number]
  const isPossible = (at: number): boolean => at >= FIRST_SECOND && at <= readAt + DAY_SECONDS
  // Nobody commits a day before it was written.
  const isEarly = isPossible(committer) && author > committer + DAY_SECONDS
  if (isPossible(author) && !isEarly) return author
  return isPossible(committer) ? committer : undefined
}

/** Addresses that a host gives its accounts: number and login, of which only the login may change. */
const HOSTED = [
  /^(?<id>\d+)\+(?<login>[^@+]+)@(?<host>users\.noreply\.github\.com)$/,
  /^(?<id>\d+)-(?<login>[^@]+)@(?<host>users\.noreply\.gitlab\.com)$/,
]

/**
 * What tells an author: the hosting account by its number where the address names one, else the address; and the login
 * that the account had, under which the host's older addresses have no number.
 */
export function authorOf(text: string): { readonly address: string; readonly login: string } {
  const plain = text.trim().toLowerCase()
  for (const form of HOSTED) {
    const { id, login, host } = form.exec(plain)?.groups ?? {}
    if (id !== undefined) return { address: `${id}+@${host}`, login: `${login}@${host}` }
  }
  return { address: plain, login: plain }
}

/** Names that many bear, or that stand where there is none. */
const COMMON =
  /^(unknown|user|admin|root|test|your name|first last|john doe|jane doe|no name|github user|ubuntu)\b/

/** A name that tells somebody within a repository: two words at least, and none that stands for nobody. */
export function tellingName(name: string): string | undefined {
  const plain = name.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ')
  const words = plain.split(' ').filter(word => word.replace(/[^\p{L}]/gu, '').length >= 2)
  return words.length >= 2 && plain.length <= 100 && !COMMON.test(plain) ? plain : undefined
}

/** The rule by which it is a program's; undefined of people. */
export function botOf(
  { address, mapped, name }: Pick<LoggedCommit, 'address' | 'mapped' | 'name'>,
  rules: readonly BotRule[],
): string | undefined {
  const addresses = [address, mapped].map(text => text.trim().toLowerCase())
  const plain = name.trim().toLowerCase()
  const fits = ({ field, text }: BotRule): boolean => {
    switch (field) {
      case 'address':
        return addresses.includes(text)
      case 'name':
        return plain === text
      case 'ending':
        return plain.endsWith(text) || addresses.some(one => one.endsWith(text))
      default: {
        const never: never = field
        return never
      }
    }
  }
  return rules.find(fits)?.id
}

export type CommitRow = RowOf<typeof devCommits>

/** A commit as the warehouse keeps it: nobody's name, no address, no hash that leads to one. */
export function rowOf(
  commit: LoggedCommit,
  given: {
    repository: string
    part: bigint
    hash: KeyedHash
    bots: readonly BotRule[]
    /** When it was read, seconds. */
    readAt: number
  },
): CommitRow {
  const { repository, part, hash, bots, readAt } = given
  const at = writtenAt(commit, readAt)
  const name = tellingName(commit.name)
  const address = commit.address.trim().toLowerCase()
  const mapped = commit.mapped.trim().toLowerCase()
  const author = authorOf(address)
  return {
    part,
    day: new Date((at ?? readAt) * 1000).toISOString().slice(0, 10),
    address: hash('address', author.address),
    alias: hash('address', mapped === address ? author.login : authorOf(mapped).address),
    name: name === undefined ? 0n : hash('name', `${repository}\0${name}`),
    work: hash('work', `${address}\0${commit.authored}\0${commit.subject}`),
    isMerge: commit.parents.includes(' '),
    bot: botOf(commit, bots) ?? '',
    isOffClock: at === undefined,
    commits: 1,
  }
}
