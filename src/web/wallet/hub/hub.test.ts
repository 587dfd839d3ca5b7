/** A user’s stored data would be overwritten by another device. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { APP_KEY, makeWallet } from '#tests/wallets/account.ts'
import { enterPage, MadePage } from '#tests/wallets/madePage.ts'
import { type MadeHub, openHub } from '#tests/wallets/openHub.ts'
import { backupAliases, getFile, hasBackup, listFiles, putFile, restoreAliases } from '../index.ts'
import { beginSession, storedSession, userOf } from '../session.ts'

const BACKUP = {
  aliases: [{ alias: 'Treasury', address: 'SP000000000000000000002Q6VF78' }],
  lists: [{ name: 'Whales', addresses: ['bc1q530dz4h80kwlzywlhx2qn0k6vdtftd93c499yq'] }],
}

let left: Disposable
beforeEach(() => {
  left = enterPage(new MadePage())
})
afterEach(() => left[Symbol.dispose]())

function connect({ url }: MadeHub, appPrivateKey = APP_KEY): void {
  const wallet = makeWallet({ key: `${'1d'.repeat(32)}01` })
  beginSession({ ...userOf('LeatherProvider', wallet), hubUrl: url, appPrivateKey })
}

const writes = ({ asked }: MadeHub): number => asked.filter(line => line.startsWith('POST /store/')).length

test('what is written is read and listed, and written again over the version that was known', async () => {
  await using hub = await openHub()
  connect(hub)
  const url = await putFile('a b/c.json', '{"n":1}')
  assert.equal(await (await fetch(url)).text(), '{"n":1}')
  assert.ok(storedSession()?.etags['a b/c.json'])
  await putFile('a b/c.json', '{"n":2}')
  const file = await getFile('a b/c.json')
  assert.equal(Buffer.from(file?.bytes ?? []).toString(), '{"n":2}')
  assert.deepEqual(await listFiles(), ['a b/c.json'])
  assert.equal(await getFile('nothing'), null)
})

test('a version that another device wrote is not written over', async () => {
  await using hub = await openHub()
  connect(hub)
  await putFile('x', '1')
  const [key = ''] = hub.files.keys()
  hub.files.set(key, { bytes: Buffer.from('2'), etag: '"other"' })
  await assert.rejects(putFile('x', '3'), { code: 'hub.precondition', status: 412 })
  assert.equal(hub.files.get(key)?.bytes.toString(), '2')
})

test('a file is read where the hub states its prefix without a slash at its end', async () => {
  for (const prefixEnd of ['', '/', '//']) {
    await using hub = await openHub()
    hub.manner.prefixEnd = prefixEnd
    connect(hub)
    await putFile('a.json', '1')
    assert.equal(Buffer.from((await getFile('a.json'))?.bytes ?? []).toString(), '1', prefixEnd)
  }
})

test('a file that another device deleted is written again once a read has shown that it is gone', async () => {
  await using hub = await openHub()
  connect(hub)
  await putFile('a.json', '1')
  hub.files.clear()
  await assert.rejects(putFile('a.json', '2'), { code: 'hub.precondition' })
  assert.equal(await getFile('a.json'), null)
  await putFile('a.json', '3')
  assert.equal(Buffer.from((await getFile('a.json'))?.bytes ?? []).toString(), '3')
})

test('a file is written again that was read or written without a strong etag', async () => {
  for (const passEtag of [() => null, (etag: string) => `W/${etag}`]) {
    await using hub = await openHub()
    hub.manner.passEtag = passEtag
    connect(hub)
    await putFile('a.json', '1')
    await getFile('a.json')
    await putFile('a.json', '2')
    assert.equal(Buffer.from((await getFile('a.json'))?.bytes ?? []).toString(), '2')
  }
  await using hub = await openHub()
  hub.manner.namesWritten = false
  connect(hub)
  await putFile('a.json', '1')
  await putFile('a.json', '2')
  assert.equal(Buffer.from((await getFile('a.json'))?.bytes ?? []).toString(), '2')
})

test('a page in place of a hub’s answer is a HubError, and nothing counts as written', async () => {
  await using hub = await openHub()
  connect(hub)
  hub.manner.storePage = '<!doctype html><title>Just a moment</title>'
  await assert.rejects(putFile('a.json', '1'), { name: 'HubError', code: 'hub.answer' })
  for (const infoPage of [hub.manner.storePage, '[]', '{}', 'null', '{"read_url_prefix":"none"}']) {
    hub.manner.infoPage = infoPage
    await assert.rejects(getFile('a.json'), { name: 'HubError', code: 'hub.answer' }, infoPage)
    await assert.rejects(listFiles(), { name: 'HubError', code: 'hub.answer' }, infoPage)
  }
  // One that is a hub of long ago, whose proof the wallet cannot give.
  hub.manner.infoPage = JSON.stringify({ read_url_prefix: hub.url, challenge_text: 'x' })
  await assert.rejects(getFile('a.json'), { name: 'HubError', code: 'hub.answer' })
})

test('401, 409 and 5xx are asked once more with a new proof; others are not', async () => {
  await using hub = await openHub()
  connect(hub)
  for (const [status, code] of [
    [401, 'hub.validation'],
    [409, 'hub.conflict'],
    [500, 'hub.status'],
    [503, 'hub.status'],
  ] as const) {
    const before = writes(hub)
    hub.refusals.push(status)
    await putFile(`again-${status}`, 'x')
    assert.equal(writes(hub) - before, 2, String(status))
    hub.refusals.push(status, status)
    await assert.rejects(putFile(`never-${status}`, 'x'), { code, status })
    assert.equal(writes(hub) - before, 4, String(status))
  }
  for (const [status, code] of [
    [402, 'hub.proof'],
    [403, 'hub.path'],
    [404, 'hub.missing'],
    [412, 'hub.precondition'],
    [418, 'hub.status'],
  ] as const) {
    const before = writes(hub)
    hub.refusals.push(status)
    await assert.rejects(putFile(`once-${status}`, 'x'), { code, status })
    assert.equal(writes(hub) - before, 1, String(status))
  }
})

test('more than the hub takes is not sent, and 413 says how much it takes; 20 MB where it states nothing', async () => {
  await using small = await openHub({ maxMb: 1 })
  connect(small)
  const megabyte = 1024 * 1024
  await assert.rejects(putFile('big', new Uint8Array(megabyte + 1)), {
    code: 'hub.too_large',
    maxBytes: megabyte,
  })
  assert.equal(writes(small), 0)
  small.refusals.push(413)
  await assert.rejects(putFile('refused', 'x'), { code: 'hub.too_large', status: 413, maxBytes: megabyte })
  assert.equal(writes(small), 1)
  await using silent = await openHub()
  connect(silent)
  await assert.rejects(putFile('big', new Uint8Array(20 * megabyte + 1)), { maxBytes: 20 * megabyte })
  assert.equal(writes(silent), 0)
})

test('a hub that is not there, and a wallet without one, say so', async () => {
  const hub = await openHub()
  connect(hub)
  await hub[Symbol.asyncDispose]()
  await assert.rejects(putFile('x', 'y'), { code: 'hub.unreachable', status: null })
  beginSession(userOf('LeatherProvider', makeWallet({ key: `${'1d'.repeat(32)}01` })))
  await assert.rejects(putFile('x', 'y'), { code: 'hub.none' })
  await assert.rejects(backupAliases(BACKUP), { code: 'backup.key' })
})

test('a backup comes back whole, is unreadable at the hub, and is for no other wallet', async () => {
  await using hub = await openHub()
  connect(hub)
  assert.equal(await restoreAliases(), null)
  assert.equal(await hasBackup(), false)
  await backupAliases(BACKUP)
  assert.equal(await hasBackup(), true)
  // Who tells nothing of lists takes none away.
  await backupAliases({ aliases: [] })
  assert.deepEqual(await restoreAliases(), { ...BACKUP, aliases: [] })
  // From another device, which knows no version of it.
  connect(hub)
  await backupAliases({ ...BACKUP, lists: [] })
  assert.deepEqual(await restoreAliases(), { ...BACKUP, lists: [] })
  const [file] = hub.files.values()
  assert.doesNotMatch(file?.bytes.toString() ?? '', /Treasury|SP0000/)
  const [key = ''] = hub.files.keys()
  connect(hub, '8e'.repeat(32))
  assert.equal(await restoreAliases(), null)
  const { publicKeyToBtcAddress, getPublicKeyFromPrivate } = await import('@stacks/encryption')
  const other = publicKeyToBtcAddress(getPublicKeyFromPrivate('8e'.repeat(32)))
  hub.files.set(key.replace(/^[^/]+/, other), file ?? assert.fail())
  await assert.rejects(restoreAliases(), { code: 'cipher.mac' })
})
