import { fromEach, type Machine, step } from './machine.ts'

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
export type AdOn = 'active ad' | 'dismissed ad' | 'no active ad' | 'click' | 'cancel' | 'features'

const EACH: readonly AdName[] = ['none', 'shown', 'hidden']

export const AD: Machine<AdName, AdOn> = {
  title: 'Ad',
  initial: 'none',
  states: EACH,
  steps: [
    ...fromEach<AdName, AdOn>(EACH, { on: 'active ad', to: 'shown', does: 'view is told, once each' }),
    { from: 'shown', on: 'click', to: 'shown', does: 'click is told' },
    { from: 'shown', on: 'cancel', to: 'hidden', does: 'cancel is told' },
    ...fromEach<AdName, AdOn>(EACH, { on: 'dismissed ad', to: 'hidden' }),
    ...fromEach<AdName, AdOn>(EACH, { on: 'no active ad', to: 'none' }),
    ...fromEach<AdName, AdOn>(EACH, { on: 'features', to: 'none' }),
  ],
}

export type AdState = {
  readonly name: AdName
  /** The one that is shown or hidden. */
  readonly ad: Ad | undefined
  /** Ids of those that were dismissed: none of them is shown again. */
  readonly dismissed: readonly string[]
}
export type AdEvent =
  | { readonly on: 'loaded'; readonly ads: readonly Ad[]; readonly now: number }
  | { readonly on: 'click' | 'cancel' | 'features' }
/** The state afterwards, and what the server is told of it. */
export type AdStep = { readonly state: AdState; readonly tell: AdEventName | undefined }

export const adAtStart: AdState = { name: AD.initial, ad: undefined, dismissed: [] }

/** The first ad whose window contains now. */
export const activeAd = (ads: readonly Ad[], now: number): Ad | undefined =>
  ads.find(({ start, end }) => Date.parse(start) <= now && now < Date.parse(end))

/** The ad of now is shown, or hidden where it was dismissed before: one view a showing, a click for each click. */
export function adAfter(state: AdState, event: AdEvent): AdStep {
  const { dismissed } = state
  if (event.on === 'loaded') {
    const ad = activeAd(event.ads, event.now)
    const on = ad === undefined ? 'no active ad' : dismissed.includes(ad._id) ? 'dismissed ad' : 'active ad'
    const name = step(AD, state.name, on)
    const isNew = name === 'shown' && !(state.name === 'shown' && state.ad?._id === ad?._id)
    return { state: { name, ad, dismissed }, tell: isNew ? 'view' : undefined }
  }
  const name = step(AD, state.name, event.on)
  if (event.on === 'features') return { state: { name, ad: undefined, dismissed }, tell: undefined }
  if (state.name !== 'shown' || state.ad === undefined) return { state, tell: undefined }
  const isDismissed = event.on === 'cancel'
  return {
    state: { ...state, name, dismissed: isDismissed ? [...dismissed, state.ad._id] : dismissed },
    tell: event.on,
  }
}
