/** A missing block or name would lead to a dead end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, problemOf, toApiError } from '#http/apiError.ts'
import { AssayError } from '#kernel/errors.ts'
import { answering, blocksOf, type PagesOfKind } from './answering.server.ts'

/** What `PageError` draws where the API throws. */
async function failureOf(thrown: Error, pages?: PagesOfKind) {
  try {
    await answering('Block 9', () => Promise.reject(thrown), pages)
  } catch (answered) {
    const { data, init } = answered as { data: Record<string, unknown>; init: { status: number } }
    return { status: init.status, title: data.title, hint: data.hint, nearest: data.nearest }
  }
  throw new Error('nothing was thrown')
}

const notHeld = (nearest: string): Error =>
  toApiError(
    new AssayError('explorer.block_not_found', 'Block 9 is not held.', {
      hint: 'The nearest heights held.',
      facts: { height: 9, nearest },
    }),
  )

test('heights near one that is not held are links, on every chain', async () => {
  for (const chain of ['bitcoin', 'stacks', 'rootstock'])
    assert.deepEqual(await failureOf(notHeld('7,1000'), blocksOf(chain)), {
      status: 404,
      title: 'Block 9 not found',
      hint: undefined,
      nearest: [
        { path: `/${chain}/block/7`, label: 'Block 7' },
        { path: `/${chain}/block/1000`, label: 'Block 1,000' },
      ],
    })
  const none = await failureOf(notHeld(''), blocksOf('bitcoin'))
  assert.deepEqual([none.hint, none.nearest], ['The nearest heights held.', []])
})

test('an unknown name among listed ones is an unknown page with links by name', async () => {
  const unknown = new ApiError(problemOf('http.treasury', 'There is none.', { nearest: ['strategy'] }))
  const pages: PagesOfKind = { pathOf: id => `/x/${id}`, names: async () => [['strategy', 'Strategy']] }
  assert.deepEqual(await failureOf(unknown, pages), {
    status: 404,
    title: 'Page not found',
    hint: undefined,
    nearest: [{ path: '/x/strategy', label: 'Strategy' }],
  })
})
