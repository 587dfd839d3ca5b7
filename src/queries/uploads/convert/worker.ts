import { parentPort, workerData } from 'node:worker_threads'
import { AssayError } from '#kernel/errors.ts'
import type { UploadLimits } from '../uploadLimits.ts'
import { createCellWriter } from './cellWriter.ts'
import { readCsv } from './csvCells.ts'
import { readXlsx } from './xlsxCells.ts'

export type ConvertTask = {
  readonly from: string
  readonly to: string
  readonly kind: 'csv' | 'tsv' | 'xlsx'
  readonly hasHeader: boolean
  readonly limits: UploadLimits
}

/** Runs in a thread of its own: the process that draws pages parses no files of users. */
function convert({ from, to, kind, hasHeader, limits }: ConvertTask) {
  const writer = createCellWriter(to, limits, hasHeader)
  if (kind === 'xlsx') readXlsx(from, writer, limits)
  else readCsv(from, writer, limits.cellCharacters, kind === 'tsv' ? '\t' : undefined)
  return writer.end()
}

if (parentPort !== null) {
  try {
    parentPort.postMessage({ converted: convert(workerData as ConvertTask) })
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    parentPort.postMessage({
      failure:
        thrown instanceof AssayError
          ? { code, message, hint: thrown.hint, facts: thrown.facts }
          : { code: code ?? '', message: String(message) },
    })
  }
}
