import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { shownPart } from '../../blocks/chart/chartSpec.ts'
import { answering } from '../answering.server.ts'
import { type FigurePage, loadFigures } from '../chain/loadFigures.server.ts'
import { ENTITY } from './specs.ts'

/** The figures of a page about Stacks, with what its tables ask for. */
export async function loadStacks<Tables extends object>(
  page: FigurePage,
  url: URL,
  context: Readonly<RouterContextProvider>,
  tables: () => Promise<Tables>,
) {
  const [figures, rows, events] = await answering('Stacks', () =>
    Promise.all([
      loadFigures(page, ENTITY, url, context),
      tables(),
      context.get(apiContext).directory.events(ENTITY),
    ]),
  )
  return {
    ...figures,
    events,
    ...rows,
    mark: figures.mark ?? { asOf: undefined },
    question: page.question,
    // What the browser needs of the charts; which figures they ask for stays here.
    specs: page.charts.map(shownPart),
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export type LoadedFigures = Awaited<ReturnType<typeof loadStacks<object>>>

/** The height that a list goes on below, by the address. */
export function beforeIn(url: URL): { before?: number } {
  const text = url.searchParams.get('before') ?? ''
  return /^\d{1,9}$/.test(text) ? { before: Number(text) } : {}
}
