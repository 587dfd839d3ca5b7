import { get, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createChallenge, isProof } from './proof.ts'
import type { Endpoint } from './start.ts'

/** A request that the engine keeps open as long as its process is in use by this one. */
export type Lease = {
  readonly endpoint: Endpoint
  /** Settles once the engine has ended or the lease was given up. */
  readonly ended: Promise<void>
  giveUp(): void
}

/**
 * Asks the engine at an endpoint for a lease. `refused`: nobody listens there, or somebody who does not know the token, who is
 * not sent it either. `silent`: no answer within `timeoutMs`.
 */
export async function takeLease(
  endpoint: Endpoint,
  token: string,
  timeoutMs: number,
): Promise<Lease | 'refused' | 'silent'> {
  const proven = await knowsToken(endpoint, token, timeoutMs)
  if (proven !== 'yes') return proven
  return await new Promise(resolve => {
    const lease = request({ ...addressOf(endpoint), path: '/lease', headers: authorization(token) })
    const timer = setTimeout(() => {
      resolve('silent')
      lease.destroy()
    }, timeoutMs)
    const settle = (outcome: Lease | 'refused') => {
      clearTimeout(timer)
      resolve(outcome)
    }
    lease.on('error', () => settle('refused'))
    lease.on('response', response => {
      if (response.statusCode !== 200) {
        settle('refused')
        lease.destroy()
        return
      }
      response.resume()
      response.on('error', () => {})
      response.socket.unref()
      const ended = new Promise<void>(end => response.on('close', end))
      settle({ endpoint, ended, giveUp: () => lease.destroy() })
    })
    lease.end()
  })
}

/** Longer than a proof; who sends more is not ours. */
const MAX_PROOF_LENGTH = 200

function knowsToken(
  endpoint: Endpoint,
  token: string,
  timeoutMs: number,
): Promise<'yes' | 'refused' | 'silent'> {
  return new Promise(resolve => {
    const challenge = createChallenge()
    const sent = get({ ...addressOf(endpoint), path: `/proof?challenge=${challenge}` }, response => {
      let answer = ''
      response.setEncoding('utf8').on('data', chunk => {
        answer += chunk
        if (answer.length > MAX_PROOF_LENGTH) settle('refused')
      })
      response.on('error', () => settle('refused'))
      response.on('end', () => settle(isProof(answer, token, endpoint.port, challenge) ? 'yes' : 'refused'))
    })
    const settle = (outcome: 'yes' | 'refused' | 'silent') => {
      clearTimeout(timer)
      resolve(outcome)
      sent.destroy()
    }
    const timer = setTimeout(() => settle('silent'), timeoutMs)
    sent.on('error', () => settle('refused'))
  })
}

/**
 * Whether the engine answers a ping. Waits as long as the connection stands, unless the signal ends it. `isAside`: it does not
 * keep this process running.
 */
export function ping(endpoint: Endpoint, signal: AbortSignal, isAside = false): Promise<boolean> {
  return new Promise(resolve => {
    const sent = get({ ...addressOf(endpoint), path: '/ping', signal }, response => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    if (isAside) sent.on('socket', socket => socket.unref())
    sent.on('error', () => resolve(false))
  })
}

/** How many processes use the engine; 0 where it has ended, undefined where it does not answer within `timeoutMs`. */
export async function leasesOf(
  endpoint: Endpoint,
  token: string,
  timeoutMs: number,
): Promise<number | undefined> {
  const answer = await answerAt('/leases', endpoint, token, timeoutMs)
  return answer === 'ended' ? 0 : answer && Number(answer.text)
}

/** `ChangeCount.mark` of the engine; undefined where it does not answer within `timeoutMs`. */
export async function changeMarkOf(
  endpoint: Endpoint,
  token: string,
  timeoutMs: number,
): Promise<string | undefined> {
  const answer = await answerAt('/changes', endpoint, token, timeoutMs)
  return answer === 'ended' ? undefined : answer?.text
}

/** What the engine says at one of its own paths; undefined where it does not answer within `timeoutMs`. */
function answerAt(
  path: '/leases' | '/changes',
  endpoint: Endpoint,
  token: string,
  timeoutMs: number,
): Promise<{ readonly text: string } | 'ended' | undefined> {
  return new Promise(resolve => {
    const sent = get(
      { ...addressOf(endpoint), path, headers: authorization(token), timeout: timeoutMs },
      response => {
        text(response).then(
          answer => resolve(response.statusCode === 200 ? { text: answer } : undefined),
          () => resolve('ended'),
        )
      },
    )
    sent.on('timeout', () => {
      resolve(undefined)
      sent.destroy()
    })
    sent.on('error', () => resolve('ended'))
  })
}

/** A connection of its own, so that a connection lost with an earlier engine is never reused. */
const addressOf = ({ port }: Endpoint) => ({ host: '127.0.0.1', port, agent: false }) as const

const authorization = (token: string) => ({
  authorization: `Basic ${Buffer.from(`writer:${token}`).toString('base64')}`,
})
