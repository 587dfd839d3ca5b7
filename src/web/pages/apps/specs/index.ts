import type { AppSpec, AppTab } from '../appSpec.ts'
import type { AppId } from '../apps.ts'
import { exchange } from './exchange.ts'

/** What stands on the page of each application. */
export const SPECS: Readonly<Record<AppId, AppSpec>> = {
  alex: exchange({ name: 'ALEX', token: { id: 'alex', symbol: 'ALEX' } }),
  bitflow: exchange({ name: 'Bitflow' }),
  velar: exchange({ name: 'Velar', token: { id: 'velar', symbol: 'VELAR' } }),
}

export const tabOf = (app: AppId, key: string | null): AppTab => {
  const { tabs } = SPECS[app]
  return tabs.find(tab => tab.key === key) ?? tabs[0]
}
