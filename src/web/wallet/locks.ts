/** What is needed of the libraries of Stacks for locking and for hubs: one file, so that it comes as one script. */
export { decryptECIES, encryptECIES, getPublicKeyFromPrivate } from '@stacks/encryption'
export { connectToGaiaHub } from '@stacks/storage'
