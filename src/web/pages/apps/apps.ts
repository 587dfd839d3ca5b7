import type { SiteApplication } from '#http/context.ts'

/**
 * The applications that this build has a page for: their slug in `catalog/protocols`, which is the first part of the address
 * too, and what menus call them. Others have the page of their kind, by their file in `catalog/stacks/apps`.
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

/** An application with a page: one of this build, or one that the catalogue makes. */
export type PagedApp = Pick<SiteApplication, 'slug' | 'name'> & Partial<SiteApplication>

/** The application that an address is about: its first part; undefined where it is the address of none. */
export function appAt(
  { pathname }: Pick<URL, 'pathname'>,
  applications: readonly SiteApplication[],
): PagedApp | undefined {
  const [, first = ''] = pathname.split('/')
  if (isApp(first)) return { slug: first, name: APPS[first] }
  return applications.find(({ slug }) => slug === first)
}
