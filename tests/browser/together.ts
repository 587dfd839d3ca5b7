import { delimiter } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

/** The files that the runner was asked for, in this one process: they share a site (`sharedSite.ts`). */
for (const file of (process.env.ASSAY_BROWSER_FILES ?? '').split(delimiter))
  if (file !== '') await import(pathToFileURL(file).href)
