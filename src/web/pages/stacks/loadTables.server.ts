import type { RouterContextProvider } from 'react-router'
import { apiContext } from '#http/context.ts'
import type { StacksTableAnswer } from '#http/contract.ts'

/** Tables of ours by name, in the order asked for. */
export async function loadTables(
  context: Readonly<RouterContextProvider>,
  names: readonly string[],
): Promise<{ tables: StacksTableAnswer[] }> {
  const { stacks } = context.get(apiContext)
  return { tables: await Promise.all(names.map(name => stacks.table(name))) }
}
