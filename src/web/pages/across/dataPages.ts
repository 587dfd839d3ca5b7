/** Pages about all chains, and whether they are narrowed to one. */
export const DATA_PAGES = {
  '/dashboards/hotcontracts': { ofContracts: true },
  '/popularcalls': { ofContracts: true },
  '/contractsdeployed': { ofContracts: true },
  '/tokens': { ofContracts: true },
  '/collections': { ofContracts: true },
  '/dashboards/discovermints': { ofContracts: true },
  '/addressbalance': { ofContracts: false },
  '/tvl': { ofContracts: false },
} as const satisfies Readonly<Record<string, { ofContracts: boolean }>>
