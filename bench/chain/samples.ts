import { readdirSync, readFileSync } from 'node:fs'
import type { DecodedBlock } from '#chains/bitcoin/block.ts'
import { openBitcoinCodec, witnessItemsOf } from '#chains/bitcoin/index.ts'
import { SCRIPT_TYPES, type ScriptType } from '#kernel/bitcoin.ts'
import { shared } from '#tests/shared.ts'

/** Real blocks of the segwit and taproot years, one a few years after the other. */
const HEIGHTS = [540_107, 574_200, 696_394, 702_861, 739_990, 831_124, 951_658] as const
const LONGEST_SCRIPT = 400
/** Most inscriptions fit; the few of hundreds of kilobytes would only fill the disk. */
const LONGEST_WITNESS = 4_000

export type OutputSample = { readonly type: ScriptType; readonly script: Uint8Array }
export type InputSample = { readonly scriptSig: Uint8Array; readonly witness: Uint8Array }

/** Scripts and witnesses of real blocks, as often as they occur there: what a synthetic chain is made of. */
export type Samples = {
  readonly outputs: readonly OutputSample[]
  readonly inputs: Readonly<Record<ScriptType, readonly InputSample[]>>
  readonly coinbaseScripts: readonly Uint8Array[]
  /** The transaction of the genesis block. */
  readonly genesisTx: Uint8Array
}

export function readSamples(): Samples {
  const codec = openBitcoinCodec({ network: 'mainnet' })
  const folder = shared('data/bitcoin/blocks')
  const names = readdirSync(folder)
  const read = (height: number) =>
    readFileSync(`${folder}/${names.find(name => name.startsWith(`${height}-`))}`)

  const outputs: OutputSample[] = []
  const inputs = Object.fromEntries(SCRIPT_TYPES.map(type => [type, [] as InputSample[]])) as Record<
    ScriptType,
    InputSample[]
  >
  const coinbaseScripts: Uint8Array[] = []
  for (const height of HEIGHTS) {
    const block = codec.decodeBlock(read(height))
    coinbaseScripts.push(scriptOf(block.bytes, block.inputs, 0))
    for (let o = block.txs.firstOutput[1]!; o < block.outputs.count; o++) {
      const script = scriptOf(block.bytes, block.outputs, o)
      if (script.length > LONGEST_SCRIPT) continue
      outputs.push({ type: SCRIPT_TYPES[block.outputs.scriptType[o]!]!, script })
    }
    for (let i = 1; i < block.inputs.count; i++) {
      const sample = inputSample(block, i)
      if (sample.scriptSig.length > LONGEST_SCRIPT || sample.witness.length > LONGEST_WITNESS) continue
      inputs[spentTypeOf(sample, witnessItemsOf(block, i))].push(sample)
    }
  }
  for (const type of SCRIPT_TYPES) if (inputs[type].length === 0) inputs[type] = inputs.p2pkh
  return { outputs, inputs, coinbaseScripts, genesisTx: read(0).subarray(81) }
}

function inputSample({ bytes, inputs }: DecodedBlock, i: number): InputSample {
  const at = inputs.witnessOffset[i]!
  // Beside inputs with a witness, one without has a single zero: no items.
  const hasItems = inputs.witnessLength[i]! > 1
  return {
    scriptSig: scriptOf(bytes, inputs, i),
    witness: bytes.subarray(at, hasItems ? at + inputs.witnessLength[i]! : at),
  }
}

function scriptOf(
  bytes: Uint8Array,
  { scriptOffset, scriptLength }: { scriptOffset: Uint32Array; scriptLength: Uint32Array },
  i: number,
): Uint8Array {
  return bytes.subarray(scriptOffset[i]!, scriptOffset[i]! + scriptLength[i]!)
}

/** What kind of output an input spends, told from its form: real prevouts are known for few of these blocks. */
function spentTypeOf({ scriptSig }: InputSample, items: readonly Uint8Array[]): ScriptType {
  if (scriptSig.length === 0) {
    if (items.length === 2 && items[1]!.length === 33 && items[0]!.length > 65) return 'v0_p2wpkh'
    const isKeyPath = items.length === 1 && (items[0]!.length === 64 || items[0]!.length === 65)
    const control = items.at(-1)
    const isScriptPath = control !== undefined && control.length % 32 === 1 && (control[0]! & 0xfe) === 0xc0
    return isKeyPath || isScriptPath ? 'v1_p2tr' : 'v0_p2wsh'
  }
  if (items.length > 0) return 'p2sh'
  if (scriptSig.length >= 70 && scriptSig.length <= 74) return 'p2pk'
  return scriptSig.length >= 104 && scriptSig.length <= 140 ? 'p2pkh' : 'p2sh'
}
