/** One developer would count as several, or bots and forks as developers. */
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { madeRepository, openMade } from './madeHistory.testing.ts'

const ada = { name: 'Ada Lovelace', address: 'ada@example.org' }
const bob = { name: 'Bob Builder', address: 'bob@example.org' }
const eve = { name: 'eve', address: 'eve@example.org' }
const plain = (row: Record<string, number> | undefined, ...names: string[]) =>
  names.map(name => Number(row?.[name]))

test('who changes name or address is one person where mailmap, host or a full name says so, and else is not', async () => {
  const made = madeRepository().init()
  made.commit(ada, '2026-03-01')
  // Another address under the same full name; one that the mailmap joins under another name; two forms of the host.
  made.commit({ name: 'Ada  LOVELACE', address: 'Ada@Work.example' }, '2026-03-02')
  made.commit({ name: 'countess', address: 'countess@example.org' }, '2026-03-03')
  made.commit({ name: 'grace', address: '123+grace@users.noreply.github.com' }, '2026-03-03')
  made.commit({ name: 'gh', address: 'grace@users.noreply.github.com' }, '2026-03-03')
  // One word tells nobody: these two stay two.
  made.commit({ name: 'dev', address: 'one@example.org' }, '2026-03-04')
  made.commit({ name: 'dev', address: 'two@example.org' }, '2026-03-04', {
    file: '.mailmap',
    text: 'Ada Lovelace <ada@example.org> countess <countess@example.org>\n',
  })
  await using site = await openMade({ one: [{ name: 'made/one', url: made.url }] })
  assert.equal(await site.read('2026-03-20'), 1, site.told.join())
  // Ada, Grace, two devs; raw: seven addresses.
  assert.deepEqual(plain(await site.day('one', '2026-03-04'), 'monthly', 'commits', 'daily'), [4, 2, 2])
  assert.deepEqual(plain(await site.day('one', '2026-03-04', true), 'monthly'), [7])
  const [run] = await site.rows<{ addresses: number; people: number }>(
    'SELECT addresses, people FROM dev_runs',
  )
  assert.deepEqual(run, { addresses: 7, people: 4 })
  // Without its mailmap the countess is somebody else: the history is read anew.
  made.run(['rm', '--quiet', '.mailmap'])
  made.commit(ada, '2026-03-05')
  await site.read('2026-03-21')
  assert.deepEqual(plain(await site.day('one', '2026-03-05'), 'monthly', 'commits', 'daily'), [5, 1, 1])
})

test('one hosting account is one person under every login, with and without its number in the address', async () => {
  const made = madeRepository().init()
  for (const [index, address] of [
    '136637981+oldname@users.noreply.github.com',
    '136637981+newname@users.noreply.github.com',
    'oldname@users.noreply.github.com',
    '77-one@users.noreply.gitlab.com',
    '77-two@users.noreply.gitlab.com',
    // Other accounts: another number, and a login of digits.
    '55+other@users.noreply.github.com',
    '136637981@users.noreply.github.com',
  ].entries())
    made.commit({ name: `n${index}`, address }, '2026-03-03')
  await using site = await openMade({ one: [{ name: 'made/one', url: made.url }] })
  assert.equal(await site.read('2026-03-20'), 1, site.told.join())
  assert.deepEqual(plain(await site.day('one', '2026-03-03'), 'monthly', 'commits'), [4, 7])
})

test('coding agents that commit under their own name are programs', async () => {
  const made = madeRepository().init()
  made.commit(ada, '2026-03-03')
  const agents = [
    { name: 'Copilot', address: '198982749+Copilot@users.noreply.github.com' },
    { name: 'Cursor Agent', address: 'cursoragent@cursor.com' },
    { name: 'Claude', address: 'noreply@anthropic.com' },
    { name: 'Codex', address: 'codex@openai.com' },
    { name: 'openhands', address: 'openhands@all-hands.dev' },
    { name: 'google-labs-jules[bot]', address: '161369871+google-labs-jules[bot]@users.noreply.github.com' },
  ]
  for (const agent of agents) made.commit(agent, '2026-03-03')
  // Somebody may be called so.
  made.commit({ name: 'Claude', address: 'claude@example.org' }, '2026-03-03')
  await using site = await openMade({ one: [{ name: 'made/one', url: made.url }] })
  assert.equal(await site.read('2026-03-20'), 1, site.told.join())
  assert.deepEqual(plain(await site.day('one', '2026-03-03'), 'monthly', 'commits', 'bots'), [
    2,
    2,
    agents.length,
  ])
})

test('forks count what is their own, rebased and cherry-picked commits once, merges and programs not at all', async () => {
  const origin = madeRepository().init()
  origin.commit(ada, '2026-01-05')
  origin.commit(bob, '2026-01-06')
  // A branch that is merged: the merge counts for nobody.
  origin.run(['checkout', '--quiet', '-b', 'side'])
  origin.commit(eve, '2026-01-07')
  origin.run(['checkout', '--quiet', 'main'])
  origin.commit(ada, '2026-01-08')
  origin.run(['merge', '--quiet', '--no-ff', '-m', 'merge', 'side'], {
    GIT_AUTHOR_NAME: bob.name,
    GIT_AUTHOR_EMAIL: bob.address,
    GIT_AUTHOR_DATE: '2026-01-09T12:00:00Z',
    GIT_COMMITTER_DATE: '2026-01-09T12:00:00Z',
  })
  origin.commit({ name: 'dependabot[bot]', address: 'x@users.noreply.github.com' }, '2026-01-10')
  // A fork with a commit of its own, and one that rebased the origin's last commits onto it.
  const fork = madeRepository()
  fork.run(['clone', '--quiet', '--no-hardlinks', origin.folder, '.'])
  fork.run(['config', 'uploadpack.allowFilter', 'true'])
  fork.commit(eve, '2026-01-12')
  const rebased = madeRepository()
  rebased.run(['clone', '--quiet', '--no-hardlinks', origin.folder, '.'])
  rebased.run(['config', 'uploadpack.allowFilter', 'true'])
  rebased.run(['checkout', '--quiet', '--orphan', 'own'])
  rebased.commit(eve, '2026-01-11')
  rebased.run(['rm', '-r', '--quiet', '.'])
  rebased.run(['commit', '--quiet', '--amend', '-m', 'own', '--allow-empty'], {
    GIT_COMMITTER_DATE: '2026-01-11T12:00:00Z',
  })
  rebased.run(['cherry-pick', 'main~2^'], { GIT_COMMITTER_DATE: '2026-01-13T12:00:00Z' })
  rebased.run(['branch', '-M', 'own', 'main'])
  await using site = await openMade({
    origin: [{ name: 'made/origin', url: origin.url }],
    fork: [{ name: 'made/fork', url: fork.url, isFork: true }],
    upstream: [{ name: 'made/with-upstream', url: fork.url, upstreams: [origin.url], isFork: true }],
    rebased: [{ name: 'made/rebased', url: rebased.url, isFork: true }],
  })
  assert.equal(await site.read('2026-02-20'), 4, site.told.join())
  const sums = async (ecosystem: string) => {
    const [row] = await site.rows<Record<string, string>>(
      `SELECT sum(commits) AS counted, sum(merges) AS merges, sum(bots) AS bots, sum(copies) AS copies, sum(newcomers) AS people
FROM dev_days WHERE ecosystem = '${ecosystem}' AND NOT is_raw`,
    )
    return Object.values(row ?? {}).map(Number)
  }
  // Four commits that count, by three people; one merge; one program.
  assert.deepEqual(await sums('origin'), [4, 1, 1, 0, 3])
  // All of the origin is a copy; one commit of its own, which the twin that names its upstream has as well.
  assert.deepEqual(await sums('fork'), [1, 1, 1, 4, 1])
  assert.deepEqual(await sums('upstream'), [0, 0, 0, 1, 0])
  assert.equal((await sums('rebased'))[0], 1)
  const [reading] = await site.rows<{ inherited: string; commits: string }>(
    "SELECT toString(inherited) AS inherited, toString(commits) AS commits FROM dev_readings WHERE repository = 'made/with-upstream'",
  )
  assert.deepEqual(reading, { inherited: '6', commits: '1' })
  // All together: each commit once, each person once.
  assert.deepEqual((await sums('ecosystems')).slice(0, 1), [6])
  assert.deepEqual(plain(await site.day('ecosystems', '2026-01-12'), 'monthly'), [3])
})

test('a squashed branch is one commit of one day by who squashed it', async () => {
  const made = madeRepository().init()
  made.commit(ada, '2026-01-01')
  made.run(['checkout', '--quiet', '-b', 'side'])
  made.commit(bob, '2026-01-02')
  made.commit(bob, '2026-01-03')
  made.run(['checkout', '--quiet', 'main'])
  made.run(['merge', '--quiet', '--squash', 'side'])
  made.commit(ada, '2026-01-04', { message: 'side\n\nCo-authored-by: Bob Builder <bob@example.org>' })
  await using site = await openMade({ one: [{ name: 'made/one', url: made.url }] })
  await site.read('2026-01-20')
  assert.deepEqual(plain(await site.day('one', '2026-01-04'), 'monthly', 'commits', 'merges'), [1, 1, 0])
})

test('a wrong clock gives way to the committer’s; where both are wrong the commit has no day', async () => {
  const made = madeRepository().init()
  made.commit(ada, '2026-01-01')
  made.commit(bob, '2026-01-02', { authored: '1999-01-01', committed: '2026-01-02' })
  made.commit(eve, '2026-01-03', { authored: '2031-01-01', committed: '2026-01-03' })
  made.commit({ name: 'x', address: 'x@example.org' }, '', {
    authored: '2033-01-01',
    committed: '2033-01-01',
  })
  await using site = await openMade({ one: [{ name: 'made/one', url: made.url }] })
  await site.read('2026-01-20')
  for (const isRaw of [false, true])
    assert.deepEqual(plain(await site.day('one', '2026-01-03', isRaw), 'monthly', 'daily'), [3, 1])
  const [row] = await site.rows<{ first: string; last: string; off: string }>(
    "SELECT toString(min(day)) AS first, toString(max(day)) AS last, toString(sumIf(off_clock, NOT is_raw)) AS off FROM dev_days WHERE ecosystem = 'one'",
  )
  // It counts as left out on the day on which it was read, which is not over.
  assert.deepEqual(row, { first: '2026-01-01', last: '2026-01-19', off: '0' })
  await site.read('2026-01-22')
  const [later] = await site.rows<{ off: string }>(
    "SELECT toString(sum(off_clock)) AS off FROM dev_days WHERE ecosystem = 'one' AND NOT is_raw",
  )
  assert.deepEqual(later, { off: '1' })
})

test('what came since is added, a history that was written over is read anew, and nothing new changes no figure', async () => {
  const made = madeRepository().init()
  made.commit(ada, '2026-01-01')
  made.commit(bob, '2026-01-02')
  await using site = await openMade({ one: [{ name: 'made/one', url: made.url }] })
  const parts = async () =>
    (
      await site.rows<{ commits: string }>(
        'SELECT toString(commits) AS commits FROM dev_readings ORDER BY read_at',
      )
    ).map(({ commits }) => Number(commits))
  const days = (to: string) =>
    site.rows(`SELECT * EXCEPT (read_at) FROM dev_days WHERE day <= '${to}' ORDER BY ecosystem, is_raw, day`)
  await site.read('2026-01-10')
  const before = await days('2026-01-09')
  await site.read('2026-01-11')
  assert.deepEqual(await days('2026-01-09'), before)
  made.commit(eve, '2026-01-11')
  await site.read('2026-01-12')
  assert.deepEqual(await parts(), [2, 0, 1])
  assert.deepEqual(plain(await site.day('one', '2026-01-11'), 'monthly'), [3])
  // Bob's commit is taken back by force.
  made.run(['reset', '--quiet', '--hard', 'HEAD~2'])
  made.commit(eve, '2026-01-12')
  await site.read('2026-01-13')
  assert.deepEqual(await parts(), [2])
  assert.deepEqual(plain(await site.day('one', '2026-01-12'), 'monthly', 'newcomers'), [2, 1])
  // Every way to it gives the same counts.
  await using anew = await openMade({ one: [{ name: 'made/one', url: made.url }] })
  await anew.read('2026-01-13')
  const all = 'SELECT * EXCEPT (read_at) FROM dev_days ORDER BY ecosystem, is_raw, day'
  assert.deepEqual(await site.rows(all), await anew.rows(all))
})

test('what a stranger writes into a commit changes nobody else’s figures and leads nowhere', async () => {
  const made = madeRepository().init()
  made.commit(ada, '2026-01-01')
  const at = Date.UTC(2026, 0, 2, 12) / 1000
  const broken = (author: string, message = 'x') =>
    made.raw(
      (tree, parent) =>
        `tree ${tree}\nparent ${parent}\nauthor ${author}\ncommitter c <c@example.org> ${at} +0000\n\n${message}`,
    )
  broken(`A'; DROP TABLE base.dev_commits; -- <'";@example.org> ${at} +0000`, "'); SELECT 1 --")
  broken(`\u202e\u0007 <> ${at} +0000`, '\u001b[31m')
  broken(`no time <n@example.org> 99999999999999999999 +0000`)
  broken(`negative <m@example.org> -1 +0000`)
  broken('no mail at all 12 +0000')
  broken(`${'long '.repeat(20_000)} <${'l'.repeat(100_000)}@example.org> ${at} +0000`, 's'.repeat(200_000))
  // A mailmap that makes everybody one.
  for (let index = 0; index < 40; index += 1)
    made.commit({ name: `p${index}`, address: `p${index}@example.org` }, '2026-01-03')
  made.commit(ada, '2026-01-04', {
    file: '.mailmap',
    text: Array.from({ length: 40 }, (_, index) => `Ada <ada@example.org> <p${index}@example.org>`).join(
      '\n',
    ),
  })
  await using site = await openMade({ one: [{ name: 'made/one', url: made.url }] })
  assert.equal(await site.read('2026-01-20'), 1, site.told.join())
  // The forty stay forty, Ada herself is apart from them.
  const day = await site.day('one', '2026-01-04')
  assert.ok(Number(day?.monthly) >= 42, `${day?.monthly} people`)
  const [bytes] = await site.rows<{ bytes: string }>(
    "SELECT toString(count()) AS bytes FROM dev_repository_days WHERE repository = 'made/one'",
  )
  assert.ok(Number(bytes?.bytes) > 0)
})

test('nobody can be read out of what readers see, and the key is its owner’s alone', async () => {
  const made = madeRepository().init()
  made.commit(ada, '2026-01-01', { message: 'a secret subject' })
  await using site = await openMade({ one: [{ name: 'made/one', url: made.url }] })
  await site.read('2026-01-20')
  const tables = await site.rows<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = 'default' AND startsWith(name, 'dev_')",
  )
  assert.ok(tables.length >= 12)
  const texts = await Promise.all(
    tables.map(async ({ name }) => JSON.stringify(await site.rows(`SELECT * FROM ${name}`))),
  )
  // Keyed hashes are of hexadecimal digits, and so is this name.
  for (const word of [/\bada\b/i, /Lovelace/i, /example\.org/, /secret/])
    assert.ok(!texts.some(text => word.test(text)), String(word))
  // Rows of people have no view, and readers' SQL reaches no other rows.
  assert.ok(!tables.some(({ name }) => name === 'dev_commits'))
  await assert.rejects(
    site.warehouse.guest.query({ query: 'SELECT * FROM base.dev_commits' }).then(answer => answer.text()),
    /not open to queries/,
  )
  assert.equal(statSync(join(site.warehouse.home, 'developers.key')).mode & 0o777, 0o600)
})

test('a repository that does not answer, or takes too much disk, says so and keeps what was read', async () => {
  const made = madeRepository().init()
  made.commit(ada, '2026-01-01')
  await using site = await openMade({
    one: [{ name: 'made/one', url: made.url }],
    gone: [{ name: 'made/gone', url: 'file:///nowhere/at/all.git' }],
  })
  assert.equal(await site.read('2026-01-20'), 1)
  assert.match(site.told.join(), /made\/gone could not be read: git fetch failed/)
  assert.equal(await site.read('2026-01-21', 100), 0)
  const attempts = await site.rows<{ repository: string; outcome: string }>(
    'SELECT repository, toString(outcome) AS outcome FROM dev_attempts ORDER BY at, repository',
  )
  assert.deepEqual(
    attempts.map(({ repository, outcome }) => `${repository} ${outcome}`),
    ['made/gone failed', 'made/one read', 'made/gone failed', 'made/one too-large'],
  )
  assert.deepEqual(plain(await site.day('one', '2026-01-19'), 'monthly'), [1])
})

test('days that a history covers end with its recording and begin once its windows are full', async () => {
  const [one, two] = [madeRepository().init(), madeRepository().init()]
  one.commit(ada, '2025-03-01')
  one.commit(ada, '2026-03-01')
  two.commit(bob, '2026-02-01')
  await using site = await openMade({
    both: [
      { name: 'made/one', url: one.url },
      { name: 'made/two', url: two.url },
    ],
  })
  await site.read('2026-03-20')
  const covering = async (day: string) =>
    (
      await site.rows<{ repository: string }>(
        `SELECT repository FROM dev_coverage WHERE ecosystem = 'both' AND '${day}' BETWEEN from_day AND to_day ORDER BY repository`,
      )
    ).map(({ repository }) => repository)
  // A repository that was young a year ago has a whole history all the same.
  assert.deepEqual(await covering('2025-03-19'), ['made/one', 'made/two'])
  assert.deepEqual(await covering('2026-03-19'), ['made/one', 'made/two'])
  // A recording of it that ends before the day covers it no more; one that begins late covers it once its windows are full.
  await site.warehouse.writer.command({
    query:
      "ALTER TABLE base.dev_readings_rows UPDATE source = 'developers.recorded' WHERE repository = 'made/two'",
    clickhouse_settings: { mutations_sync: '1' },
  })
  await site.warehouse.writer.command({
    query:
      "ALTER TABLE base.dev_repository_loads UPDATE recorded_from_day = '2025-01-01', recorded_to_day = '2026-02-10' WHERE repository = 'made/two'",
    clickhouse_settings: { mutations_sync: '1' },
  })
  await site.count()
  assert.deepEqual(await covering('2026-03-19'), ['made/one'])
  assert.deepEqual(await covering('2026-02-10'), ['made/one', 'made/two'])
  assert.deepEqual(await covering('2025-03-24'), ['made/one'])
  assert.deepEqual(await covering('2025-03-25'), ['made/one', 'made/two'])
})
