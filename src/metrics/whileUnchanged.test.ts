/** Pages would show outdated data or read unchanged data again and again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asKnownOn } from '#warehouse/index.ts'
import { whileUnchanged } from './whileUnchanged.ts'

// If this fails, figures name the sources and coverage of rows that have changed since, or each question reads them anew.

function counted(first: string | undefined) {
  const state = { mark: first, ms: 1_000, reads: 0, fails: false }
  const get = whileUnchanged(
    { changeMark: async () => state.mark },
    async () => {
      state.reads++
      if (state.fails) throw new Error('away')
      return state.reads
    },
    () => state.ms,
  )
  return { state, get }
}

test('one read stands for all until rows change or the half-minute is over', async () => {
  const { state, get } = counted('engine 1')
  assert.deepEqual(await Promise.all([get(), get(), get()]), [1, 1, 1])
  state.mark = 'engine 2'
  assert.equal(await get(), 2)
  state.ms = 29_999
  assert.equal(await get(), 2)
  state.ms = 30_000
  assert.equal(await get(), 3)
})

test('nothing is kept where changes are not told, as known on a day, or of a failure', async () => {
  const { state, get } = counted(undefined)
  assert.deepEqual([await get(), await get()], [1, 2])
  state.mark = 'engine 1'
  assert.equal(await get(), 3)
  assert.equal(await asKnownOn('2026-01-31', get), 4)
  assert.equal(await get(), 3)
  state.mark = 'engine 2'
  state.fails = true
  await assert.rejects(get(), /away/)
  state.fails = false
  assert.equal(await get(), 6)
})
