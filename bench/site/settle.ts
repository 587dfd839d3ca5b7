import { setTimeout as wait } from 'node:timers/promises'

const QUIET_MS = 6_000
const LIMIT_MS = 240_000

/** Waits until a freshly started site has loaded its recorded data: until what it says of fees and of itself stays the same. */
export async function settle(origin: string): Promise<void> {
  const start = performance.now()
  let last = ''
  let since = start
  while (performance.now() - since < QUIET_MS) {
    if (performance.now() - start > LIMIT_MS)
      throw new Error('the recorded data was still changing after 4 minutes')
    await wait(500)
    const answers = await Promise.all(
      ['/api/v1/metrics/fees.total?entity=bitcoin&range=max', '/api/v1/status'].map(async path => {
        const answer = await fetch(origin + path)
        return answer.ok ? (await answer.text()).length : -1
      }),
    )
    const now = answers.join()
    if (now !== last || answers.includes(-1)) since = performance.now()
    last = now
  }
}
