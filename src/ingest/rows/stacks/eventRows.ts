import {
  type BlockMessage,
  type ClarityValue,
  type PrintShape,
  recognisePrint,
  reprOf,
  type StacksCodec,
  type StacksEvent,
  topicField,
} from '#chains/stacks/index.ts'
import { BOOT_ADDRESSES } from '#kernel/stacks.ts'
import { firstLeaf, type Leaf, leavesOf } from './leaves.ts'
import { clarityOf } from './txRows.ts'
import type { Unknowns } from './unknowns.ts'
import type { Place, Writers } from './writers.ts'

/** Shapes of prints by contract, from the catalogue. */
export type PrintCatalogue = ReadonlyMap<string, readonly PrintShape[]>

const NOTHING = new Uint8Array(0)
/** Characters of one byte as `0x…`. */
const ONE_BYTE = 4
/** Contracts of PoX-1 to PoX-4 on the main network and on test networks. PoX-5 prints tuples with a topic, as others do. */
const POX: ReadonlySet<string> = new Set(
  Object.values(BOOT_ADDRESSES).flatMap(address =>
    ['', '-2', '-3', '-4'].map(version => `${address}.pox${version}`),
  ),
)

/** Adds the events of a block that were not rolled back. Bytes that are no Clarity value are kept as unknown. */
export function addEvents(
  writers: Writers,
  unknowns: Unknowns,
  codec: StacksCodec,
  prints: PrintCatalogue,
  place: Place,
  { events }: BlockMessage,
): void {
  for (const event of events) {
    if (!event.isCommitted) continue
    const { body, txid } = event
    const at = { ...place, eventIndex: event.index }
    switch (body.kind) {
      case 'transfer': {
        const token = body.tokenId && clarityOf(codec, body.tokenId)
        writers.transfers.add({
          ...at,
          txid,
          standard: body.standard,
          action: body.action,
          asset: body.asset ?? '',
          sender: body.sender,
          recipient: body.recipient,
          amount: body.amount,
          tokenId: body.tokenId ?? NOTHING,
          tokenRepr: token === null ? '' : reprOf(token),
          memo: body.memo ?? NOTHING,
        })
        break
      }
      case 'lock':
        writers.locks.add({
          ...at,
          txid,
          stacker: body.address,
          amountUstx: body.amountUstx,
          unlockHeight: body.unlockHeight,
          contract: body.contract ?? '',
        })
        break
      case 'print': {
        const value = clarityOf(codec, body.value)
        if (value === null) {
          unknowns.add('event', `print of ${body.contract}`, txid, body.value.toString('hex'))
          break
        }
        addPrint(writers, prints, at, event, { ...body, clarity: value })
        break
      }
      case 'unknown':
        unknowns.add('event', body.type, txid, body.json)
    }
  }
}

function addPrint(
  writers: Writers,
  prints: PrintCatalogue,
  at: Place & { readonly eventIndex: number },
  { txid }: StacksEvent,
  {
    contract,
    topic,
    value,
    clarity,
  }: { contract: string; topic: string; value: Uint8Array; clarity: ClarityValue },
): void {
  const leaves = leavesOf(clarity)
  const isPox = POX.has(contract)
  const listed = recognisePrint(clarity, prints.get(contract) ?? [])
  const event =
    listed?.topic ?? (isPox ? (firstLeaf(leaves, 'name')?.textValue ?? '') : (topicField(clarity) ?? ''))
  writers.prints.add({
    ...at,
    txid,
    contract,
    topic,
    event,
    isListed: listed !== null,
    functionNames: listed?.functionNames.join(',') ?? '',
    value,
    repr: reprOf(clarity),
  })
  for (let leafIndex = 0; leafIndex < leaves.length; leafIndex++)
    writers.printFields.add({ ...at, txid, contract, event, leafIndex, ...leaves[leafIndex]! })
  if (isPox && event !== '') addPoxOp(writers, at, txid, contract, event, leaves)
}

/** What PoX-1 to PoX-4 say of a stacker: `(ok {name, stacker, balance, locked, burnchain-unlock-height, data})`. */
function addPoxOp(
  writers: Writers,
  at: Place & { readonly eventIndex: number },
  txid: StacksEvent['txid'],
  contract: string,
  operation: string,
  leaves: readonly Leaf[],
): void {
  const number = (...paths: string[]): bigint | null => firstLeaf(leaves, ...paths)?.uintValue ?? null
  const height = (...paths: string[]): bigint | null => {
    const value = number(...paths)
    return value === null || value >> 64n !== 0n ? null : value
  }
  const textOf = (...paths: string[]): string => firstLeaf(leaves, ...paths)?.textValue ?? ''
  const version = textOf('data.pox-addr.version')
  writers.poxOps.add({
    ...at,
    txid,
    contract,
    operation,
    stacker: textOf('stacker', 'data.stacker'),
    balanceUstx: number('balance'),
    lockedUstx: number('locked'),
    unlockHeight: height('burnchain-unlock-height'),
    amountUstx: number('data.lock-amount', 'data.increase-by', 'data.amount-ustx'),
    lockPeriod: height('data.lock-period', 'data.extend-count'),
    startHeight: height('data.start-burn-height'),
    cycle: height('data.reward-cycle'),
    delegateTo: textOf('data.delegate-to', 'data.delegator'),
    signerKey: textOf('data.signer-key').slice(2),
    poxVersion: version.length === ONE_BYTE ? Number(version) : null,
    poxHash: textOf('data.pox-addr.hashbytes').slice(2),
  })
}
