import { hiddenTable, listedTable } from './hidden.ts'
import { bitcoinsTable, exitsTable, type OpportunityTable, opportunitiesTable } from './opportunities.ts'
import { rangesTable } from './ranges.ts'

export type { OpportunityTable } from './opportunities.ts'

/** Tables about ways to earn with bitcoin, by the name that the page and the API use. */
export const OPPORTUNITY_TABLES: Readonly<Record<string, OpportunityTable>> = {
  opportunities: opportunitiesTable,
  hidden: hiddenTable,
  listed: listedTable,
  ranges: rangesTable,
  exits: exitsTable,
  bitcoins: bitcoinsTable,
}
