/** Pages would link to an API that is elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiHref } from './apiHref.ts'

test('the API is asked at /api, or where the page says', () => {
  const dataset: { api?: string } = {}
  Object.assign(globalThis, { document: { documentElement: { dataset } } })
  assert.equal(apiHref('/api/v1/features'), '/api/v1/features')
  dataset.api = 'https://assay.example/figures/api'
  assert.equal(apiHref('/api/v1/features'), 'https://assay.example/figures/api/v1/features')
  assert.equal(apiHref('/api/cms/ads'), 'https://assay.example/figures/api/cms/ads')
})
