import { registerHooks } from 'node:module'
import process from 'node:process'
import { applied, MUTANT, type MutantInProcess } from './mutantInProcess.ts'

// Loaded into every process of a test run. Replaces one module's text while it is loaded; no file is written.

const chosen = process.env[MUTANT]
if (chosen !== undefined) {
  const { module, ...change } = JSON.parse(chosen) as MutantInProcess
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (url !== module) return loaded
      const { source } = loaded
      const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
      return { ...loaded, source: applied(text, change) }
    },
  })
}
