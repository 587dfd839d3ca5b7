/**
 * The applications that have a page: their slug in `catalog/protocols`, which is the first part of the address too, and what
 * menus call them.
 */
export const APPS = {
  alex: 'ALEX',
  arkadiko: 'Arkadiko',
  bitflow: 'Bitflow',
  granite: 'Granite',
  hermetica: 'Hermetica',
  lisa: 'LISA',
  'stacking-dao': 'StackingDAO',
  velar: 'Velar',
  welsh: 'Welshcorgicoin',
  zest: 'Zest',
} as const
export type AppId = keyof typeof APPS

export const isApp = (text: string): text is AppId => Object.hasOwn(APPS, text)

/** The application that an address is about: its first part, which the map of the site has made sure of. */
export function appOf({ pathname }: URL): AppId {
  const [, first = ''] = pathname.split('/')
  if (isApp(first)) return first
  throw new Error(`${pathname} is the address of no application`)
}
