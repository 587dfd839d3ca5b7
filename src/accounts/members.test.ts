/** An account would open with a wrong password, or mails would reveal who has one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { madePerson, NOW, openAccountsStore, type TestAccounts } from './accounts.testing.ts'
import { demandPassword, isPassword } from './passwords.ts'

const PASSWORD = 'correct horse battery'
const HOUR_MS = 3600_000
const FORM = { code: 'accounts.form' }
const TOO_MANY = { code: 'accounts.too_many' }

let site: TestAccounts
before(async () => {
  site = await openAccountsStore()
})
after(() => site[Symbol.asyncDispose]())

const notes = async (person: string) =>
  (
    await site.store.query<{ event: string; asker: string | null }>(
      'SELECT event, asker FROM assay.audit_log WHERE person = $1 ORDER BY id',
      [person],
    )
  ).map(({ event, asker }) => [event, asker])

type Open = ReturnType<TestAccounts['open']>
const mails = ({ log }: Open) =>
  log.map(({ message }) => message).filter(message => message.startsWith('mail to '))
const linkIn = (mail: string | undefined, purpose: 'reset' | 'confirm') => {
  const [, secret] =
    new RegExp(`https://assay\\.example/idp/u/${purpose}/([\\w-]{43})\\n`).exec(mail ?? '') ?? []
  assert.ok(secret, `no link to ${purpose} in ${mail}`)
  return secret
}
const create = (accounts: Open, email: string, asker = 'a') =>
  accounts.members.create({ email, name: 'Ann', password: PASSWORD }, asker)

test('an account needs an email, a name and a password, and a link to confirm the email is sent', async () => {
  const accounts = site.open()
  const { members } = accounts
  const given = { email: 'ann@example.org', name: 'Ann', password: PASSWORD }
  await assert.rejects(members.create({ ...given, email: 'ann' }, 'a'), FORM)
  await assert.rejects(members.create({ ...given, name: ' \u200b' }, 'a'), FORM)
  await assert.rejects(members.create({ ...given, password: 'short' }, 'a'), FORM)
  const member = await members.create({ ...given, email: ' Ann@Example.org ', name: ' Ann\tLee ' }, 'a')
  const { id, ...rest } = member
  assert.match(id, /^assay\|[\w-]{22}$/)
  assert.deepEqual(rest, {
    email: 'Ann@Example.org',
    isEmailProved: false,
    name: 'Ann Lee',
    createdAt: new Date(NOW),
    signInVersion: 0,
  })
  assert.deepEqual(await members.find(id), member)
  assert.equal(await members.find('nobody'), undefined)
  await assert.rejects(members.create(given, 'a'), { code: 'accounts.taken' })
  const [mail, ...others] = mails(accounts)
  assert.deepEqual(others, [])
  assert.match(mail ?? '', /^mail to Ann@Example\.org .*Confirm your email/)
  assert.match(mail ?? '', /Hello Ann Lee,/)
  assert.deepEqual(await notes(`account:${id}`), [['account made', 'a']])
  const long = await members.create({ ...given, email: 'long@example.org', name: 'x'.repeat(90) }, 'a')
  assert.equal(long.name, 'x'.repeat(80))
})

test('the right password opens an account, a wrong one does not, and both are written down', async () => {
  const accounts = site.open()
  const { id } = await create(accounts, 'bob@example.org')
  const { members } = accounts
  assert.equal((await members.check(' BOB@example.org', PASSWORD, 'a')).id, id)
  await assert.rejects(members.check('bob@example.org', `${PASSWORD}.`, 'b'), {
    code: 'accounts.password',
    message: 'Wrong email or password.',
  })
  await assert.rejects(members.check('none@example.org', PASSWORD, 'b'), { code: 'accounts.password' })
  assert.deepEqual(await notes(`account:${id}`), [
    ['account made', 'a'],
    ['account signed in', 'a'],
    ['password refused', 'b'],
  ])
})

test('wrong passwords are limited by account and caller, by caller, and by account', async () => {
  const open = (limits: object) => site.open({ limits })
  const { id } = await create(site.open(), 'cat@example.org')
  const wrong = (accounts: Open, asker: string, email = 'cat@example.org') =>
    accounts.members.check(email, 'wrong', asker)
  const REFUSED = { code: 'accounts.password' }
  // Of one caller for one account two, and the right one does not count.
  let accounts = open({ failuresByAccount: 2 })
  await assert.rejects(wrong(accounts, 'a'), REFUSED)
  await accounts.members.check('cat@example.org', PASSWORD, 'a')
  await assert.rejects(wrong(accounts, 'a'), REFUSED)
  await assert.rejects(wrong(accounts, 'a'), REFUSED)
  await assert.rejects(accounts.members.check('CAT@example.org', PASSWORD, 'a'), TOO_MANY)
  assert.equal((await accounts.members.check('cat@example.org', PASSWORD, 'b')).id, id)
  // Of one caller for any accounts two.
  accounts = open({ failuresByAddress: 2 })
  await accounts.members.check('cat@example.org', PASSWORD, 'c')
  await assert.rejects(wrong(accounts, 'c', 'x@example.org'), REFUSED)
  await assert.rejects(wrong(accounts, 'c', 'y@example.org'), REFUSED)
  await assert.rejects(wrong(accounts, 'c', 'z@example.org'), TOO_MANY)
  // For one account of all callers two, but where its owner was before.
  accounts = open({ failuresOfAccount: 2 })
  await accounts.members.check('cat@example.org', PASSWORD, 'd')
  await assert.rejects(wrong(accounts, 'e'), REFUSED)
  await assert.rejects(wrong(accounts, 'f'), REFUSED)
  await assert.rejects(wrong(accounts, 'g'), TOO_MANY)
  await assert.rejects(wrong(accounts, 'd'), REFUSED)
  assert.equal((await accounts.members.check('cat@example.org', PASSWORD, 'd')).id, id)
  await assert.rejects(accounts.members.check('cat@example.org', PASSWORD, 'g'), TOO_MANY)
})

test('a mailed link sets a new password once, within an hour, and ends all access', async () => {
  const accounts = site.open()
  const { members, clock } = accounts
  const { id } = await create(accounts, 'dot@example.org')
  const ask = async () => {
    await members.forget('DOT@example.org', 'a')
    await accounts.idle()
    const mail = mails(accounts).at(-1)
    assert.match(mail ?? '', /^mail to dot@example\.org .*A new password/)
    return linkIn(mail, 'reset')
  }
  const first = await ask()
  const second = await ask()
  assert.equal(await members.ofLink('reset', first), undefined, 'the newer link replaces the older')
  assert.equal((await members.ofLink('reset', second))?.id, id)
  assert.equal(await members.ofLink('confirm', second), undefined)
  clock.now = NOW + HOUR_MS - 1
  assert.equal((await members.ofLink('reset', second))?.id, id)
  clock.now = NOW + HOUR_MS
  assert.equal(await members.ofLink('reset', second), undefined)
  await assert.rejects(members.reset(second, 'another password', 'b'), { code: 'accounts.link' })
  clock.now = NOW + HOUR_MS - 1
  const person = madePerson(id)
  await accounts.keys.create(person, { name: 'Key', scopes: ['read:query'], expires: undefined })
  await assert.rejects(members.reset(second, 'short', 'b'), FORM)
  const member = await members.reset(second, 'another password', 'b')
  assert.deepEqual([member.signInVersion, member.isEmailProved], [1, true])
  assert.deepEqual(await accounts.keys.list(person), [])
  await assert.rejects(members.reset(second, 'another password', 'b'), { code: 'accounts.link' })
  await assert.rejects(members.check('dot@example.org', PASSWORD, 'a'), { code: 'accounts.password' })
  assert.equal((await members.check('dot@example.org', 'another password', 'a')).id, id)
  assert.deepEqual(
    (await notes(`account:${id}`)).filter(([event]) => /password (asked|changed)/.test(String(event))),
    [
      ['new password asked for', 'a'],
      ['new password asked for', 'a'],
      ['password changed', 'b'],
    ],
  )
})

test('who asks for a new password learns nothing of whether there is an account', async () => {
  const accounts = site.open({ limits: { mailsByAccount: 1 } })
  const { members } = accounts
  await members.forget('nobody@example.org', 'a')
  await accounts.idle()
  assert.deepEqual(mails(accounts), [])
  await assert.rejects(members.forget(' NOBODY@example.org', 'b'), {
    ...TOO_MANY,
    message: 'Too many emails were requested for this address within an hour.',
    hint: 'The link in the latest mail works for one hour.',
  })
  const limited = site.open({ limits: { mailsByAddress: 1 } })
  await limited.members.forget('x@example.org', 'a')
  await assert.rejects(limited.members.forget('y@example.org', 'a'), {
    ...TOO_MANY,
    message: 'Too many mails in a short time.',
  })
  await assert.rejects(create(limited, 'z@example.org', 'a'), TOO_MANY)
})

test('an email is confirmed by the link together with the session or the password', async () => {
  const accounts = site.open()
  const { members, clock } = accounts
  const { id } = await create(accounts, 'eve@example.org')
  const other = await create(accounts, 'fay@example.org')
  const secret = linkIn(mails(accounts)[0], 'confirm')
  const by = (password: string, account?: string) => ({
    password,
    session: account === undefined ? undefined : { account, session: 's', grant: undefined },
  })
  clock.now = NOW + 7 * 24 * HOUR_MS
  await assert.rejects(members.confirm(secret, by(PASSWORD), 'a'), { code: 'accounts.link' })
  clock.now -= 1
  await assert.rejects(members.confirm(secret, by(''), 'a'), FORM)
  await assert.rejects(members.confirm(secret, by('', other.id), 'a'), FORM)
  await assert.rejects(members.confirm(secret, by('wrong', other.id), 'a'), {
    code: 'accounts.password',
    message: 'Wrong password.',
  })
  const confirmed = await members.confirm(secret, by(PASSWORD), 'a')
  assert.deepEqual([confirmed.id, confirmed.isEmailProved, confirmed.signInVersion], [id, true, 1])
  await assert.rejects(members.confirm(secret, by(PASSWORD), 'a'), { code: 'accounts.link' })
  assert.deepEqual((await notes(`account:${id}`)).at(-1), ['email confirmed', 'a'])
  // With its session it takes no password.
  const ofOther = linkIn(mails(accounts)[1], 'confirm')
  assert.equal((await members.confirm(ofOther, by('', other.id), 'b')).isEmailProved, true)
  await assert.rejects(members.confirm('x'.repeat(43), by('', undefined), 'b'), { code: 'accounts.link' })
})

test('a confirmation is mailed anew while it is needed, and not without end', async () => {
  const accounts = site.open({ limits: { mailsByAccount: 1, mailsByAddress: 3 } })
  const { members } = accounts
  const member = await create(accounts, 'gus@example.org')
  await members.askToConfirm(member, 'a')
  assert.equal(mails(accounts).length, 2)
  assert.equal(await members.ofLink('confirm', linkIn(mails(accounts)[0], 'confirm')), undefined)
  await assert.rejects(members.askToConfirm(member, 'a'), TOO_MANY)
  await members.askToConfirm({ ...member, isEmailProved: true }, 'a')
  assert.equal(mails(accounts).length, 2)
  await assert.rejects(members.askToConfirm({ ...member, id: 'other' }, 'a'), TOO_MANY)
})

test('a password has ten to two hundred characters, is no email and not of three signs', async () => {
  const isTaken = (password: string, email = 'a@b.c') => {
    try {
      demandPassword(password, email)
      return true
    } catch (error) {
      assert.equal((error as { code: string }).code, 'accounts.form')
      return false
    }
  }
  assert.deepEqual(
    ['abcdefghi', 'abcdefghij', '🎈🎉🎁🎂🎃🎄🎅🎆🎇', `abcd${'e'.repeat(196)}`, `abcd${'e'.repeat(197)}`].map(
      password => isTaken(password),
    ),
    [false, true, false, true, false],
  )
  assert.deepEqual([isTaken('abcabcabcabc'), isTaken('abcabcabcabd')], [false, true])
  assert.equal(isTaken('Ann.Lee@Example.org', 'ann.lee@example.ORG'), false)
  const { hashPassword } = await import('./passwords.ts')
  // Both forms of one letter are the same password.
  const hash = await hashPassword('Å ngström unit')
  assert.equal(await isPassword(hash, 'Å ngström unit'), true)
  assert.equal(await isPassword(hash, 'x'.repeat(201)), false)
  assert.equal(await isPassword(undefined, 'nobody has this password'), false)
})
