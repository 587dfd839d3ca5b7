import type { DATA_PAGES } from './dataPages.ts'

/** What each page about all chains answers; apart from the list of them, which every layer's page carries. */
export const QUESTIONS: Readonly<Record<keyof typeof DATA_PAGES, string>> = {
  '/dashboards/hotcontracts':
    'Which contracts are called most on Stacks and the EVM layers, by whom, and which of them grow?',
  '/popularcalls':
    'What do people do in contracts: which functions are called, by how many, and how often in vain?',
  '/contractsdeployed': 'What is built on Stacks and the EVM layers, by whom, and how much of it is a copy?',
  '/tokens':
    'Which fungible tokens exist on Stacks and the EVM layers, how many holders and how much activity do they have, and are they genuine?',
  '/collections': 'Which NFTs are traded on Stacks and the EVM layers, for how much, and who has them?',
  '/dashboards/discovermints':
    'What is being minted on Stacks and the EVM layers, how fast, by how many, at what price, and what should make you look twice?',
  '/addressbalance':
    'What does an address have, on Bitcoin, Stacks and the EVM layers, and how did it come to that? One, or a thousand at once.',
  '/tvl': 'How much value is at work on each chain, in which applications, and what does the sum leave out?',
}
