import { type EvmChain, type Hex, openEvmCodec, type RootstockHeader } from '#chains/evm/index.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { evmHeaders } from '#warehouse/tables/evm.ts'
import { IngestError } from '../errors.ts'
import { openColumns } from '../rows/columns.ts'

type HeaderChain = Pick<EvmChain, 'chainId' | 'headerForm'> & { readonly layer: EvmLayer }

/**
 * Keeps headers that were recorded alone, one a line in hexadecimal RLP, as what they are: beside the blocks, never among
 * them. Each is recomputed: its hash links it to the next one, and Bitcoin was mined for it at its difficulty. All or none
 * are kept. Throws `ingest.header` with line and reason, `DecodeError` for bytes that are no header.
 */
export async function insertEvmHeaders(
  warehouse: Pick<Warehouse, 'insertColumns'>,
  { layer, chainId, headerForm }: HeaderChain,
  text: string,
  source: string,
): Promise<void> {
  const codec = openEvmCodec({ chainId, headerForm, checksumChainId: null })
  const rows = openColumns(evmHeaders)
  let before: { hash: Hex; number: number } | undefined
  for (const [i, line] of text.trimEnd().split('\n').entries()) {
    const fault = (reason: string): IngestError =>
      new IngestError('ingest.header', `Line ${i + 1} of the headers of ${layer}: ${reason}.`, {
        facts: { line: i + 1, layer },
        hint: 'Record the headers again.',
      })
    if (!/^0x([0-9a-f]{2})+$/.test(line)) throw fault('there is no header in hexadecimal')
    const header = codec.decodeHeader(Buffer.from(line.slice(2), 'hex'))
    if (before?.number === header.number - 1 && before.hash !== header.parentHash)
      throw fault(`block ${header.number} does not follow on the one before`)
    before = header
    const mining = codec.mergedMining({ header })
    if (header.form === 'rootstock' && mining?.meetsDifficulty !== true)
      throw fault(`the Bitcoin header of block ${header.number} does not meet its difficulty`)
    const own = header.form === 'rootstock' ? (header as RootstockHeader) : undefined
    rows.add({
      chain: layer,
      height: header.number,
      hash: header.hash,
      prevHash: header.parentHash,
      blockTime: header.timeS,
      miner: header.miner,
      difficulty: header.difficulty,
      gasUsed: header.gasUsed,
      gasLimit: header.gasLimit,
      uncleCount: own?.uncleCount ?? null,
      paidFeeWei: own?.paidFees ?? null,
      minimumGasPriceWei: own?.minimumGasPrice ?? null,
      bitcoinHash: mining && `0x${mining.bitcoinHash}`,
      isBitcoinTagged: mining?.isTagged ?? null,
      source,
    })
  }
  await warehouse.insertColumns(evmHeaders, rows.take())
}
