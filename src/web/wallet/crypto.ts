/** What is needed of the libraries of Stacks for messages and transactions: one file, so that it comes as one script. */
export { hashMessage } from '@stacks/encryption'
export {
  addressFromVersionHash,
  addressToString,
  Cl,
  createAddress,
  cvToHex,
  deserializeTransaction,
  getAddressFromPublicKey,
  hexToCV,
  postConditionToHex,
  validateStacksAddress,
} from '@stacks/transactions'
