import type { SourceDeclaration } from './source.ts'

/** Days and fees of ways out as the catalogue has them, each with the page that states it and the day on which it was read. */
export const yieldsStated: SourceDeclaration = {
  id: 'yields.stated',
  name: 'Ways out as applications and issuers state them',
  url: 'https://docs.lombard.finance/use/faq',
  licence: 'facts',
  rank: 30,
  cadenceSeconds: null,
  about:
    'How one gets out of ways to earn with bitcoin, and from their coins to bitcoin, in the words of those who offer them: catalog/yield-projects, catalog/opportunities and catalog/bitcoins. Read once, some in stored copies of their pages; nobody has measured them.',
}
