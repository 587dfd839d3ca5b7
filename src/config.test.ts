import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfig, VARIABLES } from './config.ts'

test('an empty environment gives the defaults of the README', () => {
  const config = readConfig({})
  assert.equal(config.port, 4400)
  assert.equal(config.publicUrl, 'http://localhost:4400')
  assert.match(config.home, /\.assay$/)
})

test('every wrong variable is named at once, with its value and the reason', () => {
  assert.throws(
    () => readConfig({ PORT: 'abc', BITCOIN_NETWORK: 'moon', CLICKHOUSE_CLUSTER: 'c' }),
    error => {
      assert(error instanceof Error)
      for (const part of [
        'PORT: "abc"',
        'BITCOIN_NETWORK: "moon"',
        'CLICKHOUSE_CLUSTER: needs CLICKHOUSE_URL',
      ]) {
        assert(error.message.includes(part), `${part} is missing in: ${error.message}`)
      }
      return true
    },
  )
})

test('a secret is never repeated in an error', () => {
  assert.throws(
    () => readConfig({ CLICKHOUSE_PASSWORD: 'hunter2', PORT: '0' }),
    error => !String(error).includes('hunter2'),
  )
})

test('an empty value is an absent one', () => {
  assert.equal(readConfig({ PORT: '' }).port, 4400)
})

test('the README documents every variable with its default', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const [name, { fallback, about }] of Object.entries(VARIABLES)) {
    const row = `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${about} |`
    assert(readme.includes(row), `the README lacks the row: ${row}`)
  }
})

test('proxies are addresses or networks, not names', () => {
  assert.deepEqual(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy, ['10.0.0.0/8', '::1'])
  assert.throws(() => readConfig({ TRUST_PROXY: 'everyone' }), /TRUST_PROXY: "everyone"/)
})
