import { type Features, hasFeatures } from '#kernel/people.ts'

/** Cookie that tells the first paint who was here last: `account`, `wallet.dashboard.query`. It proves nothing. */
const HINT = 'person'
const DAY_S = 86_400

/** How somebody is signed in on screen. */
export type PersonKind = 'account' | 'wallet'

/** Features that the bar knows: others change nothing of it. */
const SHOWN = ['dashboard', 'query'] as const
/** Who has one of these is not asked to upgrade. */
const PREMIUM = ['query', 'dashboard', 'bitcoin'] as const

/** What the attributes of `html` say to the style sheet: which entries the menu has, whether Premium is had, and any feature at all. */
const wordsOf = (features: Features): string =>
  [
    ...SHOWN.filter(name => features[name] === true),
    ...(PREMIUM.some(name => features[name] === true) ? ['premium'] : []),
    ...(hasFeatures(features) ? ['any'] : []),
  ].join('.')

/**
 * Part of the early script: sets `data-person` and `data-features` of `html` from the cookie before the first paint, so that the
 * bar does not jump once it is known who is here.
 */
export const hintScript = `(function(d,m){m=/(?:^|; )${HINT}=(account|wallet)((?:\\.[a-z]+)*)(?:;|$)/.exec(document.cookie);if(m){d.setAttribute('data-person',m[1]);d.setAttribute('data-features',m[2].replace(/\\./g,' ').trim())}})(document.documentElement)`

/** Shows the bar of whoever is here now, and leaves the hint for the next page. */
export function showPerson(kind: PersonKind | undefined, features: Features): void {
  const { dataset } = document.documentElement
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  const words = wordsOf(features)
  if (kind === undefined) {
    delete dataset.person
    delete dataset.features
    if (document.cookie.includes(`${HINT}=`)) keep('', 0)
    return
  }
  dataset.person = kind
  dataset.features = words.replaceAll('.', ' ')
  keep(words === '' ? kind : `${kind}.${words}`, 30 * DAY_S)

  function keep(value: string, seconds: number): void {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and not everywhere; the next page must find it
    document.cookie = `${HINT}=${value}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`
  }
}
