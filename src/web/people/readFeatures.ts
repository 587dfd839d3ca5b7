import type { Features } from '#kernel/people.ts'
import { apiHref } from '../apiHref.ts'

/** The server does not take what was to prove who asks. */
export class ProofRefused extends Error {
  constructor() {
    super('The server does not take the proof')
    this.name = 'ProofRefused'
  }
}

/** What whoever sends these headers may use. Throws `ProofRefused` for a proof that is none. */
export async function readFeatures(headers: Readonly<Record<string, string>>): Promise<Features> {
  const answer = await fetch(apiHref('/api/v1/features'), {
    headers: { 'content-type': 'application/json', ...headers },
  })
  if (answer.status === 401) throw new ProofRefused()
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`)
  const features: unknown = await answer.json()
  if (typeof features !== 'object' || features === null) throw new Error('The server gave no features')
  return Object.fromEntries(Object.entries(features).filter(([, value]) => typeof value === 'boolean'))
}
