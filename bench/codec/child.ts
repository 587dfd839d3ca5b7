import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openBcoin } from './bcoin.ts'
import { openBitcoinjs } from './bitcoinjs.ts'
import type { Answer, Contestant, Request } from './contestant.ts'
import { openOurs } from './ours.ts'

/** A contestant in a process of its own, so that no one pays for another's garbage. Arguments: its name, then block files. */
const [name = '', ...files] = process.argv.slice(2)
const blocks = files.map(file => readFileSync(file))

const oneShot = (bytes: Uint8Array): number => hash('sha256', bytes, 'buffer').length
const contestants: Readonly<Record<string, () => Contestant>> = {
  ours: openOurs,
  bcoin: openBcoin,
  'bitcoinjs-lib': openBitcoinjs,
  'node:crypto': () => ({ decode: oneShot, decodeWithAddresses: oneShot }),
}

const contestant = contestants[name]!()
let kept = 0

process.on('message', (request: Request) => {
  const answer: Answer =
    'factsOf' in request
      ? { facts: contestant.facts?.(blocks[request.factsOf]!) ?? null }
      : { ms: blocks.map(block => msOf(block, request)) }
  process.send!(answer)
})
process.on('disconnect', () => process.exit(kept === Number.POSITIVE_INFINITY ? 1 : 0))

function msOf(block: Uint8Array, { mode, repeats }: Extract<Request, { mode: string }>): number {
  const start = performance.now()
  for (let i = 0; i < repeats; i++) {
    kept += mode === 'program' ? contestant.decode(block) : contestant.decodeWithAddresses(block)
  }
  return (performance.now() - start) / repeats
}
