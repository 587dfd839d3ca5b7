/** A page inside Asigna could not sign in, or anyone who frames it would be taken for Asigna. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { installAsigna } from '#tests/wallets/install.ts'
import { MadePage } from '#tests/wallets/madePage.ts'
import { ASIGNA, enter, left, made, setUpWalletPage, signIn } from '#tests/wallets/walletPage.ts'
import { signMessage, watchWallets } from './index.ts'

setUpWalletPage()

describe('Asigna', () => {
  /** Our page in a frame of another. */
  function inFrame(origin: string): MadePage {
    const outer = new MadePage(origin)
    const inner = new MadePage('https://assay.test', [origin])
    inner.top = outer
    const post = outer.postMessage.bind(outer)
    const answer = inner.postMessage.bind(inner)
    inner.parent = Object.assign(outer, {
      postMessage: (data: unknown, to: string) =>
        post(data, to, {
          origin: 'https://assay.test',
          source: {
            postMessage: (back: unknown) => answer(back, '', { source: outer, origin }),
          },
        }),
    })
    left[Symbol.dispose]()
    enter(inner)
    return outer
  }

  test('is there inside its own page alone, and connects by messages', async () => {
    const outer = inFrame(ASIGNA)
    const state = made()
    installAsigna(outer, state)
    const found = Promise.withResolvers<void>()
    const stop = watchWallets(installed => installed.includes('AsignaProvider') && found.resolve())
    await found.promise
    stop()
    const { session, told } = await signIn('AsignaProvider')
    assert.deepEqual(told, ['finish'])
    assert.equal(session?.userData.address, state.wallet.address)
    state.refused = ['stx_signMessage']
    const codes: string[] = []
    await signMessage('x', { onCancel: ({ code }) => codes.push(code) })
    assert.deepEqual(codes, ['wallet.cancelled'])
  })

  test('a page of anyone else that frames ours is no wallet', async () => {
    const outer = inFrame('https://evil.test')
    installAsigna(outer, made())
    assert.deepEqual((await signIn('AsignaProvider')).told, ['no wallet'])
  })
})
