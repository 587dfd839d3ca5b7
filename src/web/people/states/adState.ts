import { type Machine, step } from './machine.ts'

export type Ad = {
  readonly _id: string
  /** ISO times: shown from `start` on, up to before `end`. */
  readonly start: string
  readonly end: string
  readonly link: string
  readonly image: string
  readonly title: string
}
export const AD_EVENTS = ['view', 'click', 'cancel'] as const
export type AdEventName = (typeof AD_EVENTS)[number]

export type AdName = 'none' | 'shown' | 'hidden'
export type AdOn = 'active ad' | 'no active ad' | 'click' | 'cancel' | 'features'

export const AD: Machine<AdName, AdOn> = {
  title: 'Ad',
  initial: 'none',
  states: ['none', 'shown', 'hidden'],
  steps: [
    { from: 'none', on: 'active ad', to: 'shown', does: 'view is told, once' },
    { from: 'shown', on: 'click', to: 'shown', does: 'click is told' },
    { from: 'shown', on: 'cancel', to: 'hidden', does: 'cancel is told' },
    { from: 'shown', on: 'no active ad', to: 'none' },
    { from: 'shown', on: 'features', to: 'none' },
    { from: 'hidden', on: 'features', to: 'none' },
  ],
}

export type AdState = { readonly name: AdName; readonly ad: Ad | undefined }
export type AdEvent =
  | { readonly on: 'loaded'; readonly ads: readonly Ad[]; readonly now: number }
  | { readonly on: 'click' | 'cancel' | 'features' }
/** The state afterwards, and what the server is told of it. */
export type AdStep = { readonly state: AdState; readonly tell: AdEventName | undefined }

export const adAtStart: AdState = { name: AD.initial, ad: undefined }

/** The first ad whose window contains now. */
export const activeAd = (ads: readonly Ad[], now: number): Ad | undefined =>
  ads.find(({ start, end }) => Date.parse(start) <= now && now < Date.parse(end))

/** One view a showing, a click for each click, and what was dismissed stays hidden. */
export function adAfter(state: AdState, event: AdEvent): AdStep {
  if (event.on === 'loaded') {
    const ad = activeAd(event.ads, event.now)
    const name = step(AD, state.name, ad ? 'active ad' : 'no active ad')
    const isNew = name === 'shown' && state.name === 'none'
    return {
      state: { name, ad: isNew ? ad : name === 'none' ? undefined : state.ad },
      tell: isNew ? 'view' : undefined,
    }
  }
  const name = step(AD, state.name, event.on)
  const isTold = state.name === 'shown' && event.on !== 'features'
  return {
    state: name === 'none' ? adAtStart : { ...state, name },
    tell: isTold ? (event.on as AdEventName) : undefined,
  }
}
