import { IngestError } from './errors.ts'
import { wordsOf } from './outputBatch.ts'
import type { Chunk } from './rows/chunk.ts'

/** No valid amount is above it: 21 million BTC in satoshis. Source: Bitcoin Core MAX_MONEY. */
export const MAX_MONEY_SAT = 2_100_000_000_000_000

/**
 * Fills in what follows from prevouts: `inputSat`, `feeSat` and `returnedSat` of each transaction, `feeSat` of each block;
 * null where a prevout is unknown. Sums are numbers: each stays below 21 million BTC, or the block is refused.
 * Returns the blocks (positions in `placed`) that spend what is not there, with the reason.
 */
export function assignFees(chunk: Chunk): Map<number, IngestError> {
  const wrong = new Map<number, IngestError>()
  const { txs, blocks, firstTx } = chunk
  const inputWords = wordsOf(txs.inputSat.values)
  const feeWords = wordsOf(txs.feeSat.values)
  const returnedWords = wordsOf(txs.returnedSat.values)
  const outputWords = wordsOf(txs.outputSat)
  const prevWords = wordsOf(chunk.inputs.prevValueSat.values)
  for (let block = 0; block < blocks.rowCount; block++) {
    let blockFee = 0
    let isBlockKnown = true
    const coinbase = firstTx[block]!
    txs.returnedSat.nulls[coinbase] = 0
    for (let tx = coinbase + 1; tx < firstTx[block + 1]!; tx++) {
      const input = sumKnown(chunk, tx, prevWords)
      if (input < 0) {
        isBlockKnown = false
        continue
      }
      const fee = input - numberAt(outputWords, tx)
      if (fee < 0 || input > MAX_MONEY_SAT) {
        wrong.set(block, overspend(chunk, block, tx - coinbase, input, numberAt(outputWords, tx)))
        break
      }
      setAt(inputWords, tx, input)
      setAt(feeWords, tx, fee)
      setAt(returnedWords, tx, returnedSat(chunk, tx))
      txs.inputSat.nulls[tx] = 0
      txs.feeSat.nulls[tx] = 0
      txs.returnedSat.nulls[tx] = 0
      blockFee += fee
    }
    if (!isBlockKnown || wrong.has(block)) continue
    blocks.feeSat.values[block] = BigInt(blockFee)
    blocks.feeSat.nulls[block] = 0
    const claimed = blocks.coinbaseSat[block]!
    const due = blocks.subsidySat[block]! + BigInt(blockFee)
    if (claimed > due) wrong.set(block, overclaim(chunk, block, claimed, due))
  }
  return wrong
}

/** Sum of the prevouts of a transaction; −1 where one is unknown. */
function sumKnown({ inputs, firstInput }: Chunk, tx: number, prevWords: Uint32Array): number {
  const { nulls } = inputs.prevValueSat
  let sum = 0
  for (let row = firstInput[tx]!; row < firstInput[tx + 1]!; row++) {
    if (nulls[row] === 1) return -1
    sum += numberAt(prevWords, row)
  }
  return sum
}

/** Satoshis that go back to a script the transaction spends from. */
function returnedSat({ inputs, outputs, firstInput, firstOutput }: Chunk, tx: number): number {
  const from = firstInput[tx]!
  const until = firstInput[tx + 1]!
  const spent = inputs.prevScript
  const made = outputs.script
  const values = wordsOf(outputs.valueSat)
  const many = (until - from) * (firstOutput[tx + 1]! - firstOutput[tx]!) > 4096
  const prints = many ? new Map<number, number[]>() : undefined
  if (prints)
    for (let row = from; row < until; row++) {
      const print = printOf(spent.bytes, spent.offsets[row]!, spent.offsets[row + 1]!)
      const rows = prints.get(print)
      // One row a script is enough, and keeps the lists short.
      if (rows === undefined) prints.set(print, [row])
      else if (!rows.some(other => equalScripts(spent, other, spent, row))) rows.push(row)
    }
  let sum = 0
  for (let output = firstOutput[tx]!; output < firstOutput[tx + 1]!; output++) {
    let isReturned = false
    if (prints) {
      const print = printOf(made.bytes, made.offsets[output]!, made.offsets[output + 1]!)
      isReturned = prints.get(print)?.some(row => equalScripts(spent, row, made, output)) ?? false
    } else
      for (let row = from; row < until && !isReturned; row++)
        isReturned = equalScripts(spent, row, made, output)
    if (isReturned) sum += numberAt(values, output)
  }
  return sum
}

type Scripts = Chunk['outputs']['script']

function equalScripts(a: Scripts, i: number, b: Scripts, j: number): boolean {
  let at = a.offsets[i]!
  const end = a.offsets[i + 1]!
  let other = b.offsets[j]!
  if (end - at !== b.offsets[j + 1]! - other) return false
  while (at < end) if (a.bytes[at++] !== b.bytes[other++]) return false
  return true
}

function printOf(bytes: Uint8Array, start: number, end: number): number {
  let print = end - start
  for (let at = start; at < end; at++) print = (Math.imul(print, 31) + bytes[at]!) | 0
  return print
}

const numberAt = (words: Uint32Array, i: number): number => words[i * 2 + 1]! * 2 ** 32 + words[i * 2]!

function setAt(words: Uint32Array, i: number, value: number): void {
  words[i * 2] = value >>> 0
  words[i * 2 + 1] = Math.floor(value / 2 ** 32)
}

const overspend = (
  chunk: Chunk,
  block: number,
  txIndex: number,
  input: number,
  output: number,
): IngestError =>
  new IngestError(
    'ingest.overspend',
    `Transaction ${txIndex} of block ${chunk.placed[block]!.hash} spends ${input} sat and pays out ${output} sat.`,
    { facts: { height: chunk.placed[block]!.height, txIndex, input, output } },
  )

const overclaim = (chunk: Chunk, block: number, claimed: bigint, due: bigint): IngestError =>
  new IngestError(
    'ingest.coinbase_value',
    `The coinbase of block ${chunk.placed[block]!.hash} claims ${claimed} sat where subsidy and fees are ${due} sat.`,
    { facts: { height: chunk.placed[block]!.height, claimed, due } },
  )
