export { parseType } from '#kernel/clarityType.ts'
export {
  bitcoinAddressOf,
  bitcoinTwinOf,
  type PoxAddress,
  poxAddressIn,
  poxAddressOf,
} from './address/bitcoinAddress.ts'
export {
  type AddressParts,
  decodeAddress,
  encodeAddress,
  isAddress,
} from './address/c32.ts'
export { addressOfKeys } from './address/keys.ts'
export { checkEpoch2Block, checkMicroblock, checkNakamotoBlock } from './block/check.ts'
export type { Epoch2Block, Epoch2Header, Microblock } from './block/epoch2Block.ts'
export { merkleRoot } from './block/merkle.ts'
export type { MicroblockHeader } from './block/microblockHeader.ts'
export {
  type BitVector,
  blockIdOf,
  type NakamotoBlock,
  type NakamotoHeader,
} from './block/nakamotoBlock.ts'
export { signersOf } from './block/signers.ts'
export {
  type ContractFunction,
  type ContractInterface,
  type NamedArgument,
  nameArguments,
  parseInterface,
} from './clarity/contractInterface.ts'
export { encodePrincipal, encodeValue } from './clarity/encodeValue.ts'
export { parseRepr } from './clarity/parseRepr.ts'
export {
  type ListedPrint,
  type PrintEvent,
  type PrintShape,
  parsePrintCatalogue,
  parsePrints,
  recognisePrint,
  topicField,
} from './clarity/prints.ts'
export { reprOf, typeOf } from './clarity/repr.ts'
export { admits, type ClarityType, ClarityTypeError, typeText } from './clarity/type.ts'
export { type ClarityField, type ClarityTuple, type ClarityValue, fieldOf } from './clarity/value.ts'
export { MEMO_BYTES, MOST_UINT, SIGNATURE_BYTES } from './constants.ts'
export { openStacksCodec, type StacksCodec } from './decode.ts'
export { AddressError, CheckError, DecodeError } from './errors.ts'
export { memoText } from './memo.ts'
export {
  type ArchivedMessage,
  ArchiveError,
  type ArchivePart,
  messagesOf,
  readArchive,
  readArchiveParts,
} from './messages/archive.ts'
export type {
  BlockMessage,
  ExecutionCost,
  MinerReward,
  RewardSet,
  TransactionMessage,
} from './messages/block.ts'
export type { BurnBlockMessage } from './messages/burnBlock.ts'
export type { StacksEvent } from './messages/events.ts'
export { type Hex, MessageError, type UnknownField } from './messages/fields.ts'
export {
  type MempoolDropMessage,
  type MicroblocksMessage,
  parseMessage,
  type StacksMessage,
} from './messages/message.ts'
export { readInfo } from './node/nodeAnswers.ts'
export { demandContractAddress } from './rules.ts'
export { symbolAsRead, visibleText } from './tokenNames.ts'
export { type AuthField, payerOf, type SpendingCondition, type TransactionAuth } from './transaction/auth.ts'
export { postConditionJson, transactionJson, valueJson } from './transaction/json.ts'
export type { Payload } from './transaction/payload.ts'
export type { PostCondition } from './transaction/postConditions.ts'
export type { DecodedTransaction } from './transaction/transaction.ts'
