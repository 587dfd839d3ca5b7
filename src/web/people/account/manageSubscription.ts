import { askPerson, wordsOf } from '../askPerson.ts'
import type { People } from '../peopleState.ts'
import { say } from '../toasts.ts'

/** Leads to the page of the payment provider on which a subscription is managed, or says why there is none. */
export async function manageSubscription(people: Pick<People, 'headers'>): Promise<void> {
  try {
    const answer = await askPerson(people, '/api/v1/billing/portal', { method: 'POST', body: {} })
    const url = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'url') : undefined
    if (typeof url !== 'string' || !/^https?:\/\//.test(url)) throw new Error('The answer has no address')
    window.location.assign(url)
  } catch (error) {
    say({ title: 'The subscription cannot be managed', text: wordsOf(error), isError: true })
  }
}
