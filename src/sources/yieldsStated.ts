import type { SourceDeclaration } from './source.ts'

/** Days and fees of ways out as the catalogue has them, each with the page that states it and the day on which it was read. */
export const yieldsStated: SourceDeclaration = {
  id: 'yields.stated',
  name: 'Exit paths as stated by applications and issuers',
  url: 'https://docs.lombard.finance/use/faq',
  licence: 'facts',
  rank: 30,
  cadenceSeconds: null,
  about:
    'How to exit yield opportunities, and redeem their coins for bitcoin, as stated by the providers: catalog/yield-projects, catalog/opportunities and catalog/bitcoins. Read once, some in stored copies of their pages. Not measured.',
}
