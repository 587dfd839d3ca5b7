import type { SavedQuery } from '#http/contract.ts'
import { parametersOf } from '#kernel/sqlParameters.ts'
import type { SavedQueryChange } from '../queryClient.ts'
import type { QueryTab } from '../tabs.ts'

/** What the tab has, with everything else as it was. */
export const changeOf = (
  { about, folder, visibility }: Pick<SavedQuery, 'about' | 'folder' | 'visibility'>,
  { name, sql, values, chart }: QueryTab,
): SavedQueryChange => {
  const used = new Set(parametersOf(sql, {}).map(parameter => parameter.name))
  return {
    name,
    about,
    folder,
    sql,
    parameters: Object.fromEntries(Object.entries(values).filter(([key]) => used.has(key))),
    chart: chart && { ...chart, values: [...chart.values] },
    visibility,
  }
}
