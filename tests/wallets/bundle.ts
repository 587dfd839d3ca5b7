import { fileURLToPath } from 'node:url'
import { build } from 'vite'

let bundled: Promise<string> | undefined

/** The made wallets as one script that can be run in a page before its own; nothing is written to disk. */
export function walletScript(): Promise<string> {
  bundled ??= bundle()
  return bundled
}

async function bundle(): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      lib: {
        entry: fileURLToPath(new URL('inPage.ts', import.meta.url)),
        formats: ['iife'],
        name: 'madeWalletsScript',
      },
    },
  })
  const [first] = Array.isArray(made) ? made : [made]
  if (first === undefined || !('output' in first)) throw new Error('vite gave no output')
  return first.output[0].code
}
