import { bool, date, nullable, oneOf, table, text, time, u16, u32, u64 } from '#kernel/table.ts'

/**
 * Who builds. Rows of commits name nobody: of people there are keyed hashes alone, the key is not in the warehouse, and
 * even these rows have no public view. What readers see are counts.
 */
const ecosystem = text('ecosystem, as in `dev_ecosystems`')
const repository = text('owner and name, as in `dev_repositories`')
const loadedAt = time('when the catalog was loaded, UTC: the latest load holds')
const run = u64('the refresh that computed the row; readers see the newest one')
const isRaw = bool('as the commits stand, nothing left out and nobody merged; else cleaned')

const ecosystems = table('dev_ecosystem_loads', {
  doc: 'One row per ecosystem of the catalog and loading of it.',
  columns: {
    ecosystem: text('id, as in the catalog'),
    name: text('name'),
    page: text('address of the page here about what it builds; empty without'),
    listedRepositories: nullable(
      u32('repositories that Electric Capital lists of it and its parts; null where it lists none'),
    ),
    listedOwn: nullable(u32('of these, those of itself')),
    listedDay: nullable(date('day of that list')),
    catalogHash: text('SHA-256 of what the catalog said of all ecosystems'),
    loadedAt,
  },
  orderBy: ['loaded_at', 'ecosystem'],
})

const repositories = table('dev_repository_loads', {
  doc: 'One row per repository, ecosystem that it builds, and loading of the catalog.',
  columns: {
    ecosystem,
    repository: text('owner and name'),
    place: u32('its rank where a commit stands in several: the lowest has it; forks come last'),
    url: text('where it is fetched from'),
    licence: text('as stated; empty where none is'),
    isFork: bool('a fork of another repository here'),
    recordedFromDay: nullable(date('its history is older; the recording begins here; null where it has all')),
    recordedToDay: nullable(date('its history goes on; the recording ends here; null where it has all')),
    note: text('what a reader must know of it; empty without'),
    loadedAt,
  },
  orderBy: ['loaded_at', 'ecosystem', 'repository'],
})

const programmes = table('dev_programme_loads', {
  doc: 'One row per program that paid for contributions, and loading of the catalog.',
  columns: {
    ecosystem,
    name: text('its name'),
    fromDay: date('first UTC day'),
    toDay: nullable(date('last UTC day; null while it runs')),
    note: text('what it paid for'),
    url: text('where that stands'),
    loadedAt,
  },
  orderBy: ['loaded_at', 'ecosystem', 'from_day', 'name'],
})

export const developerLoads = { ecosystems, repositories, programmes } as const

export const devReadings = table('dev_readings_rows', {
  doc: 'One row per part of a reading of a repository’s history: a reading is whole from its first commit, a further part adds what came since.',
  columns: {
    repository,
    source: text('source id, as in `sources`'),
    reading: u64('number of the reading; of a repository the newest holds, clones before recordings'),
    part: u64('number of the part, of no other reading'),
    head: text('the commit that it was read up to'),
    mailmap: text('the mailmap that it was read with; empty without'),
    keyMark: text('tells the key of its hashes and the rules for programs from others; empty of a recording'),
    commits: u64('commits in this part'),
    inherited: u64('commits of upstreams that were left out'),
    toDay: date('last UTC day of which all commits are known'),
    readAt: time('when, UTC'),
  },
  orderBy: ['repository', 'reading', 'part'],
})

export const devAttempts = table('dev_attempts', {
  doc: 'One row per attempt to read a repository’s history.',
  columns: {
    repository,
    at: time('when it ended, UTC'),
    outcome: oneOf(['read', 'unchanged', 'failed', 'too-large'], 'what came of it'),
    detail: text('why it failed, as a sentence; empty elsewhere'),
    clonedBytes: u64('what its clone takes on disk, bytes'),
  },
  orderBy: ['repository', 'at'],
})

export const devCommits = table('dev_commits', {
  doc: 'One row per commit, or of a recording per person, day and kind of commit.',
  columns: {
    part: u64('the part of a reading that it belongs to: without its row there the commit does not exist'),
    day: date('UTC day on which it was written, by its author’s clock'),
    address: u64('keyed hash of the author’s address, or of the hosting account whose number it has'),
    alias: u64('keyed hash of the address that the mailmap gives for it, or of the account’s login'),
    name: u64('keyed hash of repository and name; 0 where the name is too common to tell anybody'),
    work: u64('keyed hash of address, second and subject: a copied or rebased commit keeps it'),
    isMerge: bool('it joins branches'),
    bot: text('by which rule it is a program’s; empty of people'),
    isOffClock: bool('the author’s clock was wrong and the committer’s too: the day says nothing'),
    commits: u32('how many commits the row stands for'),
  },
  orderBy: ['part', 'day'],
})

const count = (doc: string) => u32(doc)

export const devDays = table('dev_days_rows', {
  doc: 'One row per ecosystem, way of counting and UTC day.',
  columns: {
    run,
    ecosystem: text('ecosystem, as in `dev_ecosystems`; `ecosystems` for all together, each person once'),
    isRaw,
    day: date('UTC day'),
    daily: count('people with a commit on the day'),
    monthly: count('people with a commit in the 28 days up to it'),
    fullTime: count('of these, who committed on 10 days or more of the 28'),
    partTime: count('of these, on 10 days or more of the last 84, yet not of the 28'),
    oneTime: count('of these, on fewer than 10 days of the last 84'),
    newcomers: count('people whose first commit is of the day'),
    returned: count('people who commit again after 84 days or more without'),
    leavers: count('people whose last commit is 84 days old on this day'),
    firstYear: count('of `monthly`, whose first commit is less than 365 days old'),
    secondYear: count('whose is 365 to 729 days old'),
    longer: count('whose is older'),
    repositories: count('repositories with a commit in the 28 days up to it'),
    commits: count('commits of the day that count'),
    merges: count('commits of the day that join branches'),
    bots: count('commits of the day by programs, merges left out'),
    offClock: count('commits whose clocks were wrong, merges and programs left out'),
    copies: count('commits that stand in another repository or were written anew, of what is left'),
    isYoung: bool(
      'a recording of one of its repositories begins less than a year before: newcomers may be old, and tenure too short',
    ),
    isPartial: bool('the day is not over in every repository'),
    readAt: time('newest reading behind it, UTC'),
    source: text('source of that reading'),
  },
  orderBy: ['run', 'ecosystem', 'is_raw', 'day'],
})

export const devCohorts = table('dev_cohorts_rows', {
  doc: 'One row per ecosystem, UTC day and year of first commits: of `dev_days.monthly`, cleaned.',
  columns: {
    run,
    ecosystem,
    day: date('UTC day'),
    year: u16('in which they came'),
    people: count('people with a commit in the 28 days up to the day'),
  },
  orderBy: ['run', 'ecosystem', 'day', 'year'],
})

export const devRetention = table('dev_retention_rows', {
  doc: 'One row per ecosystem, way of counting and month: how many of those who came six months before it commit in it.',
  columns: {
    run,
    ecosystem,
    isRaw,
    month: date('first UTC day of the month that they commit in'),
    newcomers: count('people whose first commit is of the month six before'),
    retained: count('of these, with a commit in the month'),
  },
  orderBy: ['run', 'ecosystem', 'is_raw', 'month'],
})

export const devOverlap = table('dev_overlap_rows', {
  doc: 'One row per pair of ecosystems, an ecosystem with itself among them: people with a commit in both in the last 365 days.',
  columns: {
    run,
    ecosystem,
    other: text('the other ecosystem'),
    people: count('people with a commit in both'),
    toDay: date('last of the 365 days'),
  },
  orderBy: ['run', 'ecosystem', 'other'],
})

export const devRepositoryDays = table('dev_repository_days_rows', {
  doc: 'One row per repository and UTC day with a commit, as they stand: a commit that several repositories have counts in each.',
  columns: {
    run,
    repository,
    day: date('UTC day'),
    commits: count('commits, merges and programs in'),
    merges: count('of these, those that join branches'),
    bots: count('by programs, merges left out'),
    offClock: count('with wrong clocks, merges and programs left out'),
  },
  orderBy: ['run', 'repository', 'day'],
})

export const devRepositoryPeople = table('dev_repository_people_rows', {
  doc: 'One row per repository: how many people have written it.',
  columns: {
    run,
    repository,
    people: count('people with a commit that is no merge and by no program'),
    yearPeople: count('of these, in the 365 days up to the newest day of all'),
    monthPeople: count('in the 28 days up to it'),
    halfPeople: count('the fewest who wrote half of the commits of these 365 days; 0 where there are none'),
    toDay: date('newest day of all'),
  },
  orderBy: ['run', 'repository'],
})

export const devBots = table('dev_bots_rows', {
  doc: 'One row per rule that identifies commits by programs.',
  columns: {
    run,
    bot: text('the rule, as in `catalog/bots.json`; `recorded` where a recording says so'),
    addresses: count('addresses'),
    commits: u64('their commits'),
  },
  orderBy: ['run', 'bot'],
})

export const devCoverage = table('dev_coverage_rows', {
  doc: 'One row per ecosystem and repository that the catalog lists: the days that its history covers, and whether the counts of the ecosystem include it. They include the repositories that are read over the whole year up to the last counted day, so every day of a count is of the same repositories.',
  columns: {
    run,
    ecosystem: text('ecosystem, as in `dev_ecosystems`; `ecosystems` for all together'),
    repository: text('owner and name'),
    fromDay: nullable(
      date(
        'first UTC day; where a recording lacks older commits, the one on which a window of 84 days is full; null where no history is read',
      ),
    ),
    toDay: nullable(date('last UTC day for which all commits are known; null where no history is read')),
    isCounted: bool('the counts of the ecosystem include it'),
  },
  orderBy: ['run', 'ecosystem', 'repository'],
})

export const devRuns = table('dev_runs', {
  doc: 'One row per refresh of what is counted of developers.',
  columns: {
    run,
    signature: text('SHA-256 of the readings that it was computed from and of what counts'),
    commits: u64('commits read'),
    addresses: u32('addresses of authors'),
    people: u32('people they belong to, programs in'),
    toDay: date('last UTC day that is counted'),
    computedAt: time('when, UTC'),
  },
  orderBy: ['run'],
})

/** What a refresh fills and readers see by its newest run. */
export const DEVELOPER_COUNTS = [
  devDays,
  devCohorts,
  devRetention,
  devOverlap,
  devRepositoryDays,
  devRepositoryPeople,
  devBots,
  devCoverage,
] as const

export const DEVELOPER_TABLES = [
  ecosystems,
  repositories,
  programmes,
  devReadings,
  devAttempts,
  devCommits,
  ...DEVELOPER_COUNTS,
  devRuns,
] as const
