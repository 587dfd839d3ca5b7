import type { FigurePage } from '../chain/loadFigures.server.ts'

/** What the catalogue says of an application, as panels that every page of one may have. */
export type CatalogPanel = 'about' | 'contracts' | 'audits' | 'incidents' | 'notCovered' | 'links'

/** A table of `src/explorer/apps`, by its name there. */
export type TablePanel = {
  table: string
  /** Drawn in another way than as a table. */
  as?: 'curves' | 'ladder'
}
export type AppPanel = CatalogPanel | TablePanel

export const isTable = (panel: AppPanel): panel is TablePanel => typeof panel === 'object'

export type AppTab = FigurePage & {
  key: string
  label: string
  /** `about` stands above the charts, all others below, in this order. */
  panels: readonly AppPanel[]
}

/** What stands on the page of an application, as data. Figures without an `entity` are of the application itself. */
export type AppSpec = {
  readonly tabs: readonly [AppTab, ...AppTab[]]
  /** What brings figures that are not there yet, beside what holds for all applications. */
  readonly remedy?: string
}
