/** Pages about all chains: whether they are narrowed to one, and the question that each answers. */
export const DATA_PAGES = {
  '/dashboards/hotcontracts': {
    ofContracts: true,
    question:
      'Which contracts are called most on Stacks and the EVM layers, by whom, and which of them grow?',
  },
  '/popularcalls': {
    ofContracts: true,
    question:
      'What do people do in contracts: which functions are called, by how many, and how often in vain?',
  },
  '/contractsdeployed': {
    ofContracts: true,
    question: 'What is built on Stacks and the EVM layers, by whom, and how much of it is a copy?',
  },
  '/tokens': {
    ofContracts: true,
    question:
      'Which fungible tokens are there on Stacks and the EVM layers, how many hold them, how much do they move, and are they what they say?',
  },
  '/collections': {
    ofContracts: true,
    question: 'Which NFTs are traded on Stacks and the EVM layers, for how much, and who has them?',
  },
  '/dashboards/discovermints': {
    ofContracts: true,
    question:
      'What is being minted on Stacks and the EVM layers, how fast, by how many, at what price, and what should make you look twice?',
  },
  '/addressbalance': {
    ofContracts: false,
    question:
      'What does an address have, on Bitcoin, Stacks and the EVM layers, and how did it come to that? One, or a thousand at once.',
  },
  '/tvl': {
    ofContracts: false,
    question:
      'How much value is at work on each chain, in which applications, and what does the sum leave out?',
  },
} as const satisfies Readonly<Record<string, { ofContracts: boolean; question: string }>>
