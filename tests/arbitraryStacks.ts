import { createECDH } from 'node:crypto'
import fc from 'fast-check'
import { sha512Trunc256Hex } from '#chains/stacks/hash.ts'
import {
  type ClarityValue,
  type DecodedTransaction,
  encodeAddress,
  type Payload,
  type PostCondition,
  type SpendingCondition,
} from '#chains/stacks/index.ts'
import {
  ANCHOR_MODES,
  FUNGIBLE_CODES,
  NON_FUNGIBLE_CODES,
  POST_CONDITION_MODES,
  POX_CODES,
  TENURE_CHANGE_CAUSES,
} from '#kernel/stacks.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const hex = (length: number) => bytes(length).map(value => Buffer.from(value).toString('hex'))
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const u32 = fc.nat({ max: 0xffffffff })
const valuesOf = <T>(names: Readonly<Record<number, T>>) => fc.constantFrom(...Object.values(names))

const contractName = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9\-_]{0,39}$/)
const clarityName = fc.oneof(
  fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9\-_!?+<>=/*]{0,127}$/),
  fc.constantFrom('+', '-', '=', '/', '*', '<', '>', '<=', '>='),
)
const address = fc
  .tuple(fc.nat({ max: 31 }), bytes(20))
  .map(([version, hash160]) => encodeAddress(version, hash160))
const contract = fc.tuple(address, contractName).map(([issuer, name]) => `${issuer}.${name}`)
const principal = fc.oneof(address, contract)
const source = fc.stringMatching(/^[\t\n\x20-\x7e]*$/)

/** Any value up to a few levels deep, its tuples sorted. */
export const clarityValues: fc.Arbitrary<ClarityValue> = fc.letrec<{ value: ClarityValue }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.record({
      type: fc.constant('int' as const),
      value: fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }),
    }),
    fc.record({ type: fc.constant('uint' as const), value: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }) }),
    fc.record({ type: fc.constant('bool' as const), value: fc.boolean() }),
    fc.record({ type: fc.constant('buffer' as const), value: fc.uint8Array() }),
    fc.record({
      type: fc.constant('string-ascii' as const),
      value: fc.stringMatching(/^[\t\n\f\r\x20-\x7e]*$/),
    }),
    fc.record({ type: fc.constant('string-utf8' as const), value: fc.string({ unit: 'binary' }) }),
    fc.record({ type: fc.constant('principal' as const), value: principal }),
    fc.record({ type: fc.constant('optional' as const), value: fc.option(tie('value')) }),
    fc.record({ type: fc.constant('response' as const), isOk: fc.boolean(), value: tie('value') }),
    fc.record({ type: fc.constant('list' as const), items: fc.array(tie('value')) }),
    fc.record({
      type: fc.constant('tuple' as const),
      fields: fc
        .uniqueArray(fc.record({ name: clarityName, value: tie('value') }), {
          minLength: 1,
          selector: field => field.name,
        })
        .map(fields => fields.toSorted((a, b) => (a.name < b.name ? -1 : 1))),
    }),
  ),
})).value

const signer = { nonce: u64, feeUstx: u64 }
/** Signers of the main network: the address says the network again. */
const singlesig = fc
  .record({
    ...signer,
    hash160: bytes(20),
    isWitness: fc.boolean(),
    isKeyCompressed: fc.boolean(),
    signature: bytes(65),
  })
  .map(
    ({ hash160, isWitness, isKeyCompressed, ...rest }): SpendingCondition => ({
      ...rest,
      isMultisig: false,
      hashMode: isWitness ? 'P2WPKH' : 'P2PKH',
      address: encodeAddress(isWitness ? 20 : 22, hash160),
      isKeyCompressed: isWitness || isKeyCompressed,
    }),
  )
/** Keys must be points of the curve: the node, and the wallets' library, take no others. */
const publicKey = fc.integer({ min: 1, max: 0xffff }).map(secret => {
  const scalar = Buffer.alloc(32)
  scalar.writeUInt16BE(secret, 30)
  const pair = createECDH('secp256k1')
  pair.setPrivateKey(scalar)
  return new Uint8Array(pair.getPublicKey(null, 'compressed'))
})
const authField = fc.oneof(
  fc.record({
    kind: fc.constant('public_key' as const),
    isKeyCompressed: fc.constant(true),
    bytes: publicKey,
  }),
  fc.record({
    kind: fc.constant('signature' as const),
    isKeyCompressed: fc.constant(true),
    bytes: bytes(65),
  }),
)
const multisig = fc
  .record({
    ...signer,
    hashMode: fc.constantFrom(
      'P2SH' as const,
      'P2WSH' as const,
      'P2SHNonSequential' as const,
      'P2WSHNonSequential' as const,
    ),
    hash160: bytes(20),
    fields: fc.array(authField, { maxLength: 15 }),
  })
  .map(
    ({ hash160, fields, ...rest }): SpendingCondition => ({
      ...rest,
      isMultisig: true,
      address: encodeAddress(20, hash160),
      fields,
      signaturesRequired: fields.filter(field => field.kind === 'signature').length,
    }),
  )
const condition = fc.oneof(singlesig, multisig)

const holder = fc.oneof(fc.constant('origin'), principal)
const asset = fc.tuple(contract, clarityName).map(([owner, name]) => `${owner}::${name}`)
const postCondition: fc.Arbitrary<PostCondition> = fc.oneof(
  fc.record({
    assetType: fc.constantFrom('STX' as const, 'Staking' as const),
    principal: holder,
    code: valuesOf(FUNGIBLE_CODES),
    amountUstx: u64,
  }),
  fc.record({
    assetType: fc.constant('Fungible' as const),
    principal: holder,
    asset,
    code: valuesOf(FUNGIBLE_CODES),
    amount: u64,
  }),
  fc.record({
    assetType: fc.constant('NonFungible' as const),
    principal: holder,
    asset,
    value: clarityValues,
    code: valuesOf(NON_FUNGIBLE_CODES),
  }),
  fc.record({ assetType: fc.constant('PoX' as const), principal: holder, code: valuesOf(POX_CODES) }),
)

const microblockHeader = (previousBlock: string) =>
  fc
    .record({
      version: fc.nat({ max: 255 }),
      sequence: fc.nat({ max: 65535 }),
      txMerkleRoot: hex(32),
      signature: bytes(65),
    })
    .map(header => {
      const start = Buffer.of(header.version, header.sequence >> 8, header.sequence & 255)
      const rest = Buffer.from(previousBlock + header.txMerkleRoot, 'hex')
      const hash = sha512Trunc256Hex(Buffer.concat([start, rest, header.signature]))
      return { ...header, previousBlock, hash }
    })

const payload: fc.Arbitrary<Payload> = fc.oneof(
  fc.record({
    kind: fc.constant('token_transfer' as const),
    recipient: principal,
    amountUstx: u64,
    memo: bytes(34),
  }),
  fc.record({ kind: fc.constant('smart_contract' as const), contractName, source }),
  fc.record({
    kind: fc.constant('versioned_smart_contract' as const),
    clarityVersion: fc.integer({ min: 1, max: 6 }),
    contractName,
    source,
  }),
  fc.record({
    kind: fc.constant('contract_call' as const),
    contract,
    functionName: clarityName,
    args: fc.array(clarityValues),
  }),
  hex(32).chain(parent =>
    fc.record({
      kind: fc.constant('poison_microblock' as const),
      headers: fc
        .tuple(microblockHeader(parent), microblockHeader(parent))
        .filter(([a, b]) => a.hash !== b.hash),
    }),
  ),
  fc.record({ kind: fc.constant('coinbase' as const), data: bytes(32) }),
  fc.record({
    kind: fc.constant('coinbase_to_alt_recipient' as const),
    data: bytes(32),
    recipient: principal,
  }),
  fc.record({
    kind: fc.constant('nakamoto_coinbase' as const),
    data: bytes(32),
    recipient: fc.option(principal),
    vrfProof: bytes(80),
  }),
  fc.record({
    kind: fc.constant('tenure_change' as const),
    tenureConsensusHash: hex(20),
    previousTenureConsensusHash: hex(20),
    burnViewConsensusHash: hex(20),
    previousTenureEnd: hex(32),
    previousTenureBlocks: u32,
    cause: fc.constantFrom(...TENURE_CHANGE_CAUSES),
    publicKeyHash: hex(20),
  }),
)

/** Any transaction of the main network that a node would read. */
export const transactions: fc.Arbitrary<Omit<DecodedTransaction, 'txid' | 'sizeBytes'>> = fc
  .record({
    version: fc.constant(0),
    chainId: u32,
    origin: condition,
    sponsor: fc.option(condition),
    anchorMode: valuesOf(ANCHOR_MODES),
    postConditionMode: valuesOf(POST_CONDITION_MODES),
    postConditions: fc.array(postCondition, { maxLength: 6 }),
    payload,
  })
  .map(({ origin, sponsor, anchorMode, ...rest }) => ({
    ...rest,
    auth: { type: sponsor === null ? 'Standard' : 'Sponsored', origin, sponsor },
    anchorMode: /coinbase|poison/.test(rest.payload.kind) ? 'onChainOnly' : anchorMode,
  }))
