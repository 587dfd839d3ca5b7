/** A sign-in or transaction that the user left would go through, or send more than was confirmed. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { sentenceOf } from '#kernel/errors.ts'
import { until } from '#kernel/until.testing.ts'
import { fault, makeWallet } from '#tests/wallets/account.ts'
import { installLeather, installXverse } from '#tests/wallets/install.ts'
import {
  calls,
  LEATHER,
  made,
  OTHER_KEY,
  page,
  setUpWalletPage,
  signIn,
  XVERSE,
} from '#tests/wallets/walletPage.ts'
import {
  callContract,
  proveAddress,
  type RequestKind,
  type RequestStep,
  signInWithWallet,
  signMessage,
  signStructured,
  storedSession,
  transferStx,
  watchRequests,
  watchSession,
} from './index.ts'

setUpWalletPage()

const answers: Promise<unknown>[] = []

function heard<T>(answer: Promise<T>): Promise<T> {
  answers.push(answer)
  return answer
}

/** Once late answers have come, and all that could follow has run: nothing that follows leaves this process. */
async function answersDone(): Promise<void> {
  assert.ok(answers.length > 0)
  await Promise.allSettled(answers.splice(0))
  for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate)
}

for (const hasToken of [true, false])
  test(`a sign-in ${hasToken ? 'by token' : 'by address'} that its reader leaves is cancelled at once, and a late answer begins no session`, async () => {
    const state = made({ hasToken })
    const late = Promise.withResolvers<void>()
    const { wallet } = state
    state.wallet = {
      ...wallet,
      answer: (method, params) => heard(late.promise.then(() => wallet.answer(method, params))),
      authResponse: request => heard(late.promise.then(() => wallet.authResponse(request))),
    }
    installLeather(page, state)
    const steps: string[] = []
    const stop = watchRequests((kind, step) => steps.push(`${kind} ${step}`))
    const leaving = new AbortController()
    const told: string[] = []
    const signedIn = signInWithWallet(LEATHER, {
      signal: leaving.signal,
      onFinish: () => told.push('finish'),
      onCancel: ({ code }) => told.push(code),
    })
    await until('the wallet is asked', () => state.asked.length > 0)
    leaving.abort()
    assert.equal(await signedIn, undefined)
    const sessions: unknown[] = []
    const unwatch = watchSession(session => sessions.push(session))
    late.resolve()
    await answersDone()
    assert.deepEqual(told, ['wallet.cancelled'])
    assert.deepEqual(steps, ['auth open', 'auth cancel'])
    assert.deepEqual([sessions, storedSession()], [[], undefined])
    assert.equal(state.asked.length, 1)
    unwatch()
    stop()
  })

test('a proof that its reader leaves is cancelled, and a late signature is not sent', async () => {
  const state = made()
  installLeather(page, state)
  await signIn(LEATHER)
  mock.method(globalThis, 'fetch', async (url: string) => {
    calls.push(url)
    return Response.json({ message: 'sign this' })
  })
  const late = Promise.withResolvers<void>()
  const { wallet } = state
  state.wallet = {
    ...wallet,
    answer: (method, params) => heard(late.promise.then(() => wallet.answer(method, params))),
  }
  const leaving = new AbortController()
  const before = state.asked.length
  const proved = proveAddress(leaving.signal)
  await until('the wallet is asked to sign', () => state.asked.length > before)
  leaving.abort()
  await assert.rejects(proved, { code: 'wallet.cancelled' })
  late.resolve()
  await answersDone()
  assert.deepEqual(calls, ['/api/v1/siws/nonce'])
  assert.ok(storedSession())
})

test('each request is open until it has finished or was cancelled', async () => {
  const steps: [RequestKind, RequestStep][] = []
  const stop = watchRequests((kind, step) => steps.push([kind, step]))
  const state = made()
  installXverse(page, state)
  await signIn(XVERSE)
  await signStructured({ type: 'ascii', value: 'yes' })
  state.refused = ['stx_signMessage']
  await signMessage('no')
  stop()
  await signMessage('unheard')
  assert.deepEqual(steps, [
    ['auth', 'open'],
    ['auth', 'finish'],
    ['structured', 'open'],
    ['structured', 'finish'],
    ['message', 'open'],
    ['message', 'cancel'],
  ])
})

test('STX are sent and contracts called with mode Deny, limits as post-conditions, and the sender is checked', async () => {
  const state = made()
  installLeather(page, state)
  await signIn(LEATHER)
  const recipient = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'
  const sent = await transferStx({ recipient, amountUstx: '1500000', memo: 'thanks' })
  assert.match(sent?.txid ?? '', /^[0-9a-f]{64}$/)
  const call = {
    contract: 'SP000000000000000000002Q6VF78.pox-4',
    functionName: 'allow-contract-caller',
    args: [{ type: 'none' }],
    limits: [{ of: 'STX', from: null, is: 'at most', amount: 7n }],
  } as const
  assert.match((await callContract(call))?.txid ?? '', /^[0-9a-f]{64}$/)
  const [transfer, called] = state.asked.slice(-2).map(({ params }) => params)
  assert.deepEqual(transfer, {
    recipient,
    amount: '1500000',
    memo: 'thanks',
    network: 'mainnet',
    postConditionMode: 'deny',
  })
  assert.equal(called?.postConditionMode, 'deny')
  assert.deepEqual(called?.functionArgs, ['0x09'])
  const codes: string[] = []
  const onCancel = ({ code }: { code: string }) => codes.push(code)
  const other = { recipient: 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ8', amountUstx: '1' }
  await transferStx(other, { onCancel })
  await transferStx({ recipient, amountUstx: '-1' }, { onCancel })
  await transferStx({ recipient, amountUstx: '1', memo: '₿'.repeat(12) }, { onCancel })
  await callContract({ ...call, functionName: '1st' }, { onCancel })
  assert.deepEqual(codes, ['stacks.address', 'stacks.uint', 'stacks.string', 'stacks.identifier'])
  const { wallet } = state
  state.wallet = {
    ...wallet,
    answer: async () => {
      throw fault(-32_603, 'Failed to broadcast: {"reason":"FeeTooLow"}')
    },
  }
  const said: string[] = []
  await callContract(call, { onCancel: error => said.push(error.code, sentenceOf(error)) })
  assert.deepEqual(said, [
    'wallet.rejected',
    'The fee is too low. Nodes take a least fee for each byte. Raise the fee in your wallet and send it again.',
  ])
  state.wallet = makeWallet({ key: OTHER_KEY })
  await transferStx({ recipient, amountUstx: '1' }, { onCancel })
  assert.equal(codes.at(-1), 'wallet.account_changed')
  assert.equal(storedSession(), undefined)
})
