/** Figures that the product promises would be missing from pages and the API, and nobody would notice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import promised from './promisedMetrics.fixture.json' with { type: 'json' }
import { metricsOf } from './registry.ts'

/** Promised ids that are not in the registry, each with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'btc.idle_share':
    'No source publishes how much of a layer’s bitcoin tokens is in protocols. Computing it needs the contracts of every protocol with their roles.',
}
const LEFT_OUT_OF_STACKS: Readonly<Record<string, string>> = {
  'reward_recipients.amt': 'Not a figure: a field of a node’s message.',
}
const METRICS = metricsOf(await testCatalog())

/** Ids of metrics that cover one of the entities. */
const idsOf = (entities: readonly string[]): Set<string> =>
  new Set(
    METRICS.filter(metric => metric.entities.some(entity => entities.includes(entity))).map(({ id }) => id),
  )

test('every promised figure of Bitcoin and its layers is in the registry', () => {
  const declared = new Set(METRICS.map(({ id, entityKind }) => `${entityKind} ${id}`))
  const missing = [
    ...promised.bitcoin.filter(id => !declared.has(`chain ${id}`)),
    // A figure of a layer’s peg or token is a figure of that token. Flows between protocols are figures of each protocol.
    ...promised.layers.filter(id =>
      ['layer', 'token', 'protocol'].every(kind => !declared.has(`${kind} ${id}`)),
    ),
  ]
  assert.deepEqual(missing.sort(), Object.keys(LEFT_OUT).sort())
})

test('every promised figure of Stacks is in the registry', () => {
  const declared = idsOf(['stacks', 'sbtc', 'stx'])
  const missing = promised.stacks.filter(id => !declared.has(id))
  assert.deepEqual(missing.sort(), Object.keys(LEFT_OUT_OF_STACKS).sort())
})

/** Applications of each kind, tokens with the application that issues them. */
const KINDS: Readonly<Record<keyof typeof promised.applications, readonly (readonly string[])[]>> = {
  DEX: [['alex'], ['bitflow'], ['velar']],
  Lending: [['granite'], ['zest']],
  CDP: [['arkadiko', 'usda']],
  'Liquid staking': [['lisa'], ['stacking-dao']],
  'Yield stable': [['hermetica', 'usdh']],
  'Meme token': [['welsh']],
  All: [
    ['alex'],
    ['arkadiko'],
    ['bitflow'],
    ['granite'],
    ['hermetica'],
    ['lisa'],
    ['stacking-dao'],
    ['velar'],
    ['zest'],
    ['welsh'],
  ],
}
/** Promised ids that one application does not have, each with the reason. */
const LEFT_OUT_OF_APPLICATIONS: Readonly<Record<string, string>> = {
  'welsh revenue.apps': 'A token whose contract takes no fee has no revenue.',
}

test('every promised figure of applications is in the registry for each application of its kind', () => {
  const missing = Object.entries(KINDS).flatMap(([kind, applications]) =>
    applications.flatMap(entities => {
      const declared = idsOf(entities)
      return promised.applications[kind as keyof typeof KINDS]
        .filter(id => !declared.has(id))
        .map(id => `${entities[0]} ${id}`)
    }),
  )
  assert.deepEqual(missing.sort(), Object.keys(LEFT_OUT_OF_APPLICATIONS).sort())
})

test('every promised figure of treasuries is in the registry', () => {
  const declared = idsOf(['strategy'])
  assert.deepEqual(
    promised.treasuries.filter(id => !declared.has(id)),
    [],
  )
})

test('every promised figure of yields is in the registry', () => {
  const declared = new Set(METRICS.filter(({ entityKind }) => entityKind === 'pool').map(({ id }) => id))
  assert.deepEqual(
    promised.yields.filter(id => !declared.has(id)),
    [],
  )
})
