import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CHROMIUM, firstPaintMs, openBrowser } from './site/browser.ts'
import { openSite } from './site/openSite.ts'
import { rounded, type Suite, within } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
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
        ...within((site.startedInMs + drawnMs) / 1000, 20, 's'),
        against: `to the first answer ${rounded(site.startedInMs / 1000)} s`,
      },
    ]
  },
}

async function paintOf(origin: string): Promise<number> {
  await using browser = await openBrowser()
  return firstPaintMs(browser, `${origin}/bitcoin`)
}

/** The project's own files, and its packages as links: what an install leaves before the first start. */
async function copyProject(to: string): Promise<void> {
  const listed = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: ROOT,
      maxBuffer: 2 ** 26,
    },
  )
  for (const path of listed.stdout.split('\0')) {
    if (path === '' || !existsSync(join(ROOT, path))) continue
    await mkdir(dirname(join(to, path)), { recursive: true })
    await copyFile(join(ROOT, path), join(to, path))
  }
  await mkdir(join(to, 'node_modules'))
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name === '.assay-install' || name === '.vite') continue
    await symlink(join(ROOT, 'node_modules', name), join(to, 'node_modules', name))
  }
  await copyFile(join(ROOT, STAMP), join(to, STAMP))
}
