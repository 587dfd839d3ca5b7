import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { metricsOf } from './registry.ts'

/** Ids of the design that do not stand in the registry, each with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'btc.idle_share':
    'Nobody publishes how much of a layer’s bitcoin tokens lies in protocols, as an amount; from rows it needs the contracts of every protocol with their roles.',
}
/** The same of its section "Stacks". */
const LEFT_OUT_OF_STACKS: Readonly<Record<string, string>> = {
  'reward_recipients.amt': 'No figure: a field of a node’s message.',
}
const METRICS = metricsOf(await testCatalog())

/** The text of a section, from its heading to the next. */
function sectionOf(page: string, heading: string): string {
  const start = page.indexOf(`\n## ${heading}`)
  assert.notEqual(start, -1, `the design has no section "${heading}"`)
  const end = page.indexOf('\n## ', start + 1)
  return page.slice(start, end === -1 ? undefined : end)
}

const idsIn = (text: string): string[] =>
  [...text.matchAll(/`([a-z][a-z0-9_]*\.[a-z][a-z0-9_]*)`/g)].map(([, id]) => id!)

test(
  'every figure that the design lists for Bitcoin and its layers is in the registry',
  skipWithoutShared,
  () => {
    const page = readFileSync(shared('design/metrics.md'), 'utf8')
    const rows = sectionOf(page, 'Bitcoin (')
      .split('\n')
      .filter(line => line.startsWith('| `'))
    const ofBitcoin = rows.flatMap(row => idsIn(row.split('|')[1]!))
    assert.ok(ofBitcoin.length >= 60, `${ofBitcoin.length} ids were read from the table`)
    const ofLayers = [
      ...idsIn(sectionOf(page, 'What each layer does on Bitcoin')),
      ...sectionOf(page, 'Layers (')
        .split('\n')
        .filter(line => line.startsWith('| `'))
        .flatMap(row => idsIn(row.split('|')[1]!)),
    ]
    assert.ok(ofLayers.length >= 50, `${ofLayers.length} ids of layers were read`)
    const declared = new Set(METRICS.map(({ id, entityKind }) => `${entityKind} ${id}`))
    const missing = [
      ...ofBitcoin.filter(id => !declared.has(`chain ${id}`)),
      // A figure of a layer’s peg or token is a figure of that token; what moves between protocols is one of each of them.
      ...ofLayers.filter(id => ['layer', 'token', 'protocol'].every(kind => !declared.has(`${kind} ${id}`))),
    ]
    assert.deepEqual(missing.sort(), Object.keys(LEFT_OUT).sort())
  },
)

test('every figure that the design lists for Stacks is in the registry', skipWithoutShared, () => {
  const listed = new Set(idsIn(sectionOf(readFileSync(shared('design/metrics.md'), 'utf8'), 'Stacks')))
  assert.ok(listed.size >= 50, `${listed.size} ids were read from the section`)
  const declared = new Set(
    METRICS.filter(({ entities }) => entities.some(entity => ['stacks', 'sbtc', 'stx'].includes(entity))).map(
      ({ id }) => id,
    ),
  )
  const missing = [...listed].filter(id => !declared.has(id))
  assert.deepEqual(missing.sort(), Object.keys(LEFT_OUT_OF_STACKS).sort())
})

/** Who each kind of application of its section "Applications" is, tokens with those that make them. */
const KINDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
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
/** Ids of that section that one of them does not have, each with the reason. */
const LEFT_OUT_OF_APPLICATIONS: Readonly<Record<string, string>> = {
  'welsh revenue.apps': 'A token whose contract takes no fee keeps nothing.',
}

test(
  'every figure that the design lists for applications is in the registry for each of its kind',
  skipWithoutShared,
  () => {
    const lines = sectionOf(readFileSync(shared('design/metrics.md'), 'utf8'), 'Applications')
      .split('\n')
      .filter(line => line.startsWith('- '))
    const kindOf = (line: string) => Object.keys(KINDS).find(kind => line.startsWith(`- ${kind}`))
    assert.deepEqual(lines.map(kindOf).sort(), Object.keys(KINDS).sort(), 'a kind of the design is not known')
    const missing = lines.flatMap(line => {
      const ids = idsIn(line)
      assert.ok(ids.length >= 2, `${ids.length} ids were read from "${line.slice(0, 40)}"`)
      return KINDS[kindOf(line)!]!.flatMap(entities => {
        const declared = new Set(
          METRICS.filter(metric => entities.some(entity => metric.entities.includes(entity))).map(
            ({ id }) => id,
          ),
        )
        return ids.filter(id => !declared.has(id)).map(id => `${entities[0]} ${id}`)
      })
    })
    assert.deepEqual(missing.sort(), Object.keys(LEFT_OUT_OF_APPLICATIONS).sort())
  },
)

test('every figure that the design lists for treasuries is in the registry', skipWithoutShared, () => {
  const listed = idsIn(sectionOf(readFileSync(shared('design/metrics.md'), 'utf8'), 'Treasuries'))
  assert.ok(listed.length >= 14, `${listed.length} ids were read from the section`)
  const ofCompanies = new Set(
    METRICS.filter(({ entities }) => entities.includes('strategy')).map(({ id }) => id),
  )
  assert.deepEqual(
    listed.filter(id => !ofCompanies.has(id)),
    [],
  )
})

test('every figure that the design lists for yields is in the registry', skipWithoutShared, () => {
  const listed = idsIn(sectionOf(readFileSync(shared('design/metrics.md'), 'utf8'), 'Yield'))
  assert.ok(listed.length >= 12, `${listed.length} ids were read from the section`)
  const ofPools = new Set(METRICS.filter(({ entityKind }) => entityKind === 'pool').map(({ id }) => id))
  assert.deepEqual(
    listed.filter(id => !ofPools.has(id)),
    [],
  )
})
