/** Calls of known Stacks functions would show raw names instead of a sentence. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { CATALOG_DIR } from '#catalog/testing.ts'
import type { ClarityValue } from '#chains/stacks/index.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { readSentences, type Sentences } from './index.ts'

const SENDER = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'

let sentences: Sentences
before(async () => {
  sentences = await readSentences(CATALOG_DIR)
})

/** Parts of a text at commas that stand in no brackets. */
function partsOf(text: string): string[] {
  const parts: string[] = ['']
  let depth = 0
  for (const char of text) {
    if ('({<'.includes(char)) depth += 1
    if (')}>'.includes(char)) depth -= 1
    if (char === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts.map(part => part.trim()).filter(Boolean)
}

/** A value of a type as interfaces write it. */
function madeOf(type: string): ClarityValue {
  const [, inner = ''] = /^\((?:list \d+|optional|response) (.*)\)$/.exec(type) ?? []
  if (type === 'uint' || type === 'int') return { type, value: 5n }
  if (type === 'bool') return { type: 'bool', value: true }
  if (type.startsWith('(list')) return { type: 'list', items: [madeOf(inner)] }
  if (type.startsWith('(optional')) return { type: 'optional', value: madeOf(inner) }
  if (type.startsWith('(response'))
    return { type: 'response', isOk: true, value: madeOf(inner.split(' ')[0] ?? '') } as ClarityValue
  if (type.startsWith('(string-utf8')) return { type: 'string-utf8', value: 'x' }
  if (type.startsWith('(string-ascii')) return { type: 'string-ascii', value: 'x' }
  if (type.startsWith('(buff')) {
    const length = Number(/\d+/.exec(type)?.[0])
    return {
      type: 'buffer',
      value: length === 1 ? Buffer.alloc(1) : Buffer.from('a'.repeat(Math.min(length, 20))),
    }
  }
  if (type.startsWith('{'))
    return {
      type: 'tuple',
      fields: partsOf(type.slice(1, -1)).map(field => {
        const colon = field.indexOf(':')
        return { name: field.slice(0, colon).trim(), value: madeOf(field.slice(colon + 1).trim()) }
      }),
    }
  return { type: 'principal', value: `${SENDER}.any` }
}

type Interface = {
  readonly functions: readonly {
    readonly name: string
    readonly access: string
    readonly args: readonly (readonly [name: string, type: string])[]
  }[]
}

test(
  'every public function of every contract of the catalogue reads as a sentence',
  skipWithoutShared,
  () => {
    const { contracts } = JSON.parse(readFileSync(join(CATALOG_DIR, 'stacks/contracts.json'), 'utf8'))
    const untold: string[] = []
    let count = 0
    for (const contract of Object.keys(contracts)) {
      const file = shared(`facts/clarity/${contract}.json`)
      if (!existsSync(file)) continue
      const { functions }: Interface = JSON.parse(readFileSync(file, 'utf8'))
      for (const { name, access, args } of functions) {
        if (access !== 'public') continue
        count += 1
        for (const isSuccess of [true, false, null]) {
          const said = sentences.call({
            contract,
            functionName: name,
            args: args.map(([, type]) => madeOf(type)),
            sender: SENDER,
            isSuccess,
            moves: [],
          })
          if (said.from === 'generic') untold.push(`${contract} ${name}`)
          assert.match(said.text, /^["“\p{Lu}]/u, `${contract} ${name}: ${said.text}`)
          assert.doesNotMatch(said.text, /undefined| {2}|null/, `${contract} ${name}: ${said.text}`)
        }
      }
    }
    assert.ok(count > 5_000, `${count} functions`)
    assert.deepEqual([...new Set(untold)], [])
  },
)
