import { type ClarityValue, visibleText } from '#chains/stacks/index.ts'
import { assertNever } from '#kernel/errors.ts'
import type { StacksTxKind, TenureChangeCause } from '#kernel/stacks.ts'
import type { Sentences } from './createSentences.ts'
import { type Failed, failureText } from './failure.ts'
import type { Move } from './moves.ts'
import { plain, type Sentence, type SentencePart, sentenceOfParts } from './sentence.ts'
import { amountPart, type TokenBook } from './tokens.ts'
import { principalPart } from './values.ts'

/** A transaction as far as its sentence rests on it. */
export type TransactionFacts = {
  readonly kind: StacksTxKind
  readonly sender: string
  readonly recipient: string | null
  readonly amountUstx: string | bigint | null
  readonly memo: string
  readonly contract: string | null
  readonly functionName: string
  /** Null where they are not held. */
  readonly args: readonly ClarityValue[] | null
  readonly isSuccess: boolean | null
  readonly failed: Failed
  readonly moves: readonly Move[] | null
  readonly cause: TenureChangeCause | null
  readonly clarityVersion: number | null
  readonly tokens: TokenBook
}

const CAUSES: Readonly<Record<TenureChangeCause, string>> = {
  BlockFound: 'New tenure: a miner won a Bitcoin block',
  Extended: 'Tenure extended: its whole budget anew',
  ExtendedRuntime: 'Tenure extended: its running time anew',
  ExtendedReadCount: 'Tenure extended: its number of reads anew',
  ExtendedReadLength: 'Tenure extended: its bytes read anew',
  ExtendedWriteCount: 'Tenure extended: its number of writes anew',
  ExtendedWriteLength: 'Tenure extended: its bytes written anew',
}

/** What a transaction does, or tried to do, in one sentence. */
export function transactionSentence(sentences: Sentences, tx: TransactionFacts): Sentence {
  if (tx.kind === 'contract_call' && tx.contract !== null && tx.args !== null)
    return sentences.call({
      contract: tx.contract,
      functionName: tx.functionName,
      args: tx.args,
      sender: tx.sender,
      isSuccess: tx.isSuccess,
      moves: tx.moves,
      failed: tx.failed,
      tokens: tx.tokens,
    })
  return sentenceOfParts(kindParts(sentences, tx), { from: 'kind', protocol: null })
}

function kindParts(sentences: Sentences, tx: TransactionFacts): SentencePart[] {
  const { kind, recipient, amountUstx } = tx
  switch (kind) {
    case 'token_transfer':
      return verbed(
        tx,
        sentences,
        ['send', 'sent'],
        [
          amountPart(tx.tokens, 'STX', BigInt(amountUstx ?? 0)),
          plain(' to '),
          principalPart(recipient ?? ''),
          ...(tx.memo === '' ? [] : [plain(` with the memo “${visibleText(tx.memo)}”`)]),
        ],
      )
    case 'contract_call':
      return verbed(
        tx,
        sentences,
        ['call', 'called'],
        [plain(`${visibleText(tx.functionName, 60)} of `), principalPart(tx.contract ?? '')],
      )
    case 'smart_contract':
    case 'versioned_smart_contract':
      return verbed(
        tx,
        sentences,
        ['deploy', 'deployed'],
        [
          plain('the contract '),
          principalPart(tx.contract ?? ''),
          ...(tx.clarityVersion === null ? [] : [plain(` in Clarity ${tx.clarityVersion}`)]),
        ],
      )
    case 'bitcoin_op':
      return amountUstx !== null && recipient !== null
        ? verbed(
            tx,
            sentences,
            ['send', 'sent'],
            [
              amountPart(tx.tokens, 'STX', BigInt(amountUstx)),
              plain(' to '),
              principalPart(recipient),
              plain(', by an operation on Bitcoin'),
            ],
          )
        : [plain('An operation on Bitcoin')]
    case 'coinbase':
    case 'coinbase_to_alt_recipient':
    case 'nakamoto_coinbase':
      return recipient === null
        ? [plain('Coinbase: the reward of the miner of this tenure')]
        : [plain('Coinbase: the reward of the miner of this tenure goes to '), principalPart(recipient)]
    case 'tenure_change':
      return [plain(tx.cause === null ? 'Change of tenure' : CAUSES[tx.cause])]
    case 'poison_microblock':
      return [plain('Reported a miner who forked his own microblocks')]
    case 'unknown':
      return [plain('A transaction of an unknown type')]
    default:
      return assertNever(kind)
  }
}

function verbed(
  tx: TransactionFacts,
  { errorWords }: Sentences,
  [base, before]: readonly [string, string],
  parts: readonly SentencePart[],
): SentencePart[] {
  if (tx.isSuccess === false)
    return [plain(`Tried to ${base} `), ...parts, plain(failureText(tx.failed, tx.contract, errorWords))]
  const verb = tx.isSuccess === true ? before : base
  return [plain(`${verb.charAt(0).toUpperCase()}${verb.slice(1)} `), ...parts]
}
