/** Why a node did not take a transaction: what it is, why it happens, what to do. */
export type Rejection = { readonly what: string; readonly why: string; readonly todo: string }

const AGAIN = 'Wait a moment and send it again.'
const TELL_APP = 'Tell the developer of the application. Sending it again does not help.'

/** Reasons that a Stacks node names. Source: stacks-core `MemPoolRejection`, `stackslib/src/core/mempool.rs`, and its RPC. */
export const STACKS_REJECTIONS = {
  Serialization: {
    what: 'The transaction cannot be written as bytes.',
    why: 'Part of it is malformed or unknown to the chain.',
    todo: TELL_APP,
  },
  Deserialization: {
    what: 'The node cannot read the transaction.',
    why: 'It was cut, or made by a program that follows other rules.',
    todo: TELL_APP,
  },
  SignatureValidation: {
    what: 'The signature does not belong to the sender.',
    why: 'Another key signed, or the transaction was altered after it was signed.',
    todo: 'Check which account your wallet has in use and sign again.',
  },
  FeeTooLow: {
    what: 'The fee is too low.',
    why: 'Nodes take a least fee for each byte.',
    todo: 'Raise the fee in your wallet and send it again.',
  },
  BadNonce: {
    what: 'The nonce is out of order.',
    why: 'Its nonce was used already, or is ahead of your account’s.',
    todo: 'Wait until your pending transactions are in a block, then send it again.',
  },
  NotEnoughFunds: {
    what: 'There is not enough STX.',
    why: 'Amount and fee together are more than the account can spend; locked STX do not count.',
    todo: 'Send less, or bring STX to the account first.',
  },
  NoSuchContract: {
    what: 'There is no such contract.',
    why: 'Nothing was deployed under that address and name.',
    todo: 'Check the name of the contract.',
  },
  NoSuchPublicFunction: {
    what: 'The contract has no such public function.',
    why: 'Its name is spelled differently, or it is private or read-only.',
    todo: 'Choose a function that the contract’s page lists.',
  },
  BadFunctionArgument: {
    what: 'An argument is of another type than the function takes.',
    why: 'The contract’s interface states the type of each argument.',
    todo: 'Correct the arguments and send it again.',
  },
  ContractAlreadyExists: {
    what: 'There is a contract of that name already.',
    why: 'An account can deploy each name once.',
    todo: 'Choose another name.',
  },
  PoisonMicroblocksDoNotConflict: {
    what: 'The two microblocks do not contradict each other.',
    why: 'Only a miner who signed two of the same place can be reported.',
    todo: 'There is nothing to report.',
  },
  PoisonMicroblockHasUnknownPubKeyHash: {
    what: 'The signer of these microblocks is unknown.',
    why: 'Their key belongs to no miner of this chain.',
    todo: 'Check on which chain they were made.',
  },
  PoisonMicroblockIsInvalid: {
    what: 'The report about microblocks is not valid.',
    why: 'One of the two has a form or signature that does not hold.',
    todo: 'There is nothing to report.',
  },
  BadAddressVersionByte: {
    what: 'An address belongs to another network.',
    why: 'Addresses of the main network begin with SP or SM, those of test networks with ST or SN.',
    todo: 'Take the address of the network you are on.',
  },
  NoCoinbaseViaMempool: {
    what: 'Miners alone make such transactions.',
    why: 'A coinbase comes with its block and is not sent by anybody.',
    todo: TELL_APP,
  },
  ServerFailureNoSuchChainTip: {
    what: 'The node lost its place in the chain for a moment.',
    why: 'The block it was standing on was replaced.',
    todo: AGAIN,
  },
  TooMuchChaining: {
    what: 'Too many of your transactions are waiting.',
    why: 'A node keeps only so many of one account in a row.',
    todo: 'Wait until some of them are in a block.',
  },
  ConflictingNonceInMempool: {
    what: 'Another transaction of yours with the same nonce is pending.',
    why: 'Of two with one nonce, only one can come into a block.',
    todo: 'Wait for the other one, or replace it with a higher fee.',
  },
  BadTransactionVersion: {
    what: 'The transaction was made for another network.',
    why: 'Its version is not that of this chain.',
    todo: 'Choose the main network in your wallet and sign again.',
  },
  TransferRecipientCannotEqualSender: {
    what: 'The sender cannot be the recipient.',
    why: 'STX cannot be sent to the account they come from.',
    todo: 'Choose another recipient.',
  },
  TransferAmountMustBePositive: {
    what: 'An amount above zero is needed.',
    why: 'A transfer moves at least one micro-STX.',
    todo: 'Enter an amount.',
  },
  ServerFailureDatabase: {
    what: 'The node has trouble with its own data.',
    why: 'It could not look up or keep the transaction.',
    todo: AGAIN,
  },
  EstimatorError: {
    what: 'The node cannot say what the transaction would cost.',
    why: 'Its estimate of fees has failed.',
    todo: AGAIN,
  },
  TemporarilyBlacklisted: {
    what: 'The node does not look at this transaction for now.',
    why: 'It was dropped a while ago, because it could not be carried out.',
    todo: 'Make it anew, with another fee or other arguments.',
  },
  ServerFailureOther: {
    what: 'The node failed for a reason of its own.',
    why: 'It does not say which.',
    todo: AGAIN,
  },
} as const satisfies Record<string, Rejection>

export type RejectionReason = keyof typeof STACKS_REJECTIONS

export const isRejectionReason = (text: string): text is RejectionReason =>
  Object.hasOwn(STACKS_REJECTIONS, text)

/** A node's name for a reason is an identifier; anything else is not repeated. */
const REASON = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

/** What a reason means. One that only newer nodes have is shown by its raw name. */
export function rejectionOf(reason: string): Rejection {
  if (isRejectionReason(reason)) return STACKS_REJECTIONS[reason]
  return {
    what: REASON.test(reason)
      ? `The node rejected the transaction: ${reason}.`
      : 'The node rejected the transaction.',
    why: 'Assay has no description of this reason.',
    todo: 'Look the reason up in the documentation of Stacks nodes before you send again.',
  }
}

/**
 * The reason that a message of a node or wallet names; undefined where it names none. Known reasons are found among any words,
 * others only where the message says that they are the reason.
 */
export function rejectionIn(words: string): string | undefined {
  const known = words.split(/[^A-Za-z]+/).find(isRejectionReason)
  if (known !== undefined) return known
  const named = /"reason"\s*:\s*"(\w+)"/.exec(words) ?? /transaction rejected[:\s]*\((\w+)\)/i.exec(words)
  return named?.[1] !== undefined && REASON.test(named[1]) ? named[1] : undefined
}
