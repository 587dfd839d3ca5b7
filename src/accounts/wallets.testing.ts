import { createHash } from 'node:crypto'
import { hashMessage } from '@stacks/encryption'
import { getAddressFromPrivateKey, signMessageHashRsv } from '@stacks/transactions'

/** A key of one's own with its main-network address. */
export type TestKey = { readonly address: string; sign(text: string): string }

/** The key of that number: always the same. 0 has an address of 41 characters, 1 of 40, 925 of 39. */
export function testKey(number: number): TestKey {
  const privateKey = `${createHash('sha256').update(`assay test ${number}`).digest('hex')}01`
  return {
    address: getAddressFromPrivateKey(privateKey, 'mainnet'),
    sign: text =>
      signMessageHashRsv({ messageHash: Buffer.from(hashMessage(text)).toString('hex'), privateKey }),
  }
}
