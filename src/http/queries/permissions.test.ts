/** Somebody could read or change a query that is not shared with them, or a team could lose its owner. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Problem, QueryVersion, SavedQueries, SavedQuery, Team, TeamInvitation } from '#http/contract.ts'
import {
  accounts,
  ask,
  type Headers,
  keyOf,
  type Method,
  pass,
  said,
  save,
  signedIn,
} from './sharedSaved.testing.ts'

const DAY_MS = 86_400_000
const NONE = '00000000-0000-4000-8000-000000000000'

const makeTeam = async (headers: Headers, name = 'Team'): Promise<Team> => {
  const { status, body } = await ask<Team>('POST', '/api/v1/teams', headers, { name })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const inviteTo = async (headers: Headers, team: string, role: string): Promise<string> => {
  const { body } = await ask<TeamInvitation>('POST', `/api/v1/teams/${team}/invitations`, headers, { role })
  return String(body.link).split('#join=')[1] ?? ''
}
const join = (headers: Headers, token: string) =>
  ask<Team & Problem>('POST', '/api/v1/teams/memberships', headers, { token })
const addMember = async (owner: Headers, team: string, member: Headers, role: string): Promise<string> => {
  const joined = await join(member, await inviteTo(owner, team, role))
  assert.equal(joined.status, 200, JSON.stringify(joined.body))
  return joined.body.people.find(({ isSelf }) => isSelf)?.id ?? ''
}

/** Who asks, by what they are to the query and to its team. */
const ROLES = [
  'owner',
  'editor',
  'viewer',
  'removed',
  'stranger',
  'nobody',
  'writeKey',
  'readKey',
  'revokedKey',
] as const
type Role = (typeof ROLES)[number]
/** Keys are of the editor. */
const callers = {} as Record<Role, Headers>
let team: Team

before(async () => {
  for (const role of ['owner', 'editor', 'viewer', 'removed', 'stranger'] as const)
    callers[role] = await signedIn(`${role}@permissions.example`, { name: role })
  callers.nobody = {}
  team = await makeTeam(callers.owner)
  await addMember(callers.owner, team.id, callers.editor, 'editor')
  await addMember(callers.owner, team.id, callers.viewer, 'viewer')
  const removed = await addMember(callers.owner, team.id, callers.removed, 'editor')
  const gone = await ask('DELETE', `/api/v1/teams/${team.id}/members/${removed}`, callers.owner)
  assert.equal(gone.status, 204)
  callers.writeKey = (await keyOf(callers.editor, 'read:own', 'write:own')).headers
  callers.readKey = (await keyOf(callers.editor, 'read:own')).headers
  const revoked = await keyOf(callers.editor, 'read:own', 'write:own')
  await revoked.revoke()
  callers.revokedKey = revoked.headers
})

type Visibility = SavedQuery['visibility']
/** Statuses in the order of ROLES. */
type Expected = readonly number[]

const ACTIONS: Record<string, { method: Method; path: string; body?: object }> = {
  read: { method: 'GET', path: '' },
  versions: { method: 'GET', path: '/versions' },
  star: { method: 'PUT', path: '/star' },
  change: { method: 'PUT', path: '', body: { name: 'Q', sql: 'SELECT 2', basedOn: 1 } },
  share: { method: 'PUT', path: '', body: { name: 'Q', sql: 'SELECT 1', basedOn: 1, visibility: 'public' } },
  delete: { method: 'DELETE', path: '' },
}

//                                owner edit view remv strg noby wKey rKey revoked
const TABLE: Record<Visibility, Record<string, Expected>> = {
  private: {
    read: /*                   */ [200, 404, 404, 404, 404, 404, 404, 404, 401],
    versions: /*               */ [200, 404, 404, 404, 404, 404, 404, 404, 401],
    star: /*                   */ [200, 404, 404, 404, 404, 401, 404, 403, 401],
    change: /*                 */ [200, 404, 404, 404, 404, 401, 404, 403, 401],
    share: /*                  */ [200, 404, 404, 404, 404, 401, 404, 403, 401],
    delete: /*                 */ [204, 404, 404, 404, 404, 401, 404, 403, 401],
  },
  team: {
    read: /*                   */ [200, 200, 200, 404, 404, 404, 200, 200, 401],
    versions: /*               */ [200, 200, 200, 404, 404, 404, 200, 200, 401],
    star: /*                   */ [200, 200, 200, 404, 404, 401, 200, 403, 401],
    change: /*                 */ [200, 200, 404, 404, 404, 401, 200, 403, 401],
    share: /*                  */ [200, 403, 404, 404, 404, 401, 403, 403, 401],
    delete: /*                 */ [204, 404, 404, 404, 404, 401, 404, 403, 401],
  },
  link: {
    read: /*                   */ [200, 200, 200, 200, 200, 200, 200, 200, 401],
    versions: /*               */ [200, 200, 200, 200, 200, 200, 200, 200, 401],
    star: /*                   */ [200, 200, 200, 200, 200, 401, 200, 403, 401],
    change: /*                 */ [200, 404, 404, 404, 404, 401, 404, 403, 401],
    share: /*                  */ [200, 404, 404, 404, 404, 401, 404, 403, 401],
    delete: /*                 */ [204, 404, 404, 404, 404, 401, 404, 403, 401],
  },
  public: {
    read: /*                   */ [200, 200, 200, 200, 200, 200, 200, 200, 401],
    versions: /*               */ [200, 200, 200, 200, 200, 200, 200, 200, 401],
    star: /*                   */ [200, 200, 200, 200, 200, 401, 200, 403, 401],
    change: /*                 */ [200, 404, 404, 404, 404, 401, 404, 403, 401],
    share: /*                  */ [200, 404, 404, 404, 404, 401, 404, 403, 401],
    delete: /*                 */ [204, 404, 404, 404, 404, 401, 404, 403, 401],
  },
}

describe('what each caller may do with a saved query', () => {
  for (const [visibility, actions] of Object.entries(TABLE))
    for (const [action, expected] of Object.entries(actions))
      test(`${visibility}: ${action}`, async () => {
        const { method, path, body } = ACTIONS[action]!
        const shared = { visibility, ...(visibility === 'team' && { team: team.id }) }
        const answered: number[] = []
        for (const role of ROLES) {
          const { id } = await save(callers.owner, shared)
          const answer = await ask<Problem>(method, `/api/v1/queries/${id}${path}`, callers[role], body)
          answered.push(answer.status)
          // What is not shared looks like what does not exist.
          if (answer.status === 404) {
            const missing = await ask<Problem>(method, `/api/v1/queries/${NONE}${path}`, callers[role], body)
            const { instance: _one, ...hidden } = answer.body
            const { instance: _other, ...absent } = missing.body
            assert.deepEqual(hidden, absent, role)
          }
        }
        assert.deepEqual(answered, expected)
      })

  test('lists hold what is shared with the caller, and nothing else', async () => {
    const names = async (headers: Headers) => {
      const { body } = await ask<SavedQueries>('GET', '/api/v1/queries', headers)
      return [...body.own, ...body.starred, ...body.team, ...body.public].map(({ name }) => name)
    }
    await save(callers.owner, { name: 'Team only', visibility: 'team', team: team.id })
    for (const role of ['owner', 'editor', 'viewer', 'writeKey', 'readKey'] as const)
      assert.ok((await names(callers[role])).includes('Team only'), role)
    for (const role of ['removed', 'stranger', 'nobody'] as const)
      assert.ok(!(await names(callers[role])).includes('Team only'), role)
  })
})

test('a save over somebody else’s change is refused, with both versions at hand', async () => {
  const { id } = await save(callers.owner, { visibility: 'team', team: team.id })
  const change = (headers: Headers, sql: string, more: object = {}) =>
    ask<SavedQuery & Problem>('PUT', `/api/v1/queries/${id}`, headers, { name: 'Q', sql, ...more })
  assert.equal((await change(callers.editor, 'SELECT 2', { basedOn: 1 })).body.version, 2)
  for (const more of [{ basedOn: 1 }, {}]) {
    const late = await change(callers.owner, 'SELECT 3', more)
    assert.deepEqual([late.status, late.body.code], [409, 'sql.saved_conflict'])
    assert.match(late.body.detail, /version 2 by editor/)
  }
  const { body } = await ask<{ versions: QueryVersion[] }>(
    'GET',
    `/api/v1/queries/${id}/versions`,
    callers.owner,
  )
  assert.deepEqual(
    body.versions.map(({ sql, savedBy }) => [sql, savedBy]),
    [
      ['SELECT 2', 'editor'],
      ['SELECT 1', 'owner'],
    ],
  )
  assert.equal((await change(callers.owner, 'SELECT 3', { basedOn: 2 })).body.version, 3)
})

test('a team sees no version from before the query was shared with it', async () => {
  const { id } = await save(callers.owner, { sql: 'SELECT 1 AS hidden' })
  const change = (sql: string, more: object) =>
    ask<SavedQuery>('PUT', `/api/v1/queries/${id}`, callers.owner, { name: 'Q', sql, ...more })
  await change('SELECT 2', { basedOn: 1, visibility: 'team', team: team.id })
  await change('SELECT 3', { basedOn: 2 })
  const versions = async (headers: Headers) =>
    (
      await ask<{ versions: QueryVersion[] }>('GET', `/api/v1/queries/${id}/versions`, headers)
    ).body.versions.map(({ version }) => version)
  assert.deepEqual(await versions(callers.editor), [3, 2])
  assert.deepEqual(await versions(callers.owner), [3, 2, 1])
})

test('queries are shared with teams of which their owner is an editor', async () => {
  const others = await makeTeam(callers.stranger)
  for (const [role, to] of [
    ['viewer', team.id],
    ['owner', others.id],
    ['owner', NONE],
  ] as const) {
    const answer = await ask<Problem>('POST', '/api/v1/queries', callers[role], {
      name: 'Q',
      sql: 'SELECT 1',
      visibility: 'team',
      team: to,
    })
    assert.deepEqual([answer.status, answer.body.code], [403, 'sql.saved_team'])
  }
})

test('whoever leaves takes their queries along, and a deleted team shares nothing', async () => {
  const own = await makeTeam(callers.owner, 'Short')
  const member = await addMember(callers.owner, own.id, callers.editor, 'editor')
  const shared = { visibility: 'team', team: own.id }
  const [ofEditor, ofOwner] = [await save(callers.editor, shared), await save(callers.owner, shared)]
  assert.equal((await ask('DELETE', `/api/v1/teams/${own.id}/members/${member}`, callers.editor)).status, 204)
  assert.equal((await ask('GET', `/api/v1/queries/${ofEditor.id}`, callers.owner)).status, 404)
  assert.equal((await ask('GET', `/api/v1/queries/${ofOwner.id}`, callers.editor)).status, 404)
  // Joining again shares nothing anew.
  await addMember(callers.owner, own.id, callers.editor, 'editor')
  assert.equal((await ask('GET', `/api/v1/queries/${ofEditor.id}`, callers.owner)).status, 404)
  assert.equal((await ask('DELETE', `/api/v1/teams/${own.id}`, callers.owner)).status, 204)
  assert.equal((await ask('GET', `/api/v1/queries/${ofOwner.id}`, callers.editor)).status, 404)
  const kept = await ask<SavedQuery>('GET', `/api/v1/queries/${ofOwner.id}`, callers.owner)
  assert.deepEqual([kept.body.visibility, kept.body.team], ['private', null])
})

describe('a team', () => {
  test('is unknown to everybody outside, and only its owners change it', async () => {
    const member = (await ask<Team>('GET', `/api/v1/teams/${team.id}`, callers.viewer)).body.people.find(
      ({ isSelf }) => isSelf,
    )
    const calls: [Method, string, object?][] = [
      ['GET', ''],
      ['PUT', '', { name: 'Mine' }],
      ['POST', '/invitations', { role: 'editor' }],
      ['DELETE', `/invitations/${NONE}`],
      ['PUT', `/members/${member?.id}`, { role: 'owner' }],
      ['DELETE', ''],
    ]
    for (const [method, path, body] of calls) {
      const statuses = []
      for (const role of ROLES.slice(1))
        statuses.push((await ask(method, `/api/v1/teams/${team.id}${path}`, callers[role], body)).status)
      const inside = method === 'GET' ? 200 : 403
      assert.deepEqual(statuses, [inside, inside, 404, 404, 401, 403, 403, 401], `${method} ${path}`)
      const [hidden, absent] = await Promise.all(
        [team.id, NONE].map(id => ask<Problem>(method, `/api/v1/teams/${id}${path}`, callers.stranger, body)),
      )
      assert.equal(hidden?.body.detail, absent?.body.detail)
    }
  })

  test('keeps an owner, whoever asks at once', async () => {
    const own = await makeTeam(callers.owner, 'Two owners')
    const self = own.people[0]?.id
    const other = await addMember(callers.owner, own.id, callers.editor, 'viewer')
    const role = (headers: Headers, member: string | undefined, to: string) =>
      ask<Problem>('PUT', `/api/v1/teams/${own.id}/members/${member}`, headers, { role: to })
    const alone = await ask<Problem>('DELETE', `/api/v1/teams/${own.id}/members/${self}`, callers.owner)
    assert.deepEqual([alone.status, alone.body.code], [409, 'accounts.team_last_owner'])
    assert.equal((await role(callers.owner, other, 'owner')).status, 200)
    const left = await Promise.all([
      ask('DELETE', `/api/v1/teams/${own.id}/members/${self}`, callers.owner),
      ask('DELETE', `/api/v1/teams/${own.id}/members/${other}`, callers.editor),
    ])
    assert.deepEqual(left.map(({ status }) => status).sort(), [204, 409])
  })

  test('is joined by each link once, within seven days', async () => {
    const own = await makeTeam(callers.owner, 'By link')
    const token = await inviteTo(callers.owner, own.id, 'viewer')
    const offer = await ask<{ team: string; role: string }>(
      'POST',
      '/api/v1/teams/invitations',
      {},
      { token },
    )
    assert.deepEqual([offer.body.team, offer.body.role], ['By link', 'viewer'])
    // Whoever is a member already does not use it up.
    assert.equal((await join(callers.owner, token)).body.role, 'owner')
    const joined = await Promise.all([join(callers.stranger, token), join(callers.viewer, token)])
    assert.deepEqual(joined.map(({ status }) => status).sort(), [200, 404])
    const late = await inviteTo(callers.owner, own.id, 'viewer')
    const isOpen = async () => {
      const answer = await ask('POST', '/api/v1/teams/invitations', {}, { token: late })
      return answer.status === 200
    }
    pass(7 * DAY_MS - 60_000)
    const before = await isOpen()
    pass(60_001)
    const after = await isOpen()
    pass(-7 * DAY_MS - 1)
    assert.deepEqual([before, after], [true, false])
    for (const token of ['x', 'a'.repeat(200), '\u0000', "'; DROP TABLE assay.teams --"])
      assert.equal((await join(callers.removed, token)).status, 404)
  })

  test('invites by email without a word on whether there is an account', async () => {
    const own = await makeTeam(callers.owner, 'By mail')
    const invite = async (email: string) => {
      const from = said.length
      const answer = await ask<TeamInvitation>('POST', `/api/v1/teams/${own.id}/invitations`, callers.owner, {
        role: 'editor',
        email,
      })
      await accounts.idle()
      const { id: _id, createdAt: _from, expiresAt: _to, ...rest } = answer.body
      const mail = said.slice(from).find(line => line.startsWith('mail to ')) ?? ''
      return {
        status: answer.status,
        rest: { ...rest, email: 'EMAIL' },
        mail: mail.replaceAll(email, 'EMAIL'),
      }
    }
    const mask = (text: string) => text.replace(/#join=[\w-]{43}/, '#join=TOKEN')
    const [known, unknown] = [
      await invite('editor@permissions.example'),
      await invite('nobody@permissions.example'),
    ]
    assert.deepEqual(
      [known.status, known.rest, mask(known.mail)],
      [unknown.status, unknown.rest, mask(unknown.mail)],
    )
    assert.equal(known.rest.link, null)
    const token = /#join=([\w-]{43})/.exec(known.mail)?.[1] ?? ''
    assert.equal((await join(callers.stranger, token)).body.role, 'editor')
    const stored = await accounts.teams.export({ ...(await personOf(callers.owner)) })
    assert.ok(!JSON.stringify(stored).includes(token))
  })

  test('takes no name that a mail program would make a link of, and nothing unlike a name', async () => {
    for (const name of ['visit evil.example', 'https://evil', 'a@b', ' ', '\u202e\u200b'])
      assert.equal((await ask('POST', '/api/v1/teams', callers.stranger, { name })).status, 400, name)
    const long = await makeTeam(callers.stranger, `<b>\u202e${'x'.repeat(100)}`)
    assert.equal([...long.name].length, 60)
    assert.ok(!long.name.includes('\u202e'))
  })

  test('ends with the account of its only owner', async () => {
    const leaving = await signedIn('leaving@permissions.example', { name: 'leaving' })
    const own = await makeTeam(leaving, 'Ending')
    await addMember(leaving, own.id, callers.editor, 'editor')
    const deleted = await ask('DELETE', '/api/v1/account', leaving, { confirm: 'delete' })
    assert.equal(deleted.status, 204)
    assert.equal((await ask('GET', `/api/v1/teams/${own.id}`, callers.editor)).status, 404)
  })
})

const personOf = async (headers: Headers) => {
  const person = await accounts.identify(headers)
  assert.ok(person)
  return person
}
