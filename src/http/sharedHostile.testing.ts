import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { TestKey } from '#accounts/wallets.testing.ts'
import { type Answer, NO_LIMITS_BY_ADDRESS, ORIGIN, openPeopleSite, signIn } from './people.testing.ts'

let tried = 0

/** Counts a case that the server refuses. */
export const countTry = (count = 1): void => {
  tried += count
}

/** How many cases were counted since the last call. */
export const takeTries = (): number => {
  const count = tried
  tried = 0
  return count
}

export const SCRIPT = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
export const ANN = { email: 'ann@example.org', password: 'a long password', name: 'Ann' }
export const site = await openPeopleSite({ limits: { ...NO_LIMITS_BY_ADDRESS, noncesByWallet: 40 } })
export const ann = await signIn(site, ANN)
export const bob = await signIn(site, { email: 'bob@example.org', password: 'another password', name: 'Bob' })
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Headers = Record<string, string>

export const ask = (method: Method, url: string, headers: Headers = {}, payload?: unknown): Promise<Answer> =>
  site.ask(url, {
    method,
    headers: {
      ...(method !== 'GET' && { origin: ORIGIN }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && {
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    }),
  })

/** One case: refused with this status and code, and what was sent is not said back. */
export function refused(what: string, answer: Answer, status: number, code?: string, secret?: string): void {
  countTry()
  assert.equal(answer.statusCode, status, `${what}: ${answer.body}`)
  if (code !== undefined) assert.equal(answer.json().code, code, what)
  if (secret !== undefined && secret.length > 8)
    assert.ok(!answer.body.includes(secret), `${what}: says it back`)
  assert.ok([undefined, ORIGIN].includes(answer.headers['access-control-allow-origin'] as string), what)
}

export const parts = (token: string): [string, string, string] => token.split('.') as [string, string, string]

export const payloadOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(parts(token)[1], 'base64url').toString())

export const offer = async (address: string): Promise<{ nonce: string; message: string }> =>
  (await ask('POST', '/api/v1/siws/nonce', {}, { address })).json()

export const verify = (message: unknown, signature: unknown, headers: Headers = {}) =>
  ask('POST', '/api/v1/siws/verify', headers, { message, signature })

export async function prove({ address, sign }: TestKey, headers: Headers = {}): Promise<Headers> {
  const { message } = await offer(address)
  const answer = await verify(message, sign(message), headers)
  assert.equal(answer.statusCode, 200, answer.body)
  return { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '', 'wallet-address': address }
}

after(() => site[Symbol.asyncDispose]())
