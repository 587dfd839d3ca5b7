/** A reader would meet a raw id in place of a subject, or look for a metric under a wrong one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { metricsOf } from '#metrics/registry.ts'
import { metricGroups } from './metricGroups.ts'

test('each metric has a group with a name', async () => {
  const metrics = metricsOf(await testCatalog())
  const groups = metricGroups(metrics)
  assert.equal(
    groups.reduce((sum, group) => sum + group.metrics.length, 0),
    metrics.length,
  )
  assert.deepEqual(
    groups.find(({ title }) => title === 'Other')?.metrics.map(({ id }) => id),
    undefined,
  )
  // A name without a metric is one that is no longer needed.
  assert.equal(groups.length, 33)
})

test('metrics are found by subject, and an unknown one last', () => {
  const groups = metricGroups([
    { id: 'new.thing' },
    { id: 'l1.fees' },
    { id: 'rev.total' },
    { id: 'fees.total' },
  ])
  assert.deepEqual(
    groups.map(({ title, metrics }) => [title, ...metrics.map(({ id }) => id)]),
    [
      ['Fees', 'rev.total', 'fees.total'],
      ['Layers on Bitcoin', 'l1.fees'],
      ['Other', 'new.thing'],
    ],
  )
})
