/** The search shortcut would not work before scripts load. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import fc from 'fast-check'
import { isSearchKey, searchKeyScript } from './searchKey.ts'

/** As far as a key looks at where it was pressed. */
class FakeElement {
  isContentEditable = false
  tagName = ''
}

test('the early script hears the keys of the search that the search hears', () => {
  Object.assign(globalThis, { HTMLElement: FakeElement })
  const early: (event: object) => boolean = runInContext(`(${searchKeyScript})`, createContext({}))
  const isCommand = fc.boolean()
  let heard = 0
  fc.assert(
    fc.property(
      fc.constantFrom('k', '/', 'K', 'Enter'),
      isCommand,
      isCommand,
      fc.constantFrom('BODY', 'INPUT', 'TEXTAREA', 'SELECT', 'A'),
      fc.boolean(),
      (key, metaKey, ctrlKey, tagName, isContentEditable) => {
        const target = Object.assign(new FakeElement(), { tagName, isContentEditable })
        const event = { key, metaKey, ctrlKey, target }
        const isHeard = isSearchKey(event as unknown as KeyboardEvent)
        heard += Number(isHeard)
        assert.equal(early(event), isHeard)
      },
    ),
  )
  assert.ok(heard > 5)
})
