/** A name in the data could inject a script into a page. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { handoffElement } from './handoff.server.ts'

const element = (page: unknown, errors: unknown = null) =>
  handoffElement({ loaderData: { page }, actionData: null, errors })

test('plain data are handed over as JSON, and no name in them ends the element', () => {
  const page = { rows: [{ name: '</script><b>&', value: 1.5, none: null, left: undefined }], isOn: true }
  const html = element(page) ?? ''
  const [, json = ''] = /^<script type="application\/json" id="loaded">(.*)<\/script>$/s.exec(html) ?? []
  assert.doesNotMatch(json, /[<>&]/)
  assert.deepEqual(JSON.parse(json).loaderData.page, {
    rows: [{ name: '</script><b>&', value: 1.5, none: null }],
    isOn: true,
  })
})

test('what JSON would change is left to React Router', () => {
  for (const value of [
    new Date(0),
    new Map([[1, 2]]),
    Promise.resolve(1),
    Number.NaN,
    1n,
    [undefined],
    Symbol.iterator,
  ])
    assert.equal(element({ deep: [value] }), undefined)
  assert.equal(element({}, { page: 'failed' }), undefined)
})
