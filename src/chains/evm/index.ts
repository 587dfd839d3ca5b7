export { type AbiValue, decodeAbi } from './abi/decode.ts'
export { createEventIndex, type DecodedEvent, type EventDefinition, type EventIndex } from './abi/events.ts'
export { createFunctionIndex, type FunctionDefinition, type FunctionIndex } from './abi/functions.ts'
export {
  type BridgeMove,
  bridgeMoveOf,
  type LendingAction,
  lendingOf,
  type Swap,
  swapOf,
  type TokenTransfer,
  transfersOf,
} from './abi/meaning.ts'
export { parseSignature, parseType } from './abi/types.ts'
export { checksumAddress, create2Address, createAddress, parseAddress } from './address.ts'
export type { EvmBlock, EvmHeader, Withdrawal } from './block.ts'
export type { CheckOptions, Proofs } from './check.ts'
export { type BlockAnswers, type EvmChain, type EvmCodec, openEvmCodec } from './codec.ts'
export { AbiError, AddressError, CheckError, DecodeError } from './errors.ts'
export {
  ChainFacts,
  EventFacts,
  type EvmChainFacts,
  type EvmEventFacts,
  type EvmFunctionFacts,
  eventsOf,
  evmChainOf,
  FunctionFacts,
} from './facts.ts'
export { type EvmFee, feeOf } from './fees.ts'
export type { StandardHeader } from './header.ts'
export type { Hex } from './hex.ts'
export { type EvmLog, readLog } from './logs.ts'
export { type L1Attributes, l1AttributesOf } from './opStack.ts'
export type { EvmReceipt, L1Fee } from './receipt.ts'
export type { RootstockHeader } from './rootstock/header.ts'
export type { MergedMining } from './rootstock/mergedMining.ts'
export {
  type ContractCreation,
  creationsOf,
  EVM_CALL_KINDS,
  type EvmCall,
  type EvmCallKind,
  readCallTracer,
  readTraceBlock,
} from './traces.ts'
export {
  type AccessListEntry,
  type Authorization,
  type EvmTransaction,
  isUnsigned,
  type Signature,
  type TransactionBody,
} from './transaction.ts'
