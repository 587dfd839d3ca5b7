/** Users could not tell their own sessions apart. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceText, timeText } from './accountView.ts'

test('a device is named by browser and system', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
  assert.equal(deviceText(chrome), 'Chrome on Linux')
  assert.equal(deviceText(`${chrome} Edg/156.0`), 'Edge on Linux')
  assert.equal(
    deviceText(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1',
    ),
    'Safari on iPhone',
  )
  assert.deepEqual([deviceText(''), deviceText('curl/8.5.0')], ['Unknown browser', 'curl/8.5.0'])
})

test('a time is told to the minute, with its zone', () => {
  assert.equal(timeText('2026-11-24T18:05:59.000Z'), '2026-11-24 18:05 UTC')
})
