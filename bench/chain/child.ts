import { openHelper } from '../helper.ts'
import { type ChainFiles, writeChain } from './files.ts'
import { readSamples } from './samples.ts'
import type { ChainShape } from './synthesise.ts'

type Request = { readonly shape: ChainShape; readonly folder: string }

/** Writes a synthetic chain in a process of its own, so that its books are gone before anything is measured. */
export async function makeChain(shape: ChainShape, folder: string): Promise<ChainFiles> {
  using helper = openHelper<Request, ChainFiles>(import.meta.filename)
  return await helper.ask({ shape, folder })
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  process.on('message', async ({ shape, folder }: Request) => {
    process.send!(await writeChain(readSamples(), shape, folder))
  })
  process.on('disconnect', () => process.exit())
}
