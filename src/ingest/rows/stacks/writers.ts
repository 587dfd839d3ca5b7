import type { ColumnsOf, Table } from '#kernel/table.ts'
import {
  stxBlocks,
  stxCallArgs,
  stxCalls,
  stxContracts,
  stxCycles,
  stxFunctionArgs,
  stxLocks,
  stxMinerRewards,
  stxPoxOps,
  stxPrintFields,
  stxPrints,
  stxRewardSlots,
  stxSigners,
  stxTenures,
  stxTransfers,
  stxTxs,
  stxUnknowns,
} from '#warehouse/tables/stacks.ts'
import { openColumns } from '../columns.ts'

/** Columns of one table, ready for the bulk insert. */
export type TableColumns = { readonly table: Table; readonly columns: ColumnsOf<Table> }

/** One writer a table of blocks. */
export const openWriters = () => ({
  blocks: openColumns(stxBlocks),
  tenures: openColumns(stxTenures),
  txs: openColumns(stxTxs),
  calls: openColumns(stxCalls),
  callArgs: openColumns(stxCallArgs),
  transfers: openColumns(stxTransfers),
  prints: openColumns(stxPrints),
  printFields: openColumns(stxPrintFields),
  locks: openColumns(stxLocks),
  poxOps: openColumns(stxPoxOps),
  contracts: openColumns(stxContracts),
  functionArgs: openColumns(stxFunctionArgs),
  minerRewards: openColumns(stxMinerRewards),
  cycles: openColumns(stxCycles),
  rewardSlots: openColumns(stxRewardSlots),
  signers: openColumns(stxSigners),
  unknowns: openColumns(stxUnknowns),
})

export type Writers = ReturnType<typeof openWriters>

/** What all rows of a block share. */
export type Place = { readonly batch: number; readonly height: number; readonly blockTime: number }

/** Columns of the tables that got rows; every writer starts anew. */
export function takeAll(
  writers: Readonly<Record<string, { table: Table; rowCount: number; take(): unknown }>>,
): TableColumns[] {
  const taken: TableColumns[] = []
  for (const writer of Object.values(writers))
    if (writer.rowCount > 0)
      // The writer of a table takes the columns of that table.
      taken.push({ table: writer.table, columns: writer.take() as ColumnsOf<Table> })
  return taken
}
