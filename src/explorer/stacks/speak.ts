import { type ClarityValue, memoText, parseRepr } from '#chains/stacks/index.ts'
import type { StacksTxKind, TenureChangeCause } from '#kernel/stacks.ts'
import { bytesOf, type Reader, readRows } from '../readRows.ts'
import { type NameBook, withNames } from './names.ts'
import {
  amountPart,
  type Sentence,
  type Sentences,
  type TokenBook,
  transactionSentence,
} from './sentences/index.ts'
import type { BarePrint, BareTransfer, StacksPrint, StacksTransfer } from './txs.ts'

/** With what the explorer reads and speaks. */
export type Speaker = {
  readonly reader: Reader
  readonly sentences: () => Promise<Sentences>
  readonly names: () => Promise<NameBook>
}

/** A row of `stx_txs` as far as its sentence rests on it. */
export type SpokenRow = {
  txid: string
  height: number
  txIndex: number
  kind: string
  status: string
  isSuccess: boolean | null
  sender: string
  recipient: string | null
  amountUstx: string | null
  contract: string | null
  functionName: string
  eventCount: number | null
  resultRepr: string
  vmError: string
  memoHex: string
  clarityVersion: number | null
}

type ArgRow = { txid: string; index: number; path: string; type: string; repr: string }
type MoveRow = Omit<BareTransfer, 'eventIndex'>

/** The sentences of transactions, in their order: what they moved and were called with is read for all at once. */
export async function speakTxs(speaker: Speaker, rows: readonly SpokenRow[]): Promise<Sentence[]> {
  const calls = rows.filter(({ kind }) => kind === 'contract_call')
  const [args, moves] =
    calls.length === 0
      ? [[], []]
      : await Promise.all([readArgs(speaker.reader, calls), readMoves(speaker.reader, calls)])
  return sayTxs(speaker, rows, args, moves)
}

/** The same where arguments and movements are read already. */
export async function sayTxs(
  { reader, sentences, names }: Speaker,
  rows: readonly SpokenRow[],
  args: readonly ArgRow[],
  moves: readonly MoveRow[],
): Promise<Sentence[]> {
  if (rows.length === 0) return []
  const [spoken, book, causes] = await Promise.all([sentences(), names(), readCauses(reader, rows)])
  const argsOf = Map.groupBy(args, ({ txid }) => txid)
  const movesOf = Map.groupBy(moves, ({ txid }) => txid)
  const calls = rows.filter(({ kind }) => kind === 'contract_call')
  const values = new Map(calls.map(({ txid }) => [txid, argValues(argsOf.get(txid) ?? [])]))
  const tokens = await bookFor(reader, spoken.tokens, [
    ...moves.map(({ asset }) => asset),
    ...[...values.values()].flat().flatMap(principalsIn),
    ...calls.flatMap(({ contract }) => contract ?? []),
  ])
  return rows.map(row => {
    const sentence = transactionSentence(spoken, {
      kind: row.kind as StacksTxKind,
      sender: row.sender,
      recipient: row.recipient,
      amountUstx: row.amountUstx,
      memo: row.memoHex === '' ? '' : memoText(bytesOf(row.memoHex)),
      contract: row.contract,
      functionName: row.functionName,
      args: values.get(row.txid) ?? null,
      isSuccess: row.isSuccess,
      failed: { status: row.status, resultRepr: row.resultRepr, vmError: row.vmError },
      // Where the source of the block does not tell events, nothing is known of what moved.
      moves: row.eventCount === null ? null : (movesOf.get(row.txid) ?? []),
      cause: (causes.get(`${row.height}.${row.txIndex}`) as TenureChangeCause | undefined) ?? null,
      clarityVersion: row.clarityVersion,
      tokens,
    })
    return withNames(sentence, book)
  })
}

/** Prints with their sentences, and movements with their amounts in the decimals of their tokens. */
export async function speakEvents(
  { reader, sentences, names }: Speaker,
  prints: readonly BarePrint[],
  transfers: readonly BareTransfer[],
): Promise<{ prints: StacksPrint[]; transfers: StacksTransfer[] }> {
  if (prints.length + transfers.length === 0) return { prints: [], transfers: [] }
  const [spoken, book] = await Promise.all([sentences(), names()])
  const values = prints.map(({ repr }) => parseRepr(repr))
  const tokens = await bookFor(reader, spoken.tokens, [
    ...transfers.map(({ asset }) => asset),
    ...values.flatMap(value => (value === null ? [] : principalsIn(value))),
    ...prints.map(({ contract }) => contract),
  ])
  return {
    prints: prints.map(({ functionNames, ...print }, index) => {
      const value = values[index] ?? { type: 'string-ascii', value: print.repr }
      return {
        ...print,
        sentence: withNames(
          spoken.print({
            contract: print.contract,
            event: print.event,
            functionNames: functionNames.split(',').filter(Boolean),
            value,
            tokens,
          }),
          book,
        ),
      }
    }),
    transfers: transfers.map(transfer => ({
      ...transfer,
      words: moveWords(tokens, transfer),
      senderName: book.primary(transfer.sender ?? '') ?? null,
      recipientName: book.primary(transfer.recipient ?? '') ?? null,
    })),
  }
}

function moveWords(tokens: TokenBook, { standard, asset, amount, tokenRepr }: BareTransfer): string {
  if (standard === 'nft')
    return `${tokens.collection(asset) ?? asset.split('::')[1] ?? asset} ${tokenRepr.replace(/^u(\d+)$/, '#$1')}`
  return amountPart(tokens, asset === '' ? 'STX' : asset, BigInt(amount)).text
}

const readArgs = (reader: Reader, calls: readonly SpokenRow[]): Promise<ArgRow[]> =>
  readRows<ArgRow>(
    reader,
    `SELECT lower(hex(txid)) AS txid, arg_index AS index, path, CAST(type AS String) AS type, repr
FROM stx_call_args
WHERE (contract, function_name, height, tx_index) IN (
  SELECT contract, function_name, height, tx_index
  FROM stx_calls
  WHERE contract IN {contracts:Array(String)} AND function_name IN {functions:Array(String)} AND height IN {heights:Array(UInt32)}
    AND txid IN (SELECT toFixedString(unhex(arrayJoin({txids:Array(String)})), 32))
)
ORDER BY txid, arg_index, leaf_index`,
    {
      contracts: [...new Set(calls.map(({ contract }) => contract ?? ''))],
      functions: [...new Set(calls.map(({ functionName }) => functionName))],
      heights: heightsOf(calls),
      txids: calls.map(({ txid }) => txid),
    },
  )

const readMoves = (reader: Reader, calls: readonly SpokenRow[]): Promise<MoveRow[]> =>
  readRows<MoveRow>(
    reader,
    `SELECT lower(hex(t.txid)) AS txid, CAST(standard AS String) AS standard, CAST(action AS String) AS action, asset,
  sender, recipient, toString(amount) AS amount, token_repr AS tokenRepr
FROM stx_transfers AS t
WHERE t.height IN {heights:Array(UInt32)}
  AND t.txid IN (SELECT toFixedString(unhex(arrayJoin({txids:Array(String)})), 32))
ORDER BY t.height, event_index
LIMIT 20000`,
    { heights: heightsOf(calls), txids: calls.map(({ txid }) => txid) },
  )

async function readCauses(reader: Reader, rows: readonly SpokenRow[]): Promise<Map<string, string>> {
  const changes = rows.filter(({ kind }) => kind === 'tenure_change')
  if (changes.length === 0) return new Map()
  const found = await readRows<{ height: number; txIndex: number; cause: string }>(
    reader,
    `SELECT height, tx_index AS txIndex, CAST(cause AS String) AS cause
FROM stx_tenures
WHERE height IN {heights:Array(UInt32)}`,
    { heights: heightsOf(changes) },
  )
  return new Map(found.map(({ height, txIndex, cause }) => [`${height}.${txIndex}`, cause]))
}

const heightsOf = (rows: readonly SpokenRow[]): number[] => [...new Set(rows.map(({ height }) => height))]

/** The catalogue’s tokens, with what the others among `ids` say of themselves. */
async function bookFor(reader: Reader, tokens: TokenBook, ids: readonly string[]): Promise<TokenBook> {
  const strangers = [...new Set(ids.map(id => id.split('::')[0] ?? ''))].filter(
    contract => contract.includes('.') && tokens.of(contract) === undefined,
  )
  if (strangers.length === 0) return tokens
  const told = await readRows<{ contract: string; symbol: string | null; decimals: number | null }>(
    reader,
    'SELECT contract, symbol, decimals FROM stx_tokens WHERE contract IN {strangers:Array(String)}',
    { strangers },
  )
  return tokens.with(told)
}

/** Arguments from their leaves, as ingest took them apart. */
function argValues(rows: readonly ArgRow[]): ClarityValue[] {
  const values: ClarityValue[] = []
  for (const leaves of Map.groupBy(rows, ({ index }) => index).values()) values.push(valueOfLeaves(leaves))
  return values
}

function valueOfLeaves(leaves: readonly ArgRow[]): ClarityValue {
  const [first] = leaves
  if (first === undefined) return { type: 'optional', value: null }
  if (first.path === '') return parseRepr(first.repr) ?? { type: 'string-ascii', value: first.repr }
  const byField = Map.groupBy(leaves, ({ path }) => path.split('.')[0]!)
  return {
    type: 'tuple',
    fields: [...byField].map(([name, within]) => ({
      name,
      value: valueOfLeaves(within.map(leaf => ({ ...leaf, path: leaf.path.slice(name.length + 1) }))),
    })),
  }
}

function principalsIn(value: ClarityValue): string[] {
  switch (value.type) {
    case 'principal':
      return value.value.includes('.') ? [value.value] : []
    case 'optional':
    case 'response':
      return value.value === null ? [] : principalsIn(value.value)
    case 'tuple':
      return value.fields.flatMap(field => principalsIn(field.value))
    case 'list':
      return value.items.flatMap(principalsIn)
    default:
      return []
  }
}
