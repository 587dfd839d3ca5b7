import type { BookPage } from './bookPage.ts'
import { CONTROL_PAGES } from './pages/controls.tsx'
import { FIGURE_PAGES } from './pages/figures.tsx'
import { OTHER_CHART_PAGES } from './pages/otherCharts.tsx'
import { SHELL_PAGES } from './pages/shell.tsx'
import { TABLE_PAGES } from './pages/tables.tsx'
import { TEXT_PAGES } from './pages/texts.tsx'
import { CHART_FRAME_PAGE, TIME_CHART_PAGES } from './pages/timeCharts.tsx'

/** The whole book, in the order of its contents. */
export const BOOK: readonly BookPage[] = [
  ...TEXT_PAGES,
  ...FIGURE_PAGES,
  CHART_FRAME_PAGE,
  ...TIME_CHART_PAGES,
  ...OTHER_CHART_PAGES,
  ...TABLE_PAGES,
  ...CONTROL_PAGES,
  ...SHELL_PAGES,
]
