/** Somebody could read, forge or delete comments on a query that is not theirs, or break the page with one. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Problem, QueryComments, Team, TeamInvitation } from '#http/contract.ts'
import { accounts, ask, type Headers, keyOf, save, signedIn, store } from '../sharedSaved.testing.ts'

const NONE = '00000000-0000-4000-8000-000000000000'
const callers = {} as Record<
  'owner' | 'viewer' | 'removed' | 'stranger' | 'nobody' | 'writeKey' | 'readKey',
  Headers
>
const query: { team: string; public: string; private: string } = { team: '', public: '', private: '' }

before(async () => {
  const named = async (name: string) =>
    signedIn(`${name}@comments.example`, { name, isPremium: name === 'owner' })
  for (const name of ['owner', 'viewer', 'removed', 'stranger'] as const) callers[name] = await named(name)
  callers.nobody = {}
  callers.writeKey = (await keyOf(callers.viewer, 'read:own', 'write:own')).headers
  callers.readKey = (await keyOf(callers.viewer, 'read:own')).headers
  const { body: team } = await ask<Team>('POST', '/api/v1/teams', callers.owner, { name: 'T' })
  const members = await Promise.all(
    [callers.viewer, callers.removed].map(async headers => {
      const made = await ask<TeamInvitation>('POST', `/api/v1/teams/${team.id}/invitations`, callers.owner, {
        role: 'viewer',
      })
      const token = made.body.link?.split('#join=')[1]
      const joined = await ask<Team>('POST', '/api/v1/teams/memberships', headers, { token })
      return joined.body.people.find(({ isSelf }) => isSelf)?.id
    }),
  )
  await ask('DELETE', `/api/v1/teams/${team.id}/members/${members[1]}`, callers.owner)
  query.team = (await save(callers.owner, { visibility: 'team', team: team.id })).id
  query.public = (await save(callers.owner, { visibility: 'public' })).id
  query.private = (await save(callers.owner, {})).id
})

const pathOf = (id: string) => `/api/v1/queries/${id}/comments`
const list = (id: string, headers: Headers) => ask<QueryComments & Problem>('GET', pathOf(id), headers)
const comment = (id: string, headers: Headers, text: string) =>
  ask<QueryComments & Problem>('POST', pathOf(id), headers, { text })
const added = async (id: string, headers: Headers, text = 'Hello') => {
  const { status, body } = await comment(id, headers, text)
  assert.equal(status, 200, JSON.stringify(body))
  return body.comments.at(-1)
}

test('whoever may read a query reads its comments, and writes them once signed in', async () => {
  const expected = {
    //         owner viewer removed stranger nobody writeKey readKey
    team: /*  */ [
      [200, 200],
      [200, 200],
      [404, 404],
      [404, 404],
      [404, 401],
      [200, 200],
      [200, 403],
    ],
    public: /**/ [
      [200, 200],
      [200, 200],
      [200, 200],
      [200, 200],
      [200, 401],
      [200, 200],
      [200, 403],
    ],
    private: /**/ [
      [200, 200],
      [404, 404],
      [404, 404],
      [404, 404],
      [404, 401],
      [404, 404],
      [404, 403],
    ],
  }
  for (const kind of ['team', 'public', 'private'] as const) {
    const answered = []
    for (const headers of Object.values(callers))
      answered.push([
        (await list(query[kind], headers)).status,
        (await comment(query[kind], headers, 'x')).status,
      ])
    assert.deepEqual(answered, expected[kind], kind)
  }
  const [hidden, absent] = [await list(query.private, callers.stranger), await list(NONE, callers.stranger)]
  assert.equal(hidden.body.detail, absent.body.detail)
})

test('author and owner of the query delete a comment, nobody else does', async () => {
  const remove = (headers: Headers, id: string | undefined) =>
    ask('DELETE', `${pathOf(query.public)}/${id}`, headers)
  const first = await added(query.public, callers.stranger)
  const seen = await list(query.public, callers.viewer)
  assert.deepEqual(
    [
      seen.body.comments.at(-1)?.author,
      seen.body.comments.at(-1)?.isOwn,
      seen.body.comments.at(-1)?.mayDelete,
    ],
    ['stranger', false, false],
  )
  for (const [role, status] of [
    ['viewer', 404],
    ['nobody', 401],
    ['readKey', 403],
    ['writeKey', 404],
    ['stranger', 204],
  ] as const)
    assert.equal((await remove(callers[role], first?.id)).status, status, role)
  const second = await added(query.public, callers.stranger)
  // Of another query it is not found either.
  assert.equal((await ask('DELETE', `${pathOf(query.team)}/${second?.id}`, callers.owner)).status, 404)
  assert.equal((await remove(callers.owner, second?.id)).status, 204)
})

test('hostile text stays text, without what would hide in it', async () => {
  const kept = async (text: string) => (await added(query.public, callers.owner, text))?.text
  const markup =
    '<script>alert(1)</script> [x](javascript:alert(1)) https://evil.example <img src=x onerror=y>'
  assert.equal(await kept(markup), markup)
  assert.equal(await kept('pay \u202Eevil\u202C\u200B now\r\n\n\n\n\nsecond'), 'pay evil now\n\nsecond')
  assert.equal(
    await kept("'); DROP TABLE assay.query_comments; --"),
    "'); DROP TABLE assay.query_comments; --",
  )
  for (const text of ['', ' \n ', '\u200b\u202e', '\u0000', 'x'.repeat(2001), 'x'.repeat(100_000)]) {
    const { status } = await comment(query.public, callers.owner, text)
    assert.equal(status, 400, JSON.stringify(text.slice(0, 20)))
  }
})

test('comments are limited by query and by author', async () => {
  const leaving = await signedIn('leaving@comments.example', { name: 'leaving', isPremium: false })
  const person = await accounts.identify(leaving)
  const { id } = await save(callers.owner, { visibility: 'public' })
  await store.query(
    `INSERT INTO assay.query_comments SELECT gen_random_uuid(), $1::uuid, $2::text, 'x', 'x', now() FROM generate_series(1, 100)`,
    [id, `account:${person?.id}`],
  )
  const full = await comment(id, leaving, 'one more')
  assert.deepEqual([full.status, full.body.code], [409, 'sql.comments_full'])
  assert.equal((await comment(id, callers.viewer, 'another author')).status, 200)
  await store.query(
    `INSERT INTO assay.query_comments SELECT gen_random_uuid(), $1::uuid, 'account:' || n, 'x', 'x', now() FROM generate_series(1, 399) n`,
    [id],
  )
  assert.equal((await comment(id, callers.viewer, 'too many')).status, 409)
})
