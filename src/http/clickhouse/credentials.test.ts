/** A revoked or expired key would still read, or the limits of another user would hold. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madePerson, openAccountsStore } from '#accounts/accounts.testing.ts'
import { openTestPort } from './port.testing.ts'

test('real keys open the port until they are revoked, with the limits of their owner', async () => {
  await using store = await openAccountsStore()
  const accounts = store.open()
  await using port = await openTestPort(accounts)
  const person = madePerson('reader')
  const made = await accounts.keys.create(person, {
    name: 'Grafana',
    scopes: ['read:query'],
    expires: undefined,
  })
  const codeOf = async (sql: string, key: string = made.key) => {
    const answer = await port.ask('/', { method: 'POST', body: sql, key })
    await answer.arrayBuffer()
    return answer.headers.get('x-clickhouse-exception-code')
  }
  assert.equal(await codeOf('SELECT 1'), null)
  // Without the feature `query` it is a guest.
  assert.equal(await codeOf('SELECT number FROM numbers(20000)'), '396')
  const expired = await accounts.keys.create(person, {
    name: 'old',
    scopes: ['read:query'],
    expires: new Date(accounts.clock.now + 1000),
  })
  assert.equal(await codeOf('SELECT 1', expired.key), null)
  accounts.clock.now += 2000
  assert.equal(await codeOf('SELECT 1', expired.key), '516')
  await accounts.keys.revoke(person, made.id)
  assert.equal(await codeOf('SELECT 1'), '516')
})
