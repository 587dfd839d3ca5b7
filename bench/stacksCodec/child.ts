import { readFileSync } from 'node:fs'
import type { Answer, Contestant, Corpus, Mode, Request } from './contestant.ts'
import { openOurs } from './ours.ts'
import { openPeer } from './peer.ts'

/** A contestant in a process of its own, so that no one pays for another's garbage. Arguments: its name, then the corpus. */
const [name = '', corpusPath = ''] = process.argv.slice(2)
const corpus: Corpus = JSON.parse(readFileSync(corpusPath, 'utf8'))
/** Plain arrays of bytes: what both libraries take. */
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const transactions = corpus.transactions.map(bytesOf)
const values = corpus.values.map(bytesOf)

const contestants: Readonly<Record<string, () => Contestant>> = {
  ours: openOurs,
  '@stacks/transactions': openPeer,
}
const contestant = contestants[name]!()
let kept = 0

process.on('message', (request: Request) => {
  const answer: Answer =
    'facts' in request
      ? { facts: transactions.map(contestant.facts) }
      : { ms: msOf(request.mode, request.repeats) }
  process.send!(answer)
})
process.on('disconnect', () => process.exit(kept === Number.POSITIVE_INFINITY ? 1 : 0))

function msOf(mode: Mode, repeats: number): number {
  const inputs = mode === 'valueText' ? values : transactions
  const work = contestant[mode]
  const start = performance.now()
  for (let i = 0; i < repeats; i++) for (const input of inputs) kept += work(input)
  return (performance.now() - start) / repeats
}
