import { type TestKey, testKey } from '#accounts/wallets.testing.ts'
import { bearer, openPeopleSite, type PeopleSite, signIn } from '#http/people.testing.ts'
import { quantile, timed } from './measure.ts'
import { atLeast, type Figure, rounded, type Suite, within } from './suite.ts'

const SIGN_INS_A_MINUTE = 500
const FEATURES_LIMIT_MS = 5
const MINUTE_MS = 60_000
/** Browsers that sign in at once. */
const AT_ONCE = 8
const PASSWORD = 'a long password of the bench'
const UNLIMITED = 1_000_000

/** Signing in by password and by wallet, and the call that says what a person may use. */
export const people: Suite = {
  name: 'people',
  about:
    'sign-ins a minute by password and by wallet, through the whole provider; the features call of who is signed in',
  async run({ isQuick, say }) {
    await using site = await openPeopleSite({
      limits: {
        mailsByAddress: UNLIMITED,
        failuresByAddress: UNLIMITED,
        noncesByAddress: UNLIMITED,
        noncesByWallet: UNLIMITED,
        proofsByAddress: UNLIMITED,
      },
    })
    const rounds = isQuick ? 80 : 500
    say('making accounts')
    const members = Array.from({ length: 20 }, (_, i) => ({
      email: `member-${i}@example.org`,
      password: PASSWORD,
    }))
    for (const [i, member] of members.entries()) await signIn(site, { ...member, name: `Member ${i}` })
    say('signing in by password')
    const byPassword = await perMinute(rounds, async i => {
      await signIn(site, members[i % members.length] ?? { email: '', password: '' })
    })
    say('signing in by wallet')
    const keys = Array.from({ length: 20 }, (_, i) => testKey(i))
    const byWallet = await perMinute(rounds, i => proveIn(site, keys[i % keys.length] ?? testKey(0)))
    say('asking for features')
    const { access_token: token } = await signIn(site, members[0] ?? { email: '', password: '' })
    const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
    const ask = (headers: Record<string, string>) => async () => {
      const answer = await fetch(`${address}/api/v1/features`, { headers })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`features answered ${answer.status}`)
    }
    const named = await taken(isQuick ? 500 : 3000, ask(bearer(token)))
    const nobody = await taken(isQuick ? 500 : 3000, ask({}))
    const figures: Figure[] = [
      {
        figure: 'sign-ins by password: form, code, tokens',
        ours: `${rounded(byPassword)} a minute`,
        against: `${SIGN_INS_A_MINUTE} a minute`,
        ...atLeast(byPassword / SIGN_INS_A_MINUTE, 1),
      },
      {
        figure: 'sign-ins by wallet: message, signature, session',
        ours: `${rounded(byWallet)} a minute`,
        against: `${SIGN_INS_A_MINUTE} a minute`,
        ...atLeast(byWallet / SIGN_INS_A_MINUTE, 1),
      },
      {
        figure: `features of who is signed in, p95 of ${named.length}`,
        ...within(quantile(named, 0.95), FEATURES_LIMIT_MS, 'ms'),
        against: `${rounded(quantile(nobody, 0.95))} ms for nobody`,
        ratio: quantile(named, 0.95) / quantile(nobody, 0.95),
      },
    ]
    return figures
  },
}

async function proveIn(site: PeopleSite, { address, sign }: TestKey): Promise<void> {
  const post = (url: string, payload: object) => site.ask(url, { method: 'POST', payload })
  const { message } = (await post('/api/v1/siws/nonce', { address })).json<{ message: string }>()
  const answer = await post('/api/v1/siws/verify', { message, signature: sign(message) })
  if (answer.statusCode !== 200) throw new Error(`a proof was refused: ${answer.body}`)
}

/** How many of `rounds` are done in a minute, some at once. */
async function perMinute(rounds: number, run: (i: number) => Promise<void>): Promise<number> {
  let next = 0
  const worker = async () => {
    while (next < rounds) await run(next++)
  }
  const took = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, worker)))
  return (rounds / took) * MINUTE_MS
}

/** Milliseconds of each, one after the other; the first ones warm up and do not count. */
async function taken(count: number, run: () => Promise<void>): Promise<number[]> {
  for (let i = 0; i < count / 10; i++) await run()
  const times: number[] = []
  for (let i = 0; i < count; i++) times.push(await timed(run))
  return times
}
