import { costsTable, extendsTable, firstDeployersTable, versionsTable, wordsTable } from './clarity.ts'
import { cyclesTable, distributionsTable } from './cycles.ts'
import { defiPoolsTable, tokenPricesTable } from './defi.ts'
import { minersTable, tenuresTable } from './mining.ts'
import { bondsTable, clockTable, managersTable, signersTable, signingTable, whoSignsTable } from './pox.ts'
import { accountsTable, assetsTable, emissionTable, outflowsTable, unlocksTable } from './sip031.ts'
import { activationTable } from './sip033.ts'
import { membersTable } from './stacking.ts'
import type { StacksTable } from './table.ts'
import { recountTable, resultsTable } from './votes.ts'

export type { StacksTable } from './table.ts'

/** Tables of the pages about Stacks, by the name that pages and the API use. */
export const STACKS_TABLES: Readonly<Record<string, StacksTable>> = {
  'sip-results': resultsTable,
  'sip-recount': recountTable,
  'sip031-emission': emissionTable,
  'sip031-unlocks': unlocksTable,
  'sip031-accounts': accountsTable,
  'sip031-outflows': outflowsTable,
  'sip031-assets': assetsTable,
  'sip033-activation': activationTable,
  'clarity-versions': versionsTable,
  'clarity-words': wordsTable,
  'clarity-first': firstDeployersTable,
  'clarity-costs': costsTable,
  'tenure-extends': extendsTable,
  'defi-pools': defiPoolsTable,
  'token-prices': tokenPricesTable,
  tenures: tenuresTable,
  miners: minersTable,
  'cycle-clock': clockTable,
  signers: signersTable,
  signing: signingTable,
  'who-signs': whoSignsTable,
  'signer-managers': managersTable,
  bonds: bondsTable,
  cycles: cyclesTable,
  distributions: distributionsTable,
  'pool-members': membersTable,
}
