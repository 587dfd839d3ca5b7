import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { AssayError } from '#kernel/errors.ts'
import type { NamedPage } from '#search/index.ts'
import type { SiteEntities } from '../context.ts'
import { type Assets, readAssets } from './assets.ts'
import type { CardMaker } from './cards.ts'
import type { JudgeQuery, KindOfName } from './queryNames.ts'

/** The built pages: what draws them, and the files they load. */
export type Pages = {
  readonly server: ServerBuild
  readonly assets: Assets
  /** Inline scripts that every page carries word for word. */
  readonly inlineScripts: readonly string[]
  /** Absent: pages have no cards. */
  readonly cards?: CardMaker
  /** Pages that run SQL from their address: drawn for each request, never shared. */
  readonly sqlPages?: readonly string[]
  /** Absent: pages are taken to read every name of their query. */
  readonly judgeQuery?: JudgeQuery
  /** Absent: every name holds text. */
  readonly kindOfName?: KindOfName
  /** The map of the site with what the catalogue names, as its search knows it. */
  readonly mapOf: (named: SiteEntities) => readonly NamedPage[]
  /** Changes with every build whose files differ. */
  readonly release: string
}

/** Loads the build in a folder (`build/`). Throws `http.no_build` where there is none. */
export async function loadPages(folder: string): Promise<Pages> {
  const path = join(folder, 'server', 'index.js')
  let server: ServerBuild
  try {
    server = (await import(pathToFileURL(path).href)) as ServerBuild
  } catch (cause) {
    throw new AssayError('http.no_build', `The pages cannot be loaded from ${path}.`, {
      hint: 'Build them: npm run build.',
      cause,
    })
  }
  // Ours, beside what the framework asks of the module.
  const {
    inlineScripts = [],
    cards,
    namedPages = () => [],
    sqlPages = [],
    judgeQuery,
    kindOfName,
  } = server.entry.module as {
    inlineScripts?: readonly string[]
    cards?: CardMaker
    namedPages?: Pages['mapOf']
    sqlPages?: readonly string[]
    judgeQuery?: JudgeQuery
    kindOfName?: KindOfName
  }
  return {
    server,
    assets: await readAssets(join(folder, 'client')),
    inlineScripts,
    ...(cards && { cards }),
    mapOf: namedPages,
    sqlPages,
    ...(judgeQuery && { judgeQuery }),
    ...(kindOfName && { kindOfName }),
    release: server.assets.version,
  }
}
