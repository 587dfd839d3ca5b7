import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CHROMIUM, firstPaintMs, openBrowser } from './site/browser.ts'
import { openSite } from './site/openSite.ts'
import { rounded, type Suite, within } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** What installs, builds and runs leave in the folder. */
const MADE_HERE = new Set(['node_modules', 'build', 'dist', 'coverage', '.git', '.assay', '.react-router'])
const STAMP = join('node_modules', '.assay-install')

/** The first start after an install: nothing built, nothing in ASSAY_HOME. */
export const start: Suite = {
  name: 'start',
  about: 'first start to a drawn page after install, build included',
  skipReason: () =>
    existsSync(join(ROOT, STAMP))
      ? undefined
      : 'this install was not made by npm start, npm test or npm run bench',
  async run({ folder, say }) {
    const clone = join(folder, 'clone')
    await copyProject(clone)
    say('starting')
    await using site = await openSite({ root: clone, command: 'npmStart', home: join(folder, 'home') })
    const drawnMs = existsSync(CHROMIUM) ? await paintOf(site.origin) : 0
    return [
      {
        figure: 'first start to a drawn page',
        ...within((site.loadedInMs + drawnMs) / 1000, 20, 's'),
        against: `first answer after ${rounded(site.answeredInMs / 1000)} s, all data after ${rounded(site.loadedInMs / 1000)} s`,
      },
    ]
  },
}

async function paintOf(origin: string): Promise<number> {
  await using browser = await openBrowser()
  return await firstPaintMs(browser, `${origin}/bitcoin`, 'about:blank')
}

/** The project's own files, and its packages as links: what an install leaves before the first start. */
async function copyProject(to: string): Promise<void> {
  await cp(ROOT, to, { recursive: true, filter: path => !MADE_HERE.has(relative(ROOT, path)) })
  await mkdir(join(to, 'node_modules'))
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name === '.assay-install' || name === '.vite') continue
    await symlink(join(ROOT, 'node_modules', name), join(to, 'node_modules', name))
  }
  await copyFile(join(ROOT, STAMP), join(to, STAMP))
}
